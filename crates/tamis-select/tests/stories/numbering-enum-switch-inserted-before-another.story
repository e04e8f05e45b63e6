// A switch inserted above another renumbers the cases of the map that they share: both methods change (docs/design).
//- rev 1
//- E.java
enum E { X, Y }
//- A.java
class A {
    int g(E e) { return 0; }
    int f(E e) { switch (e) { case X: return 1; default: return 0; } }
}
//- rev 2
//- A.java
class A {
    int g(E e) { switch (e) { case Y: return 2; default: return 0; } }
    int f(E e) { switch (e) { case X: return 1; default: return 0; } }
}
//= A: CIM g(LE;)I blocks 0, CIM f(LE;)I blocks 0
//= A$1: CSI <clinit>()V
