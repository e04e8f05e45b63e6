// A class made final changes nothing but its head, even for its constructor (DESIGN 2, head).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
final class A { int f() { return 1; } }
//= A: CH
