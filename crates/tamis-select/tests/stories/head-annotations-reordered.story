// The order of annotations counts: reflection shows it (SPEC 2.1).
//- rev 1
//- Tags.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag {}
@Retention(RetentionPolicy.RUNTIME) @interface Mark {}
//- A.java
@Tag @Mark class A {}
//- rev 2
//- A.java
@Mark @Tag class A {}
//= A: CH
