// The javadoc tag sets an attribute that only compilers read (SPEC 2.1).
//- rev 1
//- A.java
class A {
    int f() { return 1; }
}
//- rev 2
//- A.java
class A {
    /** @deprecated */ int f() { return 1; }
}
//= A: plain
