// The first switch over an enum brings a synthetic class with its map (SPEC 2.4).
//- javac 8 -g
//- rev 1
//- E.java
enum E { X, Y }
//- A.java
class A {
    int f(E e) { return 0; }
}
//- rev 2
//- A.java
class A {
    int f(E e) {
        switch (e) {
            case X: return 1;
            default: return 0;
        }
    }
}
//= A: CIM f(LE;)I blocks 0
//= A$1: AF
