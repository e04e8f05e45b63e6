// An annotation for the compiler alone does not reach the class file (SPEC 2.1).
//- rev 1
//- A.java
class A { int f() { return 1; } public String toString() { return ""; } }
//- rev 2
//- A.java
@SuppressWarnings("all") class A { int f() { return 1; } @Override public String toString() { return ""; } }
