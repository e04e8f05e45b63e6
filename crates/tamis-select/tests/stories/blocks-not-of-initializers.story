// Initialisers stay at method level: none of their blocks is marked (SPEC 3.5).
//- rev 1
//- A.java
class A {
    static int y;
    static { if (y > 0) y = 1; }
    int x;
    A(int z) { if (z > 0) x = 1; }
}
//- rev 2
//- A.java
class A {
    static int y;
    static { if (y > 0) y = 2; }
    int x;
    A(int z) { if (z > 0) x = 2; }
}
//= A: CSI <clinit>()V, CI <init>(I)V
