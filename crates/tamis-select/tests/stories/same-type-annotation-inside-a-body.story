// An annotation of a type inside a body is in the class file, and no reflection shows it (SPEC 2.3).
//- rev 1
//- NonNull.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface NonNull {}
//- A.java
class A { Object f(Object x) { return (String) x; } }
//- rev 2
//- A.java
class A { Object f(Object x) { return (@NonNull String) x; } }
//= A: plain
