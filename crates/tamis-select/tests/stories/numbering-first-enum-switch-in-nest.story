// From Java 11 on the synthetic class is a nest member, which reflection lists; the head stays (DESIGN 2, members).
//- javac 17+ -g
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
//= A: CIM f(LE;)I blocks 0, CM
//= A$1: AF
