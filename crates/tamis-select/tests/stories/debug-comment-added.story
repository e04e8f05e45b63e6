// Where debug information counts, a line more counts for the methods below it, in all their blocks (SPEC 2.1).
//- debug-info counts
//- rev 1
//- A.java
class A {
    int f() { return 1; }
    // A comment may come here.
    int g(int x) { if (x > 0) return 1; return 2; }
}
//- rev 2
//- A.java
class A {
    int f() { return 1; }
    // A comment may come here.
    // And here.
    int g(int x) { if (x > 0) return 1; return 2; }
}
//= A: CIM g(I)I blocks all
