// Run-time annotations of fields go with the head: frameworks act on them before any code runs (SPEC 2.4).
//- rev 1
//- Tag.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Tag { int value(); }
//- A.java
class A { @Tag(1) int x; }
//- rev 2
//- A.java
class A { @Tag(2) int x; }
//= A: CH
