// A guard is code of the method (SPEC 2.4, CIM).
//- javac 21+ -g
//- rev 1
//- A.java
class A { int f(Object o) { return switch (o) { case String s when s.length() > 1 -> 1; default -> 0; }; } }
//- rev 2
//- A.java
class A { int f(Object o) { return switch (o) { case String s when s.length() > 2 -> 1; default -> 0; }; } }
//= A: CIM f(Ljava/lang/Object;)I
