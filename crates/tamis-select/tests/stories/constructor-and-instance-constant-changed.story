// A final field with a constant value is in the head *and* in the constructor: a file change (SPEC 2.4).
//- rev 1
//- A.java
class A { final int x = 1; }
//- rev 2
//- A.java
class A { final int x = 2; }
//= A: CF
