import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.RunWith;
import org.junit.runner.notification.RunListener;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.InitializationError;

/** Runs test classes one after the other, with a listener and with work in between. */
public class Listening {
    public static void main(String[] classes) throws Exception {
        JUnitCore core = new JUnitCore();
        core.addListener(new Counting());
        before();
        core.run(First.class);
        between();
        core.run(Second.class);
        after();
    }

    static void before() {}

    static void between() {}

    static void after() {}

    static class Counting extends RunListener {
        private boolean isSecond;

        @Override public void testRunStarted(Description description) {
            if (isSecond) {
                secondStarts();
            }
        }

        @Override public void testRunFinished(org.junit.runner.Result result) {
            isSecond = true;
        }

        void secondStarts() {}
    }

    @RunWith(Building.class)
    public static class First {
        @Test public void first() {}
    }

    public static class Second {
        @Test public void second() {}
    }

    public static class Building extends BlockJUnit4ClassRunner {
        public Building(Class<?> tests) throws InitializationError {
            super(tests);
            build();
        }

        void build() {}
    }
}
