// An assertion beside others changes its own method alone (DESIGN 2, head).
//- rev 1
//- A.java
class A { int f(int x) { return x; } void g(int x) { assert x < 9; } }
//- rev 2
//- A.java
class A { int f(int x) { assert x > 0; return x; } void g(int x) { assert x < 9; } }
//= A: CIM f(I)I blocks 0
