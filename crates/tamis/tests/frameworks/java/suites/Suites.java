import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/** Suites of the JUnit Platform. */
public class Suites {
    @Suite
    @SelectClasses({First.class, Second.class})
    static class Both {}

    @Suite
    @SelectClasses(Both.class)
    static class Around {}

    static class First {
        @Test void first() {
            System.err.println("first");
        }
    }

    static class Second {
        @Test void second() {
            System.err.println("second");
        }
    }
}
