import java.util.ArrayList;
import org.junit.runner.Description;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

/** Runners that break the rules. */
public class Strange {
    public abstract static class Base extends Runner {
        final Class<?> tests;

        Base(Class<?> tests) {
            this.tests = tests;
        }

        @Override public Description getDescription() {
            return Description.createSuiteDescription(tests);
        }

        @Override public void run(RunNotifier notifier) {
            System.err.println(tests.getName() + " runs");
        }
    }

    /** Whether a native method asks, and not JUnit. */
    static boolean isAskedByAgent() {
        StackTraceElement[] frames = new Throwable().getStackTrace();
        return frames[2].getMethodName().equals("skipsRunner");
    }

    @RunWith(NoDescriptionRunner.class)
    public static class NoDescription {}

    public static class NoDescriptionRunner extends Base {
        public NoDescriptionRunner(Class<?> tests) {
            super(tests);
        }

        @Override public Description getDescription() {
            return isAskedByAgent() ? null : super.getDescription();
        }
    }

    @RunWith(ShyDescriptionRunner.class)
    public static class ShyDescription {}

    public static class ShyDescriptionRunner extends Base {
        public ShyDescriptionRunner(Class<?> tests) {
            super(tests);
        }

        @Override public Description getDescription() {
            if (isAskedByAgent()) {
                throw new IllegalStateException("not to you");
            }
            return super.getDescription();
        }
    }

    @RunWith(ThrowingDescriptionRunner.class)
    public static class ThrowingDescription {}

    public static class ThrowingDescriptionRunner extends Base {
        private int asked;

        public ThrowingDescriptionRunner(Class<?> tests) {
            super(tests);
        }

        @Override public Description getDescription() {
            if (asked++ > 0) {
                throw new IllegalStateException("asked too often");
            }
            return super.getDescription();
        }
    }

    @RunWith(ChangingDescriptionRunner.class)
    public static class ChangingDescription {}

    /** Each time it is asked it has other tests, and it runs yet another one. */
    public static class ChangingDescriptionRunner extends Base {
        private int asked;

        public ChangingDescriptionRunner(Class<?> tests) {
            super(tests);
        }

        @Override public Description getDescription() {
            Description all = super.getDescription();
            all.addChild(Description.createTestDescription(tests, "test" + asked++));
            return all;
        }

        @Override public void run(RunNotifier notifier) {
            Description test = Description.createTestDescription(tests, "unheardOf");
            notifier.fireTestStarted(test);
            notifier.fireTestFailure(new Failure(test, new AssertionError()));
            notifier.fireTestFinished(test);
        }
    }

    @RunWith(DeepDescriptionRunner.class)
    public static class DeepDescription {}

    /** Its description is deeper than any stack, once JUnit itself has looked at it. */
    public static class DeepDescriptionRunner extends Base {
        private int asked;

        public DeepDescriptionRunner(Class<?> tests) {
            super(tests);
        }

        @Override public Description getDescription() {
            Description all = super.getDescription();
            if (asked++ == 0) {
                return all;
            }
            Description above = all;
            for (int depth = 0; depth < 100_000; depth++) {
                Description below = Description.createSuiteDescription("level " + depth);
                above.addChild(below);
                above = below;
            }
            return all;
        }
    }

    @RunWith(NullNotificationsRunner.class)
    public static class NullNotifications {}

    public static class NullNotificationsRunner extends Base {
        public NullNotificationsRunner(Class<?> tests) {
            super(tests);
        }

        @Override public void run(RunNotifier notifier) {
            for (Runnable call : new ArrayList<Runnable>() {{
                add(() -> notifier.fireTestStarted(null));
                add(() -> notifier.fireTestFailure(null));
                add(() -> notifier.fireTestAssumptionFailed(null));
                add(() -> notifier.fireTestIgnored(null));
                add(() -> notifier.fireTestFinished(null));
            }}) {
                try {
                    call.run();
                } catch (NullPointerException e) {
                    System.err.println("null");
                }
            }
        }
    }

    @RunWith(ManyRunner.class)
    public static class Many {}

    public static class ManyRunner extends Base {
        private static final int N_TESTS = Integer.getInteger("tests", 300);

        public ManyRunner(Class<?> tests) {
            super(tests);
        }

        @Override public Description getDescription() {
            Description all = super.getDescription();
            for (int number = 0; number < N_TESTS; number++) {
                all.addChild(Description.createTestDescription(tests, "test" + number));
            }
            return all;
        }

        @Override public void run(RunNotifier notifier) {
            for (Description test : getDescription().getChildren()) {
                notifier.fireTestStarted(test);
                notifier.fireTestFinished(test);
            }
        }
    }
}
