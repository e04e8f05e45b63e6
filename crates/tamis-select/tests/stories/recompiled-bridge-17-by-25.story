// javac 21 and later write down that the parameters of bridges are synthetic; reflection shows that (SPEC 2.3, MethodParameters).
//- rev 1
//- javac 17 -g --release 17
//- A.java
class A implements Comparable<A> { public int compareTo(A other) { return 0; } }
//- rev 2
//- javac 25 -g --release 17
//= A: CIM compareTo(Ljava/lang/Object;)I blocks all
