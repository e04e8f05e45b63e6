// A cast is an instruction that can throw (SPEC 2.3).
//- rev 1
//- A.java
class A { Object f(Object x) { return x; } }
//- rev 2
//- A.java
class A { Object f(Object x) { return (String) x; } }
//= A: CIM f(Ljava/lang/Object;)Ljava/lang/Object; blocks 0
