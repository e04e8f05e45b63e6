// A lambda in a method above renumbers those below, whose methods do not change (DESIGN 2, head).
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
//= A: CIM g()Ljava/lang/Runnable;, ASM lambda$g$0()V
