// Run-time annotations of a field's type go with the head like those of the field (SPEC 2.4).
//- rev 1
//- NonNull.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface NonNull {}
//- A.java
import java.util.List;
class A { List<String> x; }
//- rev 2
//- A.java
import java.util.List;
class A { List<@NonNull String> x; }
//= A: CH
