// Stack traces show the numbers of lambdas: with debug information they are names like others (SPEC 2.1).
//- javac 8 -g
//- debug-info counts
//- rev 1
//- A.java
class A {
    Runnable g() { return null; }
    Runnable f() { return () -> System.out.println("f"); }
}
//- rev 2
//- A.java
class A {
    Runnable g() { return () -> System.out.println("g"); }
    Runnable f() { return () -> System.out.println("f"); }
}
//= A: CIM g()Ljava/lang/Runnable;, CIM f()Ljava/lang/Runnable; blocks all, DSM lambda$f$0()V, ASM lambda$g$0()V, ASM lambda$f$1()V
