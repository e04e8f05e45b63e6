// Constants in another order have other ordinals (CSI), and stand in another order for reflection (SPEC 2.1).
//- javac 8 -g
//- rev 1
//- E.java
enum E { X, Y }
//- rev 2
//- E.java
enum E { Y, X }
//= E: CSI <clinit>()V, CM
