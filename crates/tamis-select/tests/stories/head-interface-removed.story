// A class that implements one interface less has another head (DESIGN 2, head).
//- rev 1
//- Interfaces.java
interface I {}
interface J {}
//- A.java
class A implements I, J {}
//- rev 2
//- A.java
class A implements J {}
//= A: CH
