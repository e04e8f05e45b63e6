// What a method declares to throw is part of it (SPEC 2.3).
//- rev 1
//- A.java
class A { void f() {} }
//- rev 2
//- A.java
class A { void f() throws java.io.IOException {} }
//= A: CIM f()V blocks all
