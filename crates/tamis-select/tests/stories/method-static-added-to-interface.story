// A static method of an interface does not make implementors initialise it: the head stays (DESIGN 2, head).
//- rev 1
//- I.java
interface I { int f(); }
//- rev 2
//- I.java
interface I { int f(); static int g() { return 1; } }
//= I: ASM g()I
