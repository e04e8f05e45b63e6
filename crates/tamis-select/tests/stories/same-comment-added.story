// A comment moves lines and nothing else (SPEC 2.1).
//- rev 1
//- A.java
class A {
    int f() { return 1; }
}
//- rev 2
//- A.java
class A {
    /** The answer. */
    int f() { return 1; }
}
//= A: plain
