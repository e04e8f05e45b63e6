// A constant that becomes a computed value leaves the head and enters the static initializer: a file change (SPEC 2.4).
//- rev 1
//- A.java
class A { static final int X = 1; }
//- rev 2
//- A.java
class A { static final int X = Integer.parseInt("1"); }
//= A: CF
