// A head change together with a method change is a file change (SPEC 2.4, CF).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- A.java
final class A { int f() { return 2; } }
//= A: CF
