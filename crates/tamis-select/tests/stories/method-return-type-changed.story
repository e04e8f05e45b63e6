// To the JVM a method with another return type is another method; callers name it (SPEC 2.4).
//- rev 1
//- A.java
class A { int f() { return 1; } }
//- User.java
class User { long use(A a) { return a.f(); } }
//- rev 2
//- A.java
class A { long f() { return 1; } }
//= A: DIM f()I, AIM f()J, signatures
//= User: CIM use(LA;)J blocks 0
