// A constant expression and its value are compiled alike; the class with the new constant changes (SPEC 2.1).
//- rev 1
//- A.java
class A { int f() { return 60 * 60; } }
//- Times.java
class Times {}
//- rev 2
//- A.java
class A { int f() { return Times.HOUR; } }
//- Times.java
class Times { static final int HOUR = 3600; }
//= Times: CF
