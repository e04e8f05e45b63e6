// What Maven calls: at the start of a build, and before each goal of a plug-in.
package tamis.maven;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.MojoExecution;

/**
 * Puts the agent into the test JVMs that Surefire and Failsafe start. Where that cannot be done,
 * nothing is changed and a note says why. It never prints, and nothing it meets fails the build.
 */
@Named
@Singleton
public final class TamisExtension extends AbstractMavenLifecycleParticipant
        implements MojoExecutionListener {
    private final Run run = new Run();

    /** The first label for each configuration of a plug-in in a module. */
    private final Map<String, String> labels = new ConcurrentHashMap<>();

    @Override
    public void afterSessionStart(MavenSession session) {
        try {
            run.note("loaded", "", "", "");
            run.hideFrom(session);
        } catch (Throwable failure) {
            run.note("failed", "", "", failure.toString());
        }
    }

    @Override
    public void beforeMojoExecution(MojoExecutionEvent event) {
        String module = "";
        String id = "";
        try {
            MojoExecution execution = event.getExecution();
            if (!runsTests(execution)) {
                return;
            }
            module = event.getProject().getGroupId() + ":" + event.getProject().getArtifactId();
            id = execution.getExecutionId();
            TestMojo mojo = new TestMojo(event.getMojo());
            String[] reason = reasonToLeaveAlone(mojo, execution);
            String label = labelOf(module, execution, mojo.configuration());
            if (mojo.forks() && !mojo.keepsHistory()) {
                run.restoreEnvironment(mojo);
            }
            if (reason == null) {
                mojo.prependToArgLine(run.agentOption(label));
            } else {
                run.note(reason[0], module, id, reason[1]);
            }
        } catch (Throwable failure) {
            run.note("failed", module, id, failure.toString());
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}

    private static boolean runsTests(MojoExecution execution) {
        String goal = execution.getArtifactId() + ":" + execution.getGoal();
        return "org.apache.maven.plugins".equals(execution.getGroupId())
                && (goal.equals("maven-surefire-plugin:test")
                        || goal.equals("maven-failsafe-plugin:integration-test"));
    }

    /** The kind and the text of a note, or nothing where the agent can be added. */
    private String[] reasonToLeaveAlone(TestMojo mojo, MojoExecution execution) throws Exception {
        if (mojo.isSkipped()) {
            return new String[] {"skipped", ""};
        }
        if (!mojo.takesArgLine()) {
            String plugin = execution.getArtifactId() + ":" + execution.getVersion();
            return new String[] {"unknown-plugin", plugin};
        }
        if (!mojo.forks()) {
            return new String[] {"inside-maven", mojo.forkSetting()};
        }
        if (mojo.keepsHistory()) {
            return new String[] {"keeps-history", mojo.runOrder()};
        }
        if (!run.isProven(mojo.java())) {
            return new String[] {"unproven-jvm", mojo.java()};
        }
        return run.canNameAgent() ? null : new String[] {"unusable-path", run.agent()};
    }

    /**
     * In hexadecimal digits, since it is part of an option. Surefire does not run an execution whose
     * configuration is that of an earlier one; so that it stays the same, both have one label.
     */
    private String labelOf(String module, MojoExecution execution, String configuration) {
        String own = hex(module + "\n" + execution.getExecutionId());
        String key = module + "\n" + execution.getArtifactId() + "\n" + configuration;
        String first = configuration == null ? null : labels.putIfAbsent(key, own);
        return first == null ? own : first;
    }

    private static String hex(String text) {
        StringBuilder digits = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            digits.append(Character.forDigit(b >> 4 & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
        }
        return digits.toString();
    }
}
