// A static method less (SPEC 2.4, DSM).
//- rev 1
//- A.java
class A { static int f() { return 1; } static int g() { return 2; } }
//- rev 2
//- A.java
class A { static int f() { return 1; } }
//= A: DSM g()I
