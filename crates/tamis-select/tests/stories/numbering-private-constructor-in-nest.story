// From Java 11 on a private constructor of a nest member is called as it is (SPEC 2.3: flags).
//- javac 17+ -g
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
//= A$Inner: CI <init>()V
