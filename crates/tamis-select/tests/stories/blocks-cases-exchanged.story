// Two cases whose values trade places keep their labels and find other blocks behind them (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(int x) { switch (x) { case 1: return 10; case 2: return 20; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(int x) { switch (x) { case 2: return 10; case 1: return 20; default: return 0; } } }
//= A: CIM f(I)I blocks 1 2
