// Before Java 11 private methods are called by `invokespecial`: callers inside the class change too (JVMS 4.10).
//- javac 8 -g
//- rev 1
//- A.java
class A { private int f() { return 1; } int g() { return f(); } }
//- rev 2
//- A.java
class A { int f() { return 1; } int g() { return f(); } }
//= A: CIM f()I blocks all, CIM g()I blocks 0, signatures
