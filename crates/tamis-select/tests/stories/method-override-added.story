// An added override is an added instance method; base class and callers stay as they are (SPEC 2.5).
//- rev 1
//- B.java
class B { int f() { return 1; } }
//- A.java
class A extends B {}
//- User.java
class User { int use(B b) { return b.f(); } }
//- rev 2
//- A.java
class A extends B { int f() { return 2; } }
//= A: AIM f()I, signatures
