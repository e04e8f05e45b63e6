// Two static blocks one after the other are compiled to what one makes: nothing changes but lines (SPEC 2.1).
//- rev 1
//- A.java
class A {
    static void f() {}
    static {
        f();
        f();
    }
}
//- rev 2
//- A.java
class A {
    static void f() {}
    static {
        f();
    }
    static {
        f();
    }
}
//= A: plain
