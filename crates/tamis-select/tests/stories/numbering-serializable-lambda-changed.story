// A lambda whose name is a string in the class keeps its name, so its maker does not change with its body (DESIGN 2).
//- rev 1
//- A.java
import java.io.Serializable;
class A {
    Runnable f() { return (Runnable & Serializable) () -> System.out.println(1); }
}
//- rev 2
//- A.java
import java.io.Serializable;
class A {
    Runnable f() { return (Runnable & Serializable) () -> System.out.println(2); }
}
//= A: CSM lambda$f$d8cce9d4$1()V blocks 0
