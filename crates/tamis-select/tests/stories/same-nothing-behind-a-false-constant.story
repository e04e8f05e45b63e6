// Code behind a condition that is constantly false is not compiled (SPEC 2.1: the class file decides).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { int f() { if (false) { System.exit(1); } return 1; } }
