// A lambda inside a lambda is known by content too, inner ones first: renumbering both changes nothing (DESIGN 2, head).
//- rev 1
//- A.java
import java.util.function.Supplier;
class A {
    Runnable g() { return null; }
    Supplier<Runnable> f() { return () -> () -> System.out.println("f"); }
}
//- rev 2
//- A.java
import java.util.function.Supplier;
class A {
    Runnable g() { return () -> System.out.println("g"); }
    Supplier<Runnable> f() { return () -> () -> System.out.println("f"); }
}
//= A: CIM g()Ljava/lang/Runnable;, ASM lambda$g$0()V
