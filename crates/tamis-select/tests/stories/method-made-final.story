// A final method refuses overrides: classes that have one no longer load (SPEC 2.3).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { final int f() { return 1; } }
//= A: CIM f()I blocks all, signatures
