// A constructor more, beside one that stays (SPEC 2.4, AI).
//- rev 1
//- A.java
class A { A() {} }
//- rev 2
//- A.java
class A { A() {} A(int x) {} }
//= A: AI <init>(I)V
