// A field that hides another is found by who names the class; an interface's comes before that of the superclass (SPEC 2.5).
//- rev 1
//- A.java
class A { int x = 1; static int y = 2; int z = 3; }
//- I.java
interface I { }
//- B.java
class B extends A implements I { int z = 4; }
//- rev 2
//- I.java
interface I { int y = "yy".hashCode(); }
//- B.java
class B extends A implements I { int x = 5; }
//= B: AFD x:I, CI <init>()V, DFD z:I, signatures
//= I: AFD y:I, ASI <clinit>()V, signatures
//> AFD B: x:I A -> B where B is named
//> AFD I: y:I A -> I where B is named
//> DFD B: z:I B -> A where B is named
