// A method that was nowhere before is found by nobody who found something else (SPEC 2.5).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- B.java
class B extends A {}
//- rev 2
//- A.java
class A { int f() { return 1; } int g() { return 2; } }
//= A: AIM g()I, signatures
//- rev 3
//- B.java
class B extends A { int g() { return 3; } }
//= B: AIM g()I, signatures
//> AIM B: g()I A -> B for B
