// Below a changed block the walk does not go on: who ran what is below ran the changed block before (SPEC 3.5).
//- rev 1
//- A.java
class A {
    void g(int x) {}
    void f(int x) { if (x > 0) { g(1); if (x > 1) { g(2); } } }
}
//- rev 2
//- A.java
class A {
    void g(int x) {}
    void f(int x) { if (x > 0) { g(3); if (x > 1) { g(4); } } }
}
//= A: CIM f(I)V blocks 1
