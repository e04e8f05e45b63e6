// A static field with a first initial value adds the static initializer (SPEC 2.4, ASI).
//- rev 1
//- A.java
class A { static int x; }
//- rev 2
//- A.java
class A { static int x = 1; }
//= A: ASI <clinit>()V
