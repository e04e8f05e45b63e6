// javac 8 takes the lambda's body for the enclosing method of a class inside it: reflection shows the number, so the head changes (DESIGN 2, head).
//- javac 8 -g
//- rev 1
//- A.java
class A {
    Runnable g() { return null; }
    Runnable f() { return () -> new Object() {}.hashCode(); }
}
//- rev 2
//- A.java
class A {
    Runnable g() { return () -> System.out.println("g"); }
    Runnable f() { return () -> new Object() {}.hashCode(); }
}
//= A: CIM g()Ljava/lang/Runnable;, ASM lambda$g$0()V
//= A$1: CH
