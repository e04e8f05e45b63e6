// The name of the source file is debug information (SPEC 2.1).
//- rev 1
//- First.java
class A { int f() { return 1; } }
//- rev 2
//- delete First.java
//- Second.java
class A { int f() { return 1; } }
//= A: plain
