// An added override is found by calls on objects of its class and below, until another one comes (SPEC 2.5; HyRTS, figure 1, B.m1 added).
//- rev 1
//- A.java
class A { int m1() { return 1; } static int m2() { return 2; } }
//- B.java
class B extends A { static int m2() { return 3; } }
//- C.java
class C extends B {}
//- D.java
class D extends C { int m1() { return 4; } }
//- rev 2
//- B.java
class B extends A { static int m2() { return 3; } int m1() { return 5; } }
//= B: AIM m1()I, signatures
//> AIM B: m1()I A -> B for B
//> AIM B: m1()I A -> B for C
