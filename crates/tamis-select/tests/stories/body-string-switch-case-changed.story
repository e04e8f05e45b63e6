// A switch over strings is one over hash codes, and one over positions after it (SPEC 2.3).
//- rev 1
//- A.java
class A { int f(String s) { switch (s) { case "a": return 1; case "b": return 2; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(String s) { switch (s) { case "a": return 1; case "c": return 2; default: return 0; } } }
//= A: CIM f(Ljava/lang/String;)I blocks 0
