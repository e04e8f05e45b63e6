// A resource more in a try is more code, with handlers (SPEC 2.4, CIM).
//- rev 1
//- A.java
class A {
    int f(java.io.Reader in) throws java.io.IOException { return in.read(); }
}
//- rev 2
//- A.java
class A {
    int f(java.io.Reader in) throws java.io.IOException { try (java.io.Reader r = in) { return r.read(); } }
}
//= A: CIM f(Ljava/io/Reader;)I blocks 0
