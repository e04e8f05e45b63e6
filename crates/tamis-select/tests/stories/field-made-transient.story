// A transient field is not serialised: reflection of the JDK's own code decides on the flag (SPEC 2.4, fields).
//- rev 1
//- A.java
class A implements java.io.Serializable { private int x; }
//- rev 2
//- A.java
class A implements java.io.Serializable { private transient int x; }
//= A: CFD x:I
