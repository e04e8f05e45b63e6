// Runs one test class and prints what happens, without the times that frameworks print.

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Arguments: the framework and the class. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("junit4")) {
            JUnitCore core = new JUnitCore();
            core.addListener(new OldListener());
            Result result = core.run(Class.forName(arguments[1]));
            System.exit(result.getFailureCount());
        } else {
            LauncherFactory.create().execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(DiscoverySelectors.selectClass(arguments[1])).build(),
                    new NewListener());
        }
    }

    static final class OldListener extends RunListener {
        @Override
        public void testStarted(Description description) {
            System.out.println("started " + description);
        }

        @Override
        public void testIgnored(Description description) {
            System.out.println("ignored " + description);
        }

        @Override
        public void testFailure(Failure failure) {
            System.out.println("failed " + failure);
            failure.getException().printStackTrace();
        }

        @Override
        public void testFinished(Description description) {
            System.out.println("finished " + description);
        }

        @Override
        public void testRunFinished(Result result) {
            System.out.println(result.getRunCount() + " " + result.getFailureCount());
        }
    }

    static final class NewListener implements TestExecutionListener {
        @Override
        public void executionStarted(TestIdentifier test) {
            System.out.println("started " + test.getUniqueId());
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            System.out.println("skipped " + test.getUniqueId() + " " + reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            System.out.println("finished " + test.getUniqueId() + " " + result.getStatus());
            result.getThrowable().ifPresent(Throwable::printStackTrace);
        }
    }
}
