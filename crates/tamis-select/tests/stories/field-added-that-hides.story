// A field that hides an inherited one: who named it through this class finds another (SPEC 2.4, fields).
//- rev 1
//- B.java
class B { int x; }
//- A.java
class A extends B {}
//- User.java
class User { int use(A a) { return a.x; } }
//- rev 2
//- A.java
class A extends B { int x; }
//= A: AFD x:I, signatures
