// With `-g`, javac stores local constants that nobody reads, so that a debugger finds them: other code (SPEC 2.1: the class file decides).
//- rev 1
//- javac 8+ -g
//- A.java
class A { int f() { final int x = 1; return x; } }
//- rev 2
//- javac 8+ -g:none
//= A: CIM f()I blocks 0
