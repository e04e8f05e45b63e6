// Run-time annotations of parameters are part of the method (SPEC 2.3).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag {}
//- A.java
class A { void f(@Tag int x, int y) {} }
//- rev 2
//- A.java
class A { void f(int x, @Tag int y) {} }
//= A: CIM f(II)V blocks all
