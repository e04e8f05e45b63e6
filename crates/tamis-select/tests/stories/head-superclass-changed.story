// Another superclass is another head, and another `super()` in the constructor: a file change (SPEC 2.4).
//- rev 1
//- Bases.java
class B {}
class C {}
//- A.java
class A extends B {}
//- rev 2
//- A.java
class A extends C {}
//= A: CF
