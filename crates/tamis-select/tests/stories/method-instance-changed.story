// A changed body of an instance method (SPEC 2.4, CIM).
//- rev 1
//- A.java
class A { int f() { return 1; } int g() { return 2; } }
//- rev 2
//- A.java
class A { int f() { return 1; } int g() { return 3; } }
//= A: CIM g()I blocks 0
