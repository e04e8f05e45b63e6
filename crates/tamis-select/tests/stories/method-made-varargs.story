// Whether a method takes a variable number of arguments is one of its flags (SPEC 2.3).
//- rev 1
//- A.java
class A { int f(int[] x) { return x.length; } }
//- rev 2
//- A.java
class A { int f(int... x) { return x.length; } }
//= A: CIM f([I)I blocks all, signatures
