// From Java 11 on there are no accessors: the inner class itself changes (SPEC 2.4, CIM).
//- javac 17+ -g
//- rev 1
//- A.java
class A {
    private int x = 1;
    private int y = 2;
    class Inner { int f() { return x - y; } }
}
//- rev 2
//- A.java
class A {
    private int x = 1;
    private int y = 2;
    class Inner { int f() { return y - x; } }
}
//= A$Inner: CIM f()I blocks 0
