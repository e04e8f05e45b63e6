// Newer javacs compile try-with-resources to other code for the same target (SPEC 2.1: the class file decides).
//- rev 1
//- javac 8 -g
//- A.java
class A {
    int f(java.io.Reader in) throws java.io.IOException {
        try (java.io.Reader r = in) {
            return r.read();
        }
    }
    int g() { return 1; }
}
//- rev 2
//- javac 17 -g --release 8
//= A: CIM f(Ljava/io/Reader;)I
