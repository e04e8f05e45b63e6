// Strings of equal hash codes that trade places change no label of a switch, only the comparisons behind it (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(String s) { switch (s) { case "Aa": return 1; case "BB": return 2; default: return 0; } } }
//- rev 2
//- A.java
class A { int f(String s) { switch (s) { case "BB": return 1; case "Aa": return 2; default: return 0; } } }
//= A: CIM f(Ljava/lang/String;)I
