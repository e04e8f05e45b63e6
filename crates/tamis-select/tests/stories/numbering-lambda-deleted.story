// A lambda less: its body goes, and those behind it keep their contents under other numbers (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    Runnable g() { return () -> System.out.println("g"); }
    Runnable f() { return () -> System.out.println("f"); }
}
//- rev 2
//- A.java
class A {
    Runnable g() { return null; }
    Runnable f() { return () -> System.out.println("f"); }
}
//= A: CIM g()Ljava/lang/Runnable;, DSM lambda$g$0()V
