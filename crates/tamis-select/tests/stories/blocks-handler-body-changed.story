// A changed handler concerns those who caught something there (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(String s) { try { return s.length(); } catch (NullPointerException e) { return 0; } } }
//- rev 2
//- A.java
class A { int f(String s) { try { return s.length(); } catch (NullPointerException e) { return 5; } } }
//= A: CIM f(Ljava/lang/String;)I blocks 2
