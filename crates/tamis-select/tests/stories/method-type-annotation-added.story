// Run-time annotations of the types in a declaration are part of the method (SPEC 2.3).
//- rev 1
//- NonNull.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface NonNull {}
//- A.java
class A { Object[] f() { return null; } }
//- rev 2
//- A.java
class A { @NonNull Object[] f() { return null; } }
//= A: CIM f()[Ljava/lang/Object; blocks all
