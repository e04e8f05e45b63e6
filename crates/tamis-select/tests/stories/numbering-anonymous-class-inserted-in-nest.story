// From Java 11 on the new class is a nest member as well, which reflection lists (DESIGN 2, members).
//- javac 17+ -g
//- rev 1
//- A.java
class A {
    Object f() { return null; }
    Object g() { return new Object() { public String toString() { return "g"; } }; }
}
//- rev 2
//- A.java
class A {
    Object f() { return new Object() { public String toString() { return "f"; } }; }
    Object g() { return new Object() { public String toString() { return "g"; } }; }
}
//= A: CIM f()Ljava/lang/Object; blocks 0, CIM g()Ljava/lang/Object; blocks 0, CM
//= A$1: CF
//= A$2: AF
