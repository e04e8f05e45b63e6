// A local class is an added file; its outer class has no member of that name (DESIGN 2, members).
//- javac 8 -g
//- rev 1
//- A.java
class A { Object f() { return null; } }
//- rev 2
//- A.java
class A { Object f() { class L {} return new L(); } }
//= A: CIM f()Ljava/lang/Object; blocks 0
//= A$1L: AF
