// A switch over an enum beside another adds what its constants need to the map they share (SPEC 2.4, CSI).
//- rev 1
//- E.java
enum E { X, Y }
//- A.java
class A {
    int f(E e) { switch (e) { case X: return 1; default: return 0; } }
    int g(E e) { return 0; }
    int h(E e) { return 0; }
}
//- rev 2
//- A.java
class A {
    int f(E e) { switch (e) { case X: return 1; default: return 0; } }
    int g(E e) { switch (e) { case X: return 2; default: return 0; } }
    int h(E e) { return 0; }
}
//= A: CIM g(LE;)I blocks 0
//- rev 3
//- A.java
class A {
    int f(E e) { switch (e) { case X: return 1; default: return 0; } }
    int g(E e) { switch (e) { case X: return 2; default: return 0; } }
    int h(E e) { switch (e) { case Y: return 3; default: return 0; } }
}
//= A: CIM h(LE;)I blocks 0
//= A$1: CSI <clinit>()V
