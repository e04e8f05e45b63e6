// A lambda's content counts where the lambda is made: in one branch (SPEC 3.5).
//- rev 1
//- A.java
class A {
    Runnable f(boolean b) {
        if (b) return () -> System.out.println(1);
        return () -> System.out.println(2);
    }
}
//- rev 2
//- A.java
class A {
    Runnable f(boolean b) {
        if (b) return () -> System.out.println(3);
        return () -> System.out.println(2);
    }
}
//= A: CIM f(Z)Ljava/lang/Runnable; blocks 1, CSM lambda$f$0()V blocks 0
