// Interfaces have static initializers too (SPEC 2.4, CSI).
//- rev 1
//- A.java
interface A { Object X = new int[1]; }
//- rev 2
//- A.java
interface A { Object X = new int[2]; }
//= A: CSI <clinit>()V
