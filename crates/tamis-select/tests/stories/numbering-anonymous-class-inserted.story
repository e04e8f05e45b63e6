// An anonymous class inserted before another takes its name: it looks changed, and so does its maker (docs/design).
//- javac 8 -g
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
//= A: CIM f()Ljava/lang/Object; blocks 0, CIM g()Ljava/lang/Object; blocks 0
//= A$1: CF
//= A$2: AF
