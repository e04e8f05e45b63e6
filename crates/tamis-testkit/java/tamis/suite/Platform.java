// Runs test classes with whatever engines of the JUnit Platform are on the class path.
package tamis.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Arguments: file for the results, file with the names of the classes. */
public final class Platform implements TestExecutionListener {
    private final Results results;
    /** Several threads may run tests. */
    private volatile boolean hasFailed;

    private Platform(Results results) {
        this.results = results;
    }

    public static void main(String[] arguments) throws Exception {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String name : Results.names(arguments[1])) {
            selectors.add(DiscoverySelectors.selectClass(name));
        }
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        Launcher launcher = LauncherFactory.create();
        Platform listener = new Platform(new Results(arguments[0]));
        launcher.execute(request, listener);
        System.exit(listener.hasFailed ? 1 : 0);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        results.add(test.getUniqueId(), "skipped", null);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        TestExecutionResult.Status status = result.getStatus();
        if (status == TestExecutionResult.Status.FAILED) {
            hasFailed = true;
        }
        if (test.isTest() || status != TestExecutionResult.Status.SUCCESSFUL) {
            String name = status.name().toLowerCase(Locale.ROOT).replace("successful", "passed");
            results.add(test.getUniqueId(), name, result.getThrowable().orElse(null));
        }
    }
}
