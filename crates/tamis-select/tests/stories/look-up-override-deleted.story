// A deleted override leaves what is above it, or nothing (SPEC 2.5).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- B.java
class B extends A { int f() { return 2; } int g() { return 3; } }
//- C.java
class C extends B {}
//- rev 2
//- B.java
class B extends A { }
//= B: DIM f()I, DIM g()I, signatures
//> DIM B: f()I B -> A for B
//> DIM B: f()I B -> A for C
//> DIM B: g()I B -> nothing for B
//> DIM B: g()I B -> nothing for C
