// A covariant return type brings a bridge, which takes the place of the old method (SPEC 2.4).
// The bridge has other flags, so the whole of the old body counts as changed.
//- rev 1
//- B.java
class B { Object f() { return null; } }
//- A.java
class A extends B { Object f() { return "a"; } }
//- rev 2
//- A.java
class A extends B { String f() { return "a"; } }
//= A: AIM f()Ljava/lang/String;, CIM f()Ljava/lang/Object; blocks all, signatures
