// A class made abstract can no longer be instantiated: a head change (DESIGN 2, head).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
abstract class A { int f() { return 1; } }
//= A: CH
