// Newer javacs take the method around the lambda for the enclosing one: the class inside it stays (DESIGN 2, head).
//- javac 17+ -g
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
