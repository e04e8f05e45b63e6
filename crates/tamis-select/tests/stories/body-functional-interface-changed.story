// The interface that a lambda becomes is named where it is made, though its body stays the same (SPEC 2.3).
//- rev 1
//- Tasks.java
interface First { void run(); }
interface Second { void run(); }
//- A.java
class A { void f() { First r = () -> System.out.println(); r.hashCode(); } }
//- rev 2
//- A.java
class A { void f() { Second r = () -> System.out.println(); r.hashCode(); } }
//= A: CIM f()V blocks 0
