// Names of local variables show in the messages of NullPointerException: with debug information they count (SPEC 2.1).
//- debug-info counts
//- rev 1
//- A.java
class A { int f(String x) { return x.length(); } int g() { return 1; } }
//- rev 2
//- A.java
class A { int f(String y) { return y.length(); } int g() { return 1; } }
//= A: CIM f(Ljava/lang/String;)I blocks all
