// The default constructor is as public as its class, so two things change (SPEC 2.4, JLS 8.8.9).
//- rev 1
//- A.java
class A {}
//- rev 2
//- A.java
public class A {}
//= A: CF
