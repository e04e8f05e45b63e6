// A class that implements one interface more has another head (DESIGN 2, head).
//- rev 1
//- Interfaces.java
interface I {}
interface J {}
//- A.java
class A implements I {}
//- rev 2
//- A.java
class A implements I, J {}
//= A: CH
