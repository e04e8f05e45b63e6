// What Maven calls: at the start of a build, before each goal of a plug-in, and after it.
package tamis.maven;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.inject.Named;
import javax.inject.Singleton;
import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.eventspy.EventSpy;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.execution.MojoExecutionListener;
import org.apache.maven.plugin.MojoExecution;

/**
 * Puts the agent into the test JVMs that Surefire and Failsafe start, unless the process that started
 * Maven says that no test has to run. Where that cannot be done, nothing is changed and a note says why.
 * It never prints, and nothing it meets fails the build.
 */
@Named
@Singleton
public final class TamisExtension extends AbstractMavenLifecycleParticipant
        implements MojoExecutionListener, EventSpy {
    private static final String TEST = "maven-surefire-plugin:test";
    private static final String INTEGRATION_TEST = "maven-failsafe-plugin:integration-test";
    private static final String VERIFY = "maven-failsafe-plugin:verify";
    private static final List<String> GOALS = Arrays.asList(TEST, INTEGRATION_TEST, VERIFY);

    private final Run run = new Run();

    /** The first label for each configuration of a plug-in in a module. */
    private final Map<String, String> labels = new ConcurrentHashMap<>();

    /** The labels of goals that were to be skipped. */
    private final Set<String> skipped = ConcurrentHashMap.newKeySet();

    /** Goals that the process was told of and that have not ended, by identity. */
    private final Set<Object> told =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** Of files to which integration tests write their results: whether all who would were skipped. */
    private final Map<Object, Boolean> isOld = new ConcurrentHashMap<>();

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
            String goal = goalOf(event.getExecution());
            if (!GOALS.contains(goal)) {
                return;
            }
            module = TestTask.moduleOf(event.getProject());
            id = event.getExecution().getExecutionId();
            TestMojo mojo = new TestMojo(event.getMojo());
            if (goal.equals(VERIFY)) {
                beforeVerify(mojo);
                return;
            }
            boolean isSkipped = beforeTests(module, event, mojo);
            Object summary = mojo.field("summaryFile");
            if (summary != null) {
                isOld.merge(summary, isSkipped, Boolean::logicalAnd);
            }
        } catch (Throwable failure) {
            run.note("failed", module, id, failure.toString());
        }
    }

    /** Goals that failed are told here alone: as listeners of goals have it, they never end. */
    @Override
    public void onEvent(Object event) {
        if (event instanceof ExecutionEvent) {
            ExecutionEvent execution = (ExecutionEvent) event;
            if (execution.getType() == ExecutionEvent.Type.MojoSucceeded) {
                afterTests(execution, true);
            } else if (execution.getType() == ExecutionEvent.Type.MojoFailed) {
                afterTests(execution, false);
            }
        }
    }

    @Override
    public void afterMojoExecutionSuccess(MojoExecutionEvent event) {}

    @Override
    public void afterExecutionFailure(MojoExecutionEvent event) {}

    @Override
    public void init(Context context) {}

    @Override
    public void close() {}

    private static String goalOf(MojoExecution execution) {
        boolean isMavens = "org.apache.maven.plugins".equals(execution.getGroupId());
        return isMavens ? execution.getArtifactId() + ":" + execution.getGoal() : "";
    }

    /** Whether the tests are skipped, since the process has said so. */
    private boolean beforeTests(String module, MojoExecutionEvent event, TestMojo mojo)
            throws Exception {
        MojoExecution execution = event.getExecution();
        String[] reason = reasonToLeaveAlone(mojo, execution);
        String own = hex(module + "\n" + execution.getExecutionId());
        String first = firstLabel(module, execution, mojo.configuration(), own);
        String label = first == null ? own : first;
        if (reason != null) {
            run.note(reason[0], module, execution.getExecutionId(), reason[1]);
        }
        boolean isToSkip =
                reason == null
                        && (first == null ? isToSkip(module, event, mojo) : skipped.contains(label));
        // Whoever only asks starts no test, not even one that could not be watched.
        if (isToSkip || run.onlyAsks() && mojo.canSkip()) {
            mojo.skip();
            skipped.add(label);
            return true;
        }
        if (mojo.forks() && !mojo.keepsHistory()) {
            run.restoreEnvironment(mojo);
        }
        if (reason == null) {
            mojo.prependToArgLine(run.agentOption(label));
        }
        return false;
    }

    /**
     * The goal reads what the last run of integration tests wrote. If none ran, that is from an earlier
     * build. Files that are listed beside it may be anybody's.
     */
    private void beforeVerify(TestMojo verify) throws Exception {
        Object summary = verify.field("summaryFile");
        boolean readsOthers = verify.field("summaryFiles") != null;
        if (summary != null && !readsOthers && Boolean.TRUE.equals(isOld.get(summary))) {
            verify.skip();
        }
    }

    private boolean isToSkip(String module, MojoExecutionEvent event, TestMojo mojo) {
        if (run.host() == null) {
            return false;
        }
        try {
            Message task = new TestTask(event, mojo).message();
            told.add(event.getExecution());
            return run.host().ask(task, Host.RUN, Host.SKIP) == Host.SKIP && mojo.canSkip();
        } catch (Throwable failure) {
            run.note("unanswered", module, event.getExecution().getExecutionId(), failure.toString());
            return false;
        }
    }

    private void afterTests(ExecutionEvent event, boolean isGreen) {
        if (!told.remove(event.getMojoExecution())) {
            return;
        }
        String module = TestTask.moduleOf(event.getProject());
        String id = event.getMojoExecution().getExecutionId();
        try {
            run.host().ask(Message.after(module, id, isGreen), Host.HEARD);
        } catch (Throwable failure) {
            run.note("unanswered", module, id, failure.toString());
        }
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
     * The label of an earlier execution of the same configuration, if there is one. Surefire does not run
     * such an execution again. So that it stays the same, both have one label, and one answer.
     */
    private String firstLabel(
            String module, MojoExecution execution, String configuration, String own) {
        String key = module + "\n" + execution.getArtifactId() + "\n" + configuration;
        return configuration == null ? null : labels.putIfAbsent(key, own);
    }

    /** In hexadecimal digits, since it is part of an option. */
    private static String hex(String text) {
        StringBuilder digits = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            digits.append(Character.forDigit(b >> 4 & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
        }
        return digits.toString();
    }
}
