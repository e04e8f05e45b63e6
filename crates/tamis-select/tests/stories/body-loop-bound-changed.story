// A loop with another bound: the block that asks is marked, not the body (SPEC 3.5).
//- rev 1
//- A.java
class A { int f() { int s = 0; for (int i = 0; i < 10; i++) s += i; return s; } }
//- rev 2
//- A.java
class A { int f() { int s = 0; for (int i = 0; i < 11; i++) s += i; return s; } }
//= A: CIM f()I blocks 1
