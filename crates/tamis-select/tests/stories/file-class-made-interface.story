// A class that becomes an interface has another head and loses its constructor: a file change (SPEC 2.4).
//- rev 1
//- A.java
class A {}
//- rev 2
//- A.java
interface A {}
//= A: CF
