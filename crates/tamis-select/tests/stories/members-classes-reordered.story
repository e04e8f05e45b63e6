// The order of member classes is left as the compiler writes it, which is not that of the source (SPEC 2.1).
// javac writes `InnerClasses` in the order in which it meets the classes; where that differs, `members` does.
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
