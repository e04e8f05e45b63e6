// A private method is found by its name alone; a public one by the object, so that one below it overrides it (SPEC 2.5).
//- javac 8 -g
//- rev 1
//- A.java
class A { private int f() { return 1; } int g() { return f(); } }
//- B.java
class B extends A { public int f() { return 2; } }
//- C.java
class C extends A {}
//- rev 2
//- A.java
class A { public int f() { return 1; } int g() { return f(); } }
//= A: CIM f()I, CIM g()I, signatures
//> CIM A: f()I A -> A where A is named
//> CIM A: f()I A -> A where C is named
