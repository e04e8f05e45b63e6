// What was abstract finds code, or the other way round (SPEC 2.5).
//- rev 1
//- A.java
abstract class A { abstract int f(); int g() { return 1; } }
//- B.java
abstract class B extends A { }
//- rev 2
//- B.java
abstract class B extends A { int f() { return 2; } abstract int g(); }
//= B: AIM f()I, AIM g()I, signatures
//> AIM B: f()I abstract -> B for B
//> AIM B: g()I A -> abstract for B
