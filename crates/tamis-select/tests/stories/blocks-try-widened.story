// A try that begins earlier covers what it did not cover: that block is marked (SPEC 3.5).
//- rev 1
//- A.java
class A {
    void g() {}
    void h() {}
    void k() {}
    void f() { g(); try { h(); } catch (RuntimeException e) { k(); } }
}
//- rev 2
//- A.java
class A {
    void g() {}
    void h() {}
    void k() {}
    void f() { try { g(); h(); } catch (RuntimeException e) { k(); } }
}
//= A: CIM f()V blocks 0
