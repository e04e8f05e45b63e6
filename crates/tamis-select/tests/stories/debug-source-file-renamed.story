// Stack traces show the name of the source file: with debug information it is part of the head (SPEC 2.1).
//- debug-info counts
//- rev 1
//- First.java
class A { int f() { return 1; } }
//- rev 2
//- delete First.java
//- Second.java
class A { int f() { return 1; } }
//= A: CH
