// A `finally` puts the body under a handler, which cuts its block in two (SPEC 3.5).
//- rev 1
//- A.java
class A {
    void g() {}
    void h() {}
    void f() { g(); }
}
//- rev 2
//- A.java
class A {
    void g() {}
    void h() {}
    void f() { try { g(); } finally { h(); } }
}
//= A: CIM f()V blocks 0
