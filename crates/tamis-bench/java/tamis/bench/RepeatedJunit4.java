package tamis.bench;

import org.junit.runner.JUnitCore;

/** {@link Repeated} with JUnit 4. */
public final class RepeatedJunit4 {
    public static void main(String[] arguments) throws Exception {
        Repeated.repeat(arguments, classes -> {
            if (!new JUnitCore().run(classes).wasSuccessful()) {
                throw new AssertionError("an empty test failed");
            }
        });
    }
}
