// Another value of a run-time annotation of the class, deep inside it, is a head change (DESIGN 2, head).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { Part[] parts(); }
@interface Part { Class<?> type(); RetentionPolicy policy(); }
//- A.java
import java.lang.annotation.RetentionPolicy;
@Tag(parts = {
    @Part(type = int.class, policy = RetentionPolicy.CLASS),
    @Part(type = int.class, policy = RetentionPolicy.CLASS)
})
class A {}
//- rev 2
//- A.java
import java.lang.annotation.RetentionPolicy;
@Tag(parts = {
    @Part(type = int.class, policy = RetentionPolicy.CLASS),
    @Part(type = int.class, policy = RetentionPolicy.SOURCE)
})
class A {}
//= A: CH
