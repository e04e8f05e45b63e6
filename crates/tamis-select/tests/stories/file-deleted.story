// A class that is no longer there is a deleted file (SPEC 2.4, DF).
//- rev 1
//- A.java
class A {}
//- B.java
class B {}
//- rev 2
//- delete B.java
//= B: DF
