// The text of a concatenation by `invokedynamic` stands in a bootstrap argument, which counts (SPEC 2.3).
//- rev 1
//- A.java
class A {
    String f(int x) { return "f" + x; }
    String g(int x) { return "g" + x; }
}
//- rev 2
//- A.java
class A {
    String f(int x) { return "F" + x; }
    String g(int x) { return "g" + x; }
}
//= A: CIM f(I)Ljava/lang/String; blocks 0
