// A static method that hides an inherited one is an added method of the class that callers name (SPEC 2.5).
//- rev 1
//- B.java
class B { static int f() { return 1; } }
//- A.java
class A extends B {}
//- User.java
class User { int use() { return A.f(); } }
//- rev 2
//- A.java
class A extends B { static int f() { return 2; } }
//= A: ASM f()I
