// A changed body of a static method (SPEC 2.4, CSM).
//- rev 1
//- A.java
class A { static int f() { return 1; } static int g() { return 2; } }
//- rev 2
//- A.java
class A { static int f() { return 1; } static int g() { return 3; } }
//= A: CSM g()I blocks 0
