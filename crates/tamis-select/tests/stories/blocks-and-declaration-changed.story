// A changed declaration concerns everyone who ran the method, whatever blocks changed beside it (SPEC 2.3, 3.5).
//- rev 1
//- A.java
class A { int f(int x) { if (x > 0) return 1; return 2; } }
//- rev 2
//- A.java
class A { synchronized int f(int x) { if (x > 0) return 3; return 2; } }
//= A: CIM f(I)I blocks all, signatures
