// A native method that gets a body has no old blocks to compare (SPEC 3.5).
//- rev 1
//- A.java
class A { native int f(); }
//- rev 2
//- A.java
class A { int f() { return 1; } }
//= A: CIM f()I blocks all, signatures
