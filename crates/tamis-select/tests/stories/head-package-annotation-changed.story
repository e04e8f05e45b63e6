// Annotations of a package are those of its `package-info` class (DESIGN 2, head).
//- rev 1
//- p/Tag.java
package p;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { int value(); }
//- p/package-info.java
@Tag(1) package p;
//- rev 2
//- p/package-info.java
@Tag(2) package p;
//= p/package-info: CH
