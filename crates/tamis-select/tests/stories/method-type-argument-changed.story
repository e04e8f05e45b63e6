// Another type argument of a parameter shows in the generic signature alone (SPEC 2.3).
//- rev 1
//- A.java
import java.util.List;
class A { int f(List<String> x) { return x.size(); } }
//- rev 2
//- A.java
import java.util.List;
class A { int f(List<Integer> x) { return x.size(); } }
//= A: CIM f(Ljava/util/List;)I blocks all
