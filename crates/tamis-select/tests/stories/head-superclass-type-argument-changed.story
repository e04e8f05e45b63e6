// Another type argument of the superclass shows in the generic signature of the class alone (DESIGN 2, head).
//- rev 1
//- A.java
abstract class A extends java.util.ArrayList<String> {}
//- rev 2
//- A.java
abstract class A extends java.util.ArrayList<Integer> {}
//= A: CH
