// Methods in another order have other lines; on one line they have not (SPEC 2.1).
//- debug-info counts
//- rev 1
//- A.java
class A { int f() { return 1; } int g() { return 2; } }
//- rev 2
//- A.java
class A { int g() { return 2; } int f() { return 1; } }
//= A: plain
