// An abstract method more is an added instance method, and no code of the interface (SPEC 2.5).
//- rev 1
//- I.java
interface I { int f(); }
//- rev 2
//- I.java
interface I { int f(); int g(); }
//= I: AIM g()I, signatures
