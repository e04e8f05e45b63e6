// When a superclass becomes generic, javac adds a bridge to a subclass whose source did not change (SPEC 2.5).
//- rev 1
//- B.java
class B<T> { void f(String t) {} }
//- A.java
class A extends B<String> { void f(String t) {} }
//- rev 2
//- B.java
class B<T> { void f(T t) {} }
//= A: AIM f(Ljava/lang/Object;)V, signatures
//= B: DIM f(Ljava/lang/String;)V, AIM f(Ljava/lang/Object;)V, signatures
