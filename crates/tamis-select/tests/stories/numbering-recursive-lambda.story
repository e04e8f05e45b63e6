// A lambda that calls itself does so through a field, so it is known by content like any other (DESIGN 2, head).
//- rev 1
//- A.java
import java.util.function.IntUnaryOperator;
class A {
    Runnable g() { return null; }
    static IntUnaryOperator factorial = n -> n == 0 ? 1 : n * A.factorial.applyAsInt(n - 1);
}
//- rev 2
//- A.java
import java.util.function.IntUnaryOperator;
class A {
    Runnable g() { return () -> System.out.println("g"); }
    static IntUnaryOperator factorial = n -> n == 0 ? 1 : n * A.factorial.applyAsInt(n - 1);
}
//= A: CIM g()Ljava/lang/Runnable;, ASM lambda$g$0()V
