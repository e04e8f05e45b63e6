// An annotation of the class that is kept at run time belongs to the head (DESIGN 2, head).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { int value() default 0; }
//- A.java
class A {}
//- rev 2
//- A.java
@Tag class A {}
//= A: CH
