// Run-time annotations of a method are part of it, and no block of its body (SPEC 2.3).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { String[] value(); }
//- A.java
class A { @Tag({"a", "b"}) void f() {} }
//- rev 2
//- A.java
class A { @Tag({"b", "a"}) void f() {} }
//= A: CIM f()V blocks all
