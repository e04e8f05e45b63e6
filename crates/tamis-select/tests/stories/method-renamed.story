// A renamed method is one less and one more, and its callers change (SPEC 2.4).
//- rev 1
//- A.java
class A { static int f() { return 1; } int g() { return f(); } }
//- rev 2
//- A.java
class A { static int h() { return 1; } int g() { return h(); } }
//= A: DSM f()I, ASM h()I, CIM g()I blocks 0
