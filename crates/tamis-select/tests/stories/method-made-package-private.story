// A private method that can be overridden now flips dispatch while all callers keep their bytes (DESIGN 2, method).
//- javac 17+ -g
//- rev 1
//- A.java
class A { private int f() { return 1; } int g() { return f(); } }
//- B.java
class B extends A { int f() { return 2; } }
//- rev 2
//- A.java
class A { int f() { return 1; } int g() { return f(); } }
//= A: CIM f()I blocks all, signatures
