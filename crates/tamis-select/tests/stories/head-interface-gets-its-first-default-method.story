// An interface with code of its own is initialised with its implementors (JVMS 5.5): that bit is in the head (DESIGN 2, head).
//- rev 1
//- I.java
interface I { int f(); }
//- rev 2
//- I.java
interface I { int f(); default int g() { return 1; } }
//= I: CF
