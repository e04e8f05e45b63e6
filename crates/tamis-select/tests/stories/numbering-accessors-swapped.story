// Accessors that trade their numbers leave the inner class as it was: the outer class must tell (SPEC 2.4, CSM).
//- javac 8 -g
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
//= A: CSM access$000(LA;)I blocks 0, CSM access$100(LA;)I blocks 0
