// A private instance method is code of the interface too, as JVMS 5.5 counts (DESIGN 2, head).
//- javac 17+ -g
//- rev 1
//- I.java
interface I { int f(); }
//- rev 2
//- I.java
interface I { int f(); private int g() { return 1; } }
//= I: CF
