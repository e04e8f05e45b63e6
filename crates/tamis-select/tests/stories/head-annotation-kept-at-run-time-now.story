// An annotation type whose retention becomes run time changes its head, and that of every annotated class (SPEC 2.1).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.CLASS) @interface Tag {}
//- A.java
@Tag class A {}
//- rev 2
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag {}
//= A: CH
//= Tag: CH
