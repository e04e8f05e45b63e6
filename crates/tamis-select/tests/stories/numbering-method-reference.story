// A method reference has no body of its own: the method that makes it changes, and nothing is added (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    void a() {}
    void b() {}
    Runnable f() { return this::a; }
    Runnable g() { return this::a; }
}
//- rev 2
//- A.java
class A {
    void a() {}
    void b() {}
    Runnable f() { return this::b; }
    Runnable g() { return this::a; }
}
//= A: CIM f()Ljava/lang/Runnable; blocks 0
