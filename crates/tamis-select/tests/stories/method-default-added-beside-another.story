// A default method more, in an interface that has one, is an added instance method (SPEC 2.5).
//- rev 1
//- I.java
interface I { default int f() { return 1; } }
//- rev 2
//- I.java
interface I { default int f() { return 1; } default int g() { return 2; } }
//= I: AIM g()I, signatures
