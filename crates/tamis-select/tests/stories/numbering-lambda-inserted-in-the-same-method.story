// A lambda inserted before another renumbers it; the one that was there stays what it was (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    void f() {
        Runnable r = () -> System.out.println("r");
        r.run();
    }
}
//- rev 2
//- A.java
class A {
    void f() {
        Runnable q = () -> System.out.println("q");
        Runnable r = () -> System.out.println("r");
        r.run();
    }
}
//= A: CIM f()V, ASM lambda$f$0()V
