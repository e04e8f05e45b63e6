// A field more (SPEC 2.4): it can hide an inherited one, so the signatures change (DESIGN 2, head).
//- rev 1
//- A.java
class A { int x; }
//- rev 2
//- A.java
class A { int x; int y; }
//= A: AFD y:I, signatures
