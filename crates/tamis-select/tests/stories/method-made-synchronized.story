// The body of a method made synchronized is as it was, and all of it runs under a lock now (SPEC 2.3).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { synchronized int f() { return 1; } }
//= A: CIM f()I blocks all, signatures
