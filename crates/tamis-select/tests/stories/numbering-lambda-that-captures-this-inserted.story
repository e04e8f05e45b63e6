// The body of a lambda that captures `this` is an instance method, and no signature that can be overridden (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    int x;
    Runnable g() { return null; }
    Runnable f() { return () -> x++; }
}
//- rev 2
//- A.java
class A {
    int x;
    Runnable g() { return () -> x--; }
    Runnable f() { return () -> x++; }
}
//= A: CIM g()Ljava/lang/Runnable;, AIM lambda$g$0()V
