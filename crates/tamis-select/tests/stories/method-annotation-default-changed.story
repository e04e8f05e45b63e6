// The default of an annotation element is part of its method; annotated classes do not hold it (SPEC 2.3).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { int value() default 1; }
//- A.java
@Tag class A {}
//- rev 2
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { int value() default 2; }
//= Tag: CIM value()I blocks all
