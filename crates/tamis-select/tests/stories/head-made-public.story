// The class's own flags belong to its head (DESIGN 2, head).
//- rev 1
//- A.java
class A { A() {} }
//- rev 2
//- A.java
public class A { A() {} }
//= A: CH
