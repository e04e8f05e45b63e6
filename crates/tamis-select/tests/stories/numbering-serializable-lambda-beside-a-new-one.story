// The name of a serialisable lambda is a string in the class, and does not depend on other lambdas (DESIGN 2, head).
//- rev 1
//- A.java
import java.io.Serializable;
class A {
    Runnable g() { return null; }
    Runnable f() { return (Runnable & Serializable) () -> System.out.println("f"); }
}
//- rev 2
//- A.java
import java.io.Serializable;
class A {
    Runnable g() { return () -> System.out.println("g"); }
    Runnable f() { return (Runnable & Serializable) () -> System.out.println("f"); }
}
//= A: CIM g()Ljava/lang/Runnable;, ASM lambda$g$0()V
