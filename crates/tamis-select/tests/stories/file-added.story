// A class that was not there is an added file (SPEC 2.4, AF).
//- rev 1
//- A.java
class A {}
//- rev 2
//- B.java
class B {}
//= B: AF
