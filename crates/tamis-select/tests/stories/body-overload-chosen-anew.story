// A better overload in another class changes callers whose source did not change (SPEC 2.4, CSM).
//- rev 1
//- B.java
class B { static int f(Object x) { return 1; } }
//- A.java
class A { static int g() { return B.f("a"); } }
//- rev 2
//- B.java
class B { static int f(Object x) { return 1; } static int f(String x) { return 2; } }
//= A: CSM g()I blocks 0
//= B: ASM f(Ljava/lang/String;)I
