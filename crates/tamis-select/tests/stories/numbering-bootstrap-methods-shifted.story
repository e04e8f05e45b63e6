// A new row in front of `BootstrapMethods` shifts the others, which stand by value in their methods (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    Runnable g() { return null; }
    Runnable f() { return this::hashCode; }
    String h(int x) { return "x = " + x; }
}
//- rev 2
//- A.java
class A {
    Runnable g() { return this::toString; }
    Runnable f() { return this::hashCode; }
    String h(int x) { return "x = " + x; }
}
//= A: CIM g()Ljava/lang/Runnable; blocks 0
