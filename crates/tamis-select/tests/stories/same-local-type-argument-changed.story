// The generic type of a local variable is debug information (SPEC 2.1).
//- rev 1
//- A.java
import java.util.*;
class A { int f() { List<String> x = new ArrayList<>(); return x.size(); } }
//- rev 2
//- A.java
import java.util.*;
class A { int f() { List<Integer> x = new ArrayList<>(); return x.size(); } }
//= A: plain
