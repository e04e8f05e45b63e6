// The names of local variables are debug information (SPEC 2.1).
//- rev 1
//- A.java
class A { int f(int x) { int sum = x + x; return sum; } }
//- rev 2
//- A.java
class A { int f(int a) { int twice = a + a; return twice; } }
//= A: plain
