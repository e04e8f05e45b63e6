// The first lambda of a class adds its body and the bootstrap method; other methods and the head stay (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    Runnable f() { return null; }
    int g() { return 1; }
}
//- rev 2
//- A.java
class A {
    Runnable f() { return () -> System.out.println(1); }
    int g() { return 1; }
}
//= A: CIM f()Ljava/lang/Runnable; blocks 0, ASM lambda$f$0()V
