// Without its last initial value a class loses the static initializer (SPEC 2.4, DSI).
//- rev 1
//- A.java
class A { static int x = 1; }
//- rev 2
//- A.java
class A { static int x; }
//= A: DSI <clinit>()V
