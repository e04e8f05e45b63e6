// With `-parameters` reflection shows whether a parameter is final (SPEC 2.3).
//- javac 8+ -parameters
//- rev 1
//- A.java
class A { int f(int x) { return x; } }
//- rev 2
//- A.java
class A { int f(final int x) { return x; } }
//= A: CIM f(I)I blocks all
