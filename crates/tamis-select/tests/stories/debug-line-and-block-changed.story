// Where debug information counts, lines that move concern those too who did not run the changed block (SPEC 2.1, 3.5).
//- debug-info counts
//- rev 1
//- A.java
class A {
    int f(String x) {
        if (x == null) return 1;
        return x.length();
    }
}
//- rev 2
//- A.java
class A {
    int f(String x) {
        if (x == null) return

            2;
        return x.length();
    }
}
//= A: CIM f(Ljava/lang/String;)I blocks all
