// An `else` more: the branch now jumps past it, and where the condition fails another block comes (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(int x) { if (x > 0) x++; return x; } }
//- rev 2
//- A.java
class A { int f(int x) { if (x > 0) x++; else x--; return x; } }
//= A: CIM f(I)I blocks 1 2
