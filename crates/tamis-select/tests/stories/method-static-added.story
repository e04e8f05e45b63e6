// A static method more (SPEC 2.4, ASM); it hides nothing, and nobody calls it yet.
//- rev 1
//- A.java
class A { static int f() { return 1; } }
//- rev 2
//- A.java
class A { static int f() { return 1; } static int g() { return 2; } }
//= A: ASM g()I
