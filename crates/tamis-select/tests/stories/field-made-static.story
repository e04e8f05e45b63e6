// A field made static is a changed field, and its uses are other instructions (SPEC 2.4, fields).
//- rev 1
//- A.java
class A { int x; int f() { return x; } }
//- rev 2
//- A.java
class A { static int x; int f() { return x; } }
//= A: CFD x:I, CIM f()I blocks 0, signatures
