// Before Java 17 `strictfp` is a flag that changes what floating point computes (SPEC 2.3).
//- javac 8 -g
//- rev 1
//- A.java
class A { double f(double x) { return x * x; } }
//- rev 2
//- A.java
class A { strictfp double f(double x) { return x * x; } }
//= A: CIM f(D)D blocks all, signatures
