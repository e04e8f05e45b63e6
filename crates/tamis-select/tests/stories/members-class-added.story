// A member class more is listed by its outer class, whose head stays (DESIGN 2, head and members).
//- rev 1
//- A.java
class A {}
//- rev 2
//- A.java
class A { static class B {} }
//= A: CM
//= A$B: AF
