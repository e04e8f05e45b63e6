// A row of `InnerClasses` about somebody else's member class is no fact of this class (DESIGN 2, head).
//- rev 1
//- A.java
class A { static class B { static void f() {} } }
//- User.java
class User { void use() {} int stays() { return 1; } }
//- rev 2
//- User.java
class User { void use() { A.B.f(); } int stays() { return 1; } }
//= User: CIM use()V blocks 0
