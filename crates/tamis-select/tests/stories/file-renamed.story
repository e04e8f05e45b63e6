// A renamed class is one file less and one more; who named it changes with it (SPEC 2.4).
//- rev 1
//- A.java
class A {}
//- User.java
class User { Object make() { return new A(); } }
//- rev 2
//- delete A.java
//- B.java
class B {}
//- User.java
class User { Object make() { return new B(); } }
//= A: DF
//= B: AF
//= User: CIM make()Ljava/lang/Object;
