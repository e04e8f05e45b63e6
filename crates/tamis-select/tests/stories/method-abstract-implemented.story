// An abstract method that gets a body: subclasses need not have it any more (SPEC 2.5).
//- rev 1
//- A.java
abstract class A { abstract int f(); }
//- rev 2
//- A.java
abstract class A { int f() { return 1; } }
//= A: CIM f()I blocks all, signatures
