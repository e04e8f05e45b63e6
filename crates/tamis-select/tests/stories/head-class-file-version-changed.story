// The class-file version belongs to the head: the JVM treats versions differently (SPEC 2.4, CH).
//- javac 17+
//- rev 1
//- javac 17+ --release 9
//- A.java
class A { int f() { return 1; } }
//- rev 2
//- javac 17+ --release 10
//= A: CH
