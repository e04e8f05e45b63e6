// `@Deprecated` is an annotation that is there at run time (SPEC 2.3).
//- rev 1
//- A.java
class A { void f() {} }
//- rev 2
//- A.java
class A { @Deprecated void f() {} }
//= A: CIM f()V blocks all
