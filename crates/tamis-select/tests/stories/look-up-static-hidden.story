// A static method that hides another is found by who names the class (SPEC 2.5, which HyRTS does not see).
//- rev 1
//- A.java
class A { static int s() { return 1; } static int t() { return 2; } }
//- B.java
class B extends A { static int t() { return 3; } }
//- C.java
class C extends B {}
//- rev 2
//- B.java
class B extends A { static int s() { return 4; } }
//= B: ASM s()I, DSM t()I
//> ASM B: s()I A -> B where B is named
//> ASM B: s()I A -> B where C is named
//> DSM B: t()I B -> A where B is named
//> DSM B: t()I B -> A where C is named
