// Parameters of different types in another order make another method (SPEC 2.4).
//- rev 1
//- A.java
class A { static void f(int x, String y) {} }
//- rev 2
//- A.java
class A { static void f(String y, int x) {} }
//= A: DSM f(ILjava/lang/String;)V, ASM f(Ljava/lang/String;I)V
