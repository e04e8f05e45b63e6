// With `-parameters` reflection shows the names of parameters: they are part of the method (SPEC 2.3).
//- javac 8+ -parameters
//- rev 1
//- A.java
class A { int f(int x) { return x; } }
//- rev 2
//- A.java
class A { int f(int y) { return y; } }
//= A: CIM f(I)I blocks all
