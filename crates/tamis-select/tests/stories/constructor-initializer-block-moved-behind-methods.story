// An initialiser block moved past methods is compiled to the same constructor (SPEC 2.1).
//- rev 1
//- A.java
class A {
    int x;
    { x = 2; }
    void f() {}
}
//- rev 2
//- A.java
class A {
    int x;
    void f() {}
    { x = 2; }
}
//= A: plain
