// A private method of an interface changes like any other (SPEC 2.4, CIM).
//- javac 17+ -g
//- rev 1
//- I.java
interface I { default int f() { return g(); } private int g() { return 1; } }
//- rev 2
//- I.java
interface I { default int f() { return g(); } private int g() { return 2; } }
//= I: CIM g()I blocks 0
