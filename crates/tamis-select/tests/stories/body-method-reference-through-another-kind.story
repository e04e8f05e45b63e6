// A method reference through an interface and one through a class are different method handles (SPEC 2.3).
//- rev 1
//- A.java
import java.util.*;
import java.util.function.Supplier;
class A { Supplier<Integer> f(ArrayList<String> x) { List<String> y = x; return y::size; } }
//- rev 2
//- A.java
import java.util.*;
import java.util.function.Supplier;
class A { Supplier<Integer> f(ArrayList<String> x) { ArrayList<String> y = x; return y::size; } }
//= A: CIM f(Ljava/util/ArrayList;)Ljava/util/function/Supplier; blocks 0
