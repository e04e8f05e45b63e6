// An instance method made static is one method less and another more (SPEC 2.4).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
class A { static int f() { return 1; } }
//= A: DIM f()I, ASM f()I, signatures
