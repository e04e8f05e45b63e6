// Cases in another order lie elsewhere in the code and are found behind the same labels: no block changed, and what did is not known, so all count (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(int x) { switch (x) { case 1: return 10; case 2: return 20; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(int x) { switch (x) { case 2: return 20; case 1: return 10; default: return 0; } } }
//= A: CIM f(I)I blocks all
