// A constructor that is private now is a changed constructor (SPEC 2.3: flags).
//- rev 1
//- A.java
class A { A() {} }
//- rev 2
//- A.java
class A { private A() {} }
//= A: CI <init>()V
