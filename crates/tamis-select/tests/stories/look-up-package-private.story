// A method that only its package overrides is none for a class of another package (SPEC 2.5, JVMS 5.4.5).
//- rev 1
//- p/A.java
package p; public class A { int f() { return 1; } }
//- q/B.java
package q; public class B extends p.A { }
//- p/C.java
package p; public class C extends q.B { }
//- rev 2
//- q/B.java
package q; public class B extends p.A { int f() { return 2; } }
//= q/B: AIM f()I, signatures
//> AIM q/B: f()I p/A -> q/B for p/C
//> AIM q/B: f()I p/A -> q/B for q/B
//> AIM q/B: f()I p/A -> q/B where p/C is named
//> AIM q/B: f()I p/A -> q/B where q/B is named
