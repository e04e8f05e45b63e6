// Before Java 11 a private constructor is called through another one, told apart by a class of its own (SPEC 2.4).
//- javac 8 -g
//- rev 1
//- A.java
class A {
    static class Inner { Inner() {} }
    Object f() { return new Inner(); }
}
//- rev 2
//- A.java
class A {
    static class Inner { private Inner() {} }
    Object f() { return new Inner(); }
}
//= A: CIM f()Ljava/lang/Object; blocks 0
//= A$1: AF
//= A$Inner: CI <init>()V, AI <init>(LA$1;)V
