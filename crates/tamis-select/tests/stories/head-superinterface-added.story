// An interface that extends one more has another head (DESIGN 2, head).
//- rev 1
//- A.java
interface A {}
//- rev 2
//- A.java
interface A extends Runnable {}
//= A: CH
