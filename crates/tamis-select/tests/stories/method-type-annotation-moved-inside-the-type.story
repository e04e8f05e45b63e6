// Where in a type an annotation stands is part of it: `@NonNull Object[]` is not `Object @NonNull []` (SPEC 2.3).
//- rev 1
//- NonNull.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface NonNull {}
//- A.java
class A { @NonNull Object[] f() { return null; } }
//- rev 2
//- A.java
class A { Object @NonNull [] f() { return null; } }
//= A: CIM f()[Ljava/lang/Object; blocks all
