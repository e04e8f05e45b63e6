// A handler more is a way on one side only: the block under it is marked (SPEC 3.5).
//- rev 1
//- A.java
class A {
    int f(String s) {
        try { return s.length(); }
        catch (NullPointerException e) { return 0; }
    }
}
//- rev 2
//- A.java
class A {
    int f(String s) {
        try { return s.length(); }
        catch (NullPointerException e) { return 0; }
        catch (IllegalStateException e) { return 1; }
    }
}
//= A: CIM f(Ljava/lang/String;)I blocks 0
