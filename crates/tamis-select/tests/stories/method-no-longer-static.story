// A static method made an instance method is one method less and another more (SPEC 2.4).
//- rev 1
//- A.java
class A { static int f() { return 1; } }
//- rev 2
//- A.java
class A { int f() { return 1; } }
//= A: DSM f()I, AIM f()I, signatures
