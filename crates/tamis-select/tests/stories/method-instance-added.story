// An instance method more (SPEC 2.4, AIM) can be an override: the signatures change with it (DESIGN 2, head).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { int f() { return 1; } int g() { return 2; } }
//= A: AIM g()I, signatures
