// Runs test classes with JUnit 4, those in the style of JUnit 3 too.
package tamis.suite;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.junit.runner.Computer;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runners.ParentRunner;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.RunnerBuilder;
import org.junit.runners.model.RunnerScheduler;

/**
 * Arguments: file for the results, file with the names of the classes. The property {@code tamis.suite.threads} is how
 * many threads run them, if there is more than one.
 */
public final class Junit4 extends RunListener {
    private final Results results;
    private final Map<Description, Failure> failed = new HashMap<>();
    private final Map<Description, Failure> aborted = new HashMap<>();

    private Junit4(Results results) {
        this.results = results;
    }

    public static void main(String[] arguments) throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        for (String name : Results.names(arguments[1])) {
            Class<?> candidate = Class.forName(name, false, Junit4.class.getClassLoader());
            if (isTest(candidate)) {
                classes.add(candidate);
            }
        }
        JUnitCore core = new JUnitCore();
        core.addListener(new Junit4(new Results(arguments[0])));
        int threads = Integer.getInteger("tamis.suite.threads", 1);
        Computer computer = threads > 1 ? new Parallel(threads) : new Computer();
        boolean passed = core.run(computer, classes.toArray(new Class<?>[0])).wasSuccessful();
        System.exit(passed ? 0 : 1);
    }

    /** What a build tool takes for a test among the classes that are named like one. */
    private static boolean isTest(Class<?> candidate) {
        if (Modifier.isAbstract(candidate.getModifiers())) {
            return false;
        }
        if (junit.framework.Test.class.isAssignableFrom(candidate)
                || candidate.isAnnotationPresent(RunWith.class)) {
            return true;
        }
        for (Method method : candidate.getMethods()) {
            boolean isSuite = method.getName().equals("suite")
                    && Modifier.isStatic(method.getModifiers());
            if (isSuite || method.isAnnotationPresent(Test.class)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void testFailure(Failure failure) {
        failed.put(failure.getDescription(), failure);
        if (!failure.getDescription().isTest()) {
            write(failure.getDescription());
        }
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        aborted.put(failure.getDescription(), failure);
        if (!failure.getDescription().isTest()) {
            write(failure.getDescription());
        }
    }

    @Override
    public void testIgnored(Description description) {
        results.add(description.getDisplayName(), "skipped", null);
    }

    @Override
    public void testFinished(Description description) {
        write(description);
    }

    private void write(Description description) {
        Failure failure = failed.remove(description);
        Failure assumption = aborted.remove(description);
        if (failure != null) {
            results.add(description.getDisplayName(), "failed", failure.getException());
        } else if (assumption != null) {
            results.add(description.getDisplayName(), "aborted", assumption.getException());
        } else {
            results.add(description.getDisplayName(), "passed", null);
        }
    }

    /** Classes by several threads, each class by one. */
    private static final class Parallel extends Computer implements RunnerScheduler {
        private final ExecutorService pool;

        private Parallel(int threads) {
            pool = Executors.newFixedThreadPool(threads);
        }

        @Override
        public Runner getSuite(RunnerBuilder builder, Class<?>[] classes)
                throws InitializationError {
            Runner suite = super.getSuite(builder, classes);
            ((ParentRunner<?>) suite).setScheduler(this);
            return suite;
        }

        @Override
        public void schedule(Runnable child) {
            pool.execute(child);
        }

        @Override
        public void finished() {
            pool.shutdown();
            try {
                pool.awaitTermination(Long.MAX_VALUE, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                // A test has interrupted the thread that waits for all of them.
                throw new IllegalStateException(e);
            }
        }
    }
}
