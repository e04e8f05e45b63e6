// Annotations of record components belong to the head (DESIGN 2, head).
//- javac 17+ -g
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.RECORD_COMPONENT) @interface Tag { int value(); }
//- R.java
record R(@Tag(1) int x) {}
//- rev 2
//- R.java
record R(@Tag(2) int x) {}
//= R: CH
