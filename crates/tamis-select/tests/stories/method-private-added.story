// A private method overrides nothing, so the signatures stay (DESIGN 2, head).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { int f() { return 1; } private int g() { return 2; } }
//= A: AIM g()I
