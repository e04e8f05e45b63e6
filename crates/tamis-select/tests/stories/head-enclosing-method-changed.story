// A local class that moved to another method has another head: `getEnclosingMethod` shows it (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    void f() { class L {} new L(); }
    void g() {}
}
//- rev 2
//- A.java
class A {
    void f() {}
    void g() { class L {} new L(); }
}
//= A: CIM f()V, CIM g()V
//= A$1L: CH
