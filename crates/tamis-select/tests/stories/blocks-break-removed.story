// Without its `break` a case goes on into the next: its own block ends differently (SPEC 3.5).
//- rev 1
//- A.java
class A {
    void g() {}
    void h() {}
    void k() {}
    void f(int x) {
        switch (x) {
            case 1: g(); break;
            case 2: h(); break;
            default: k();
        }
    }
}
//- rev 2
//- A.java
class A {
    void g() {}
    void h() {}
    void k() {}
    void f(int x) {
        switch (x) {
            case 1: g();
            case 2: h(); break;
            default: k();
        }
    }
}
//= A: CIM f(I)V blocks 1
