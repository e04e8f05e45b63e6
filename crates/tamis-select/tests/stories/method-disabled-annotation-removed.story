// A test whose `@Disabled` goes has never run: its method changes, and what reflection lists of the class (DESIGN 2, members).
//- rev 1
//- Disabled.java
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Disabled { String value() default ""; }
//- ATest.java
class ATest { @Disabled("flaky") void test() { assert 1 + 1 == 2; } }
//- rev 2
//- ATest.java
class ATest { void test() { assert 1 + 1 == 2; } }
//= ATest: CIM test()V blocks all
