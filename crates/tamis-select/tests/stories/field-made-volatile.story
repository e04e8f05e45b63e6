// The flags of a field are part of it (SPEC 2.4, fields).
//- rev 1
//- A.java
class A { private int x; }
//- rev 2
//- A.java
class A { private volatile int x; }
//= A: CFD x:I
