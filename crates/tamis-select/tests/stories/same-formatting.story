// Formatting moves lines and nothing else (SPEC 2.1).
//- rev 1
//- A.java
class A { int f(int x) { if (x > 0) return 1; return 2; } }
//- rev 2
//- A.java
class A {

    int f(int x) {
        if (x > 0) {
            return 1;
        }
        return 2;
    }
}
//= A: plain
