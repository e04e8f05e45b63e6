// An instance method less (SPEC 2.4, DIM).
//- rev 1
//- A.java
class A { int f() { return 1; } int g() { return 2; } }
//- rev 2
//- A.java
class A { int f() { return 1; } }
//= A: DIM g()I, signatures
