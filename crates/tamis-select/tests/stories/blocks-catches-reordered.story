// Handlers are asked in the order of their table, so their order counts (SPEC 3.5).
//- rev 1
//- A.java
class A {
    int f(String s) {
        try { return s.length(); }
        catch (NullPointerException e) { return 0; }
        catch (IllegalStateException e) { return 1; }
    }
}
//- rev 2
//- A.java
class A {
    int f(String s) {
        try { return s.length(); }
        catch (IllegalStateException e) { return 1; }
        catch (NullPointerException e) { return 0; }
    }
}
//= A: CIM f(Ljava/lang/String;)I blocks 0
