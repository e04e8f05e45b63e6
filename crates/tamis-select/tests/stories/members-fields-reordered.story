// The order of fields is what reflection shows, and nothing else (SPEC 2.1).
//- rev 1
//- A.java
class A { int x; int y; }
//- rev 2
//- A.java
class A { int y; int x; }
//= A: CM
