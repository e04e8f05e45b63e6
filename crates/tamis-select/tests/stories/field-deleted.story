// A field less (SPEC 2.4).
//- rev 1
//- A.java
class A { int x; private int y; }
//- rev 2
//- A.java
class A { int x; }
//= A: DFD y:I
