// A lambda is known by its content, so whoever names a changed one changes with it: coarse, and safe (DESIGN 2).
//- rev 1
//- A.java
class A {
    Runnable f() { return () -> System.out.println(1); }
    int g() { return 1; }
}
//- rev 2
//- A.java
class A {
    Runnable f() { return () -> System.out.println(2); }
    int g() { return 1; }
}
//= A: CIM f()Ljava/lang/Runnable; blocks 0, CSM lambda$f$0()V blocks 0
