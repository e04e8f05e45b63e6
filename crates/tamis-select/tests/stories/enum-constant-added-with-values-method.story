// Newer javacs list the constants in a method of its own, which changes too (SPEC 2.4, CSM).
//- javac 17+ -g
//- rev 1
//- E.java
enum E { X, Y }
//- A.java
class A { int f(E e) { switch (e) { case X: return 1; default: return 0; } } }
//- rev 2
//- E.java
enum E { X, Y, Z }
//= E: AFD Z:LE;, CSI <clinit>()V, CSM $values()[LE; blocks 0, signatures
