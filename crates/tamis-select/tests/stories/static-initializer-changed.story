// Another initial value of a static field that is no constant changes the static initializer (SPEC 2.4, CSI).
//- rev 1
//- A.java
class A { static final Integer X = 1; }
//- rev 2
//- A.java
class A { static final Integer X = 2; }
//= A: CSI <clinit>()V
