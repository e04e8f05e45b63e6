// A constructor less (SPEC 2.4, DI).
//- rev 1
//- A.java
class A { A() {} A(int x) {} }
//- rev 2
//- A.java
class A { A() {} }
//= A: DI <init>(I)V
