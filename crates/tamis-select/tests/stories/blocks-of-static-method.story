// Static methods are compared block by block like instance methods (SPEC 3.5, CSM).
//- rev 1
//- A.java
class A { static int f(int x) { return x > 0 ? 1 : 2; } }
//- rev 2
//- A.java
class A { static int f(int x) { return x > 0 ? 1 : 3; } }
//= A: CSM f(I)I blocks 2
