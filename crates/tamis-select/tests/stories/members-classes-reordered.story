// Member classes in another order are listed in another order, by the outer class alone (DESIGN 2, members).
//- rev 1
//- A.java
class A {
    static class B {}
    static class C {}
}
//- rev 2
//- A.java
class A {
    static class C {}
    static class B {}
}
//= A: CM
