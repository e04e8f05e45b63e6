// A field with another type is a changed field, named as it was; who uses it changes too (SPEC 2.4, fields).
//- rev 1
//- A.java
class A { int x; int f() { return x; } }
//- rev 2
//- A.java
class A { short x; int f() { return x; } }
//= A: CFD x:I, CIM f()I blocks 0, signatures
