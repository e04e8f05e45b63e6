// Constructors, and methods of one name, in another order: reflection shows it, like that of fields.
// HotSpot lists them in the order of the file, so `getDeclaredConstructors()[0]` can tell. The order among methods of
// different names shows nowhere (SPEC 2.1).
//- rev 1
//- A.java
class A {
    A() {}
    A(int x) {}
    void f() {}
    void g() {}
    void g(int x) {}
}
//- rev 2
//- A.java
class A {
    void g(int x) {}
    void g() {}
    void f() {}
    A(int x) {}
    A() {}
}
//= A: CM
