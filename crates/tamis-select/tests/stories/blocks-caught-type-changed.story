// Another exception type is a label on either side: the block under the handler is marked, not the handler (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(String s) { try { return s.length(); } catch (NullPointerException e) { return 0; } } }
//- rev 2
//- A.java
class A { int f(String s) { try { return s.length(); } catch (IllegalStateException e) { return 0; } } }
//= A: CIM f(Ljava/lang/String;)I blocks 0
