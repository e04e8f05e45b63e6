// Constants are compared by their bits: 0.0 and -0.0 are equal to `==` and not the same (SPEC 2.4).
//- rev 1
//- A.java
class A { static final double ZERO = 0.0; }
//- rev 2
//- A.java
class A { static final double ZERO = -0.0; }
//= A: CH
