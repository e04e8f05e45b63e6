// The generic signature of the class belongs to its head (DESIGN 2, head).
//- rev 1
//- A.java
class A<T> {}
//- rev 2
//- A.java
class A<T extends Number> {}
//= A: CH
