// The first assertion brings a field and a static initializer, which turns assertions on (SPEC 2.4, ASI, fields).
// The field is not private, so the signatures change; every user of the class is concerned by ASI anyway.
//- rev 1
//- A.java
class A { int f(int x) { return x; } int g() { return 1; } }
//- rev 2
//- A.java
class A { int f(int x) { assert x > 0; return x; } int g() { return 1; } }
//= A: CIM f(I)I blocks 0, AFD $assertionsDisabled:Z, ASI <clinit>()V, signatures
