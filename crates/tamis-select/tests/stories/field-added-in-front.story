// A field added before others leaves the order of those that were there (SPEC 2.4).
//- rev 1
//- A.java
class A { int x; int y; }
//- rev 2
//- A.java
class A { private int w; int x; int y; }
//= A: AFD w:I
