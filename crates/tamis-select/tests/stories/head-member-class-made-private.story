// The flags of a member class stand in `InnerClasses`: its own head, and what its outer class lists (DESIGN 2, head and members).
//- rev 1
//- A.java
class A { static class B { B() {} } }
//- rev 2
//- A.java
class A { private static class B { B() {} } }
//= A: CM
//= A$B: CH
