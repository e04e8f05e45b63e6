// Two lambdas that trade places trade numbers: the method that makes them changes, their bodies do not (DESIGN 2, head).
//- rev 1
//- A.java
class A {
    void f() {
        Runnable q = () -> System.out.println("q");
        Runnable r = () -> System.out.println("r");
        q.run();
        r.run();
    }
}
//- rev 2
//- A.java
class A {
    void f() {
        Runnable q = () -> System.out.println("r");
        Runnable r = () -> System.out.println("q");
        q.run();
        r.run();
    }
}
//= A: CIM f()V blocks 0
