// The code of one case concerns those who came there (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(int x) { switch (x) { case 1: return 10; case 2: return 20; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(int x) { switch (x) { case 1: return 10; case 2: return 21; default: return 0; } } }
//= A: CIM f(I)I blocks 2
