// Another type argument of a field shows in its generic signature, which reflection shows (SPEC 2.4, fields).
//- rev 1
//- A.java
import java.util.List;
class A { List<String> x; }
//- rev 2
//- A.java
import java.util.List;
class A { List<Integer> x; }
//= A: CFD x:Ljava/util/List;
