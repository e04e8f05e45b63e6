// What the compiler infers may be written out or not (SPEC 2.1: the class file decides).
//- javac 17+ -g
//- rev 1
//- A.java
import java.util.*;
class A { int f() { List<String> x = new ArrayList<String>(); return x.size(); } }
//- rev 2
//- A.java
import java.util.*;
class A { int f() { List<String> x = new ArrayList<>(); return x.size(); } }
