// A concatenation more, by `StringBuilder` or by `invokedynamic`, changes its own method (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    String f(int x) { return "f"; }
    String g(int x) { return "g" + x; }
}
//- rev 2
//- A.java
class A {
    String f(int x) { return "f" + x; }
    String g(int x) { return "g" + x; }
}
//= A: CIM f(I)Ljava/lang/String; blocks 0
