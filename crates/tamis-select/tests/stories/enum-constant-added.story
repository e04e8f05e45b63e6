// A constant is a field and a line of the static initializer; users that switch over the enum do not change (SPEC 2.4, fields, CSI).
//- javac 8 -g
//- rev 1
//- E.java
enum E { X, Y }
//- A.java
class A { int f(E e) { switch (e) { case X: return 1; default: return 0; } } }
//- rev 2
//- E.java
enum E { X, Y, Z }
//= E: AFD Z:LE;, CSI <clinit>()V, signatures
