// Calling a method of what was a class and is an interface now takes another instruction (JVMS 4.4.2).
//- rev 1
//- B.java
class B { int f() { return 1; } }
//- A.java
class A { int g(B b) { return b.f(); } }
//- rev 2
//- B.java
interface B { default int f() { return 1; } }
//= A: CIM g(LB;)I blocks 0
//= B: CF
