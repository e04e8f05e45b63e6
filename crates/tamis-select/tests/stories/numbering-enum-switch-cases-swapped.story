// Two cases that trade places may leave the method as it was: only the map tells, and must (SPEC 2.4, CSI).
//- rev 1
//- E.java
enum E { X, Y }
//- A.java
class A { int f(E e) { switch (e) { case X: return 1; case Y: return 2; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(E e) { switch (e) { case Y: return 1; case X: return 2; default: return 0; } } }
//= A$1: CSI <clinit>()V
