// A method that can no longer be overridden: its overrides stop being called, and none of them changes (SPEC 2.5).
//- javac 17+ -g
//- rev 1
//- A.java
class A { int f() { return 1; } int g() { return f(); } }
//- B.java
class B extends A { int f() { return 2; } }
//- rev 2
//- A.java
class A { private int f() { return 1; } int g() { return f(); } }
//= A: CIM f()I blocks all, signatures
