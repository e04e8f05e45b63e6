// A constant of an interface belongs to its head as well (SPEC 2.4).
//- rev 1
//- A.java
interface A { String NAME = "a"; }
//- rev 2
//- A.java
interface A { String NAME = "b"; }
//= A: CH
