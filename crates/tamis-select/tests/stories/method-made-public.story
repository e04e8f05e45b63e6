// The flags of a method are part of it and of the signatures (SPEC 2.3).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { public int f() { return 1; } }
//= A: CIM f()I blocks all, signatures
