// In `a && b` the second condition is a block of its own (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(boolean a, boolean b) { if (a && b) return 1; return 2; } }
//- rev 2
//- A.java
class A { int f(boolean a, boolean b) { if (a && !b) return 1; return 2; } }
//= A: CIM f(ZZ)I blocks 1
