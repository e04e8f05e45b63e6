// Another value of a case is a label on either side: the block with the switch is marked (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(int x) { switch (x) { case 1: return 10; case 5000: return 20; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(int x) { switch (x) { case 1: return 10; case 6000: return 20; default: return 0; } } }
//= A: CIM f(I)I blocks 0
