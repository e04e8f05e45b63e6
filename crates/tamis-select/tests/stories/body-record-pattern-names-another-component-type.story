// What a record pattern takes apart is named in the method (SPEC 2.4, CIM).
//- javac 21+ -g
//- rev 1
//- R.java
record R(Object x) {}
//- A.java
class A { boolean f(Object o) { return o instanceof R(String s); } }
//- rev 2
//- A.java
class A { boolean f(Object o) { return o instanceof R(Integer s); } }
//= A: CIM f(Ljava/lang/Object;)Z
