// Without `-parameters` the name of a parameter is debug information (SPEC 2.1).
//- rev 1
//- A.java
class A { int f(final int x) { return x; } }
//- rev 2
//- A.java
class A { int f(int y) { return y; } }
//= A: plain
