// The initial value of a field is compiled into every constructor that does not call another (SPEC 2.4, CI).
//- rev 1
//- A.java
class A { int x = 1; A() {} A(int y) { x = y; } A(long y) { this(); } }
//- rev 2
//- A.java
class A { int x = 2; A() {} A(int y) { x = y; } A(long y) { this(); } }
//= A: CI <init>()V, CI <init>(I)V
