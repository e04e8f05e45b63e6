// The types of a pattern switch stand in bootstrap arguments, which count (SPEC 2.3).
//- javac 21+ -g
//- rev 1
//- A.java
class A {
    int f(Object o) { return switch (o) { case String s -> 1; case Integer i -> 2; default -> 0; }; }
    int g(Object o) { return switch (o) { case String s -> 1; case Integer i -> 2; default -> 0; }; }
}
//- rev 2
//- A.java
class A {
    int f(Object o) { return switch (o) { case String s -> 1; case Long i -> 2; default -> 0; }; }
    int g(Object o) { return switch (o) { case String s -> 1; case Integer i -> 2; default -> 0; }; }
}
//= A: CIM f(Ljava/lang/Object;)I
