// A text block is another way to write a string (SPEC 2.1: the class file decides).
//- javac 17+ -g
//- rev 1
//- A.java
class A {
    String f() {
        return "a\n  b\n";
    }
}
//- rev 2
//- A.java
class A {
    String f() {
        return """
            a
              b
            """;
    }
}
