// A goal that is about to run tests, as the process that started Maven is told of it.
package tamis.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.execution.MojoExecutionEvent;
import org.apache.maven.model.Dependency;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** Where its files lie, and checksums over all else that can change what its tests see. */
final class TestTask {
    /** Settings that count by the values they have now, wherever these come from. */
    private static final String[] SETTINGS = {
        "getDebugForkedProcess",
        "getDependenciesToScan",
        "getEnvironmentVariables",
        "getExcludeJUnit5Engines",
        "getExcludedEnvironmentVariables",
        "getExcludedGroups",
        "getExcludes",
        "getExcludesFile",
        "getForkCount",
        "getForkMode",
        "getForkedProcessExitTimeoutInSeconds",
        "getForkedProcessTimeoutInSeconds",
        "getGroups",
        "getIncludeJUnit5Engines",
        "getIncludes",
        "getIncludesFile",
        "getJdkToolchain",
        "getJunitArtifactName",
        "getJvm",
        "getObjectFactory",
        "getParallel",
        "getParallelTestsTimeoutForcedInSeconds",
        "getParallelTestsTimeoutInSeconds",
        "getPerCoreThreadCount",
        "getProperties",
        "getRerunFailingTestsCount",
        "getRunOrder",
        "getRunOrderRandomSeed",
        "getShutdown",
        "getSkipAfterFailureCount",
        "getSuiteXmlFiles",
        "getSystemProperties",
        "getSystemPropertiesFile",
        "getTestNGArtifactName",
        "getThreadCount",
        "getThreadCountClasses",
        "getThreadCountMethods",
        "getThreadCountSuites",
        "getUseUnlimitedThreads",
        "getWorkingDirectory",
        "isChildDelegation",
        "isEnableAssertions",
        "isParallelOptimized",
        "isRedirectTestOutputToFile",
        "isReuseForks",
        "isTrimStackTrace",
        "isUseManifestOnlyJar",
        "isUseSystemClassLoader",
        "useModulePath",
    };

    /** Parameters that no test sees: they choose tests, or say what becomes of their failures. */
    private static final Set<String> UNSEEN_PARAMETERS =
            setOf(
                    "failIfNoSpecifiedTests",
                    "failIfNoSpecifiedTestsDeprecated",
                    "failIfNoTests",
                    "skip",
                    "skipExec",
                    "skipITs",
                    "skipTests",
                    "test",
                    "testFailureIgnore");

    /** The user's properties that set these; and the one that brings extensions into Maven. */
    private static final Set<String> UNSEEN_PROPERTIES =
            setOf(
                    "failIfNoTests",
                    "failsafe.failIfNoSpecifiedTests",
                    "it.failIfNoSpecifiedTests",
                    "it.test",
                    "maven.ext.class.path",
                    "maven.test.failure.ignore",
                    "maven.test.skip",
                    "maven.test.skip.exec",
                    "skipITs",
                    "skipTests",
                    "surefire.failIfNoSpecifiedTests",
                    "test");

    /** The user's properties by which some tests are asked for, beside those that name them. */
    private static final Set<String> FILTERS =
            setOf(
                    "dependenciesToScan",
                    "excludedGroups",
                    "failsafe.excludeJUnit5Engines",
                    "failsafe.excludes",
                    "failsafe.excludesFile",
                    "failsafe.includeJUnit5Engines",
                    "failsafe.includes",
                    "failsafe.includesFile",
                    "failsafe.suiteXmlFiles",
                    "groups",
                    "surefire.excludeJUnit5Engines",
                    "surefire.excludes",
                    "surefire.excludesFile",
                    "surefire.includeJUnit5Engines",
                    "surefire.includes",
                    "surefire.includesFile",
                    "surefire.suiteXmlFiles");

    private final MavenSession session;
    private final MavenProject project;
    private final MojoExecution execution;
    private final TestMojo mojo;

    TestTask(MojoExecutionEvent event, TestMojo mojo) {
        this.session = event.getSession();
        this.project = event.getProject();
        this.execution = event.getExecution();
        this.mojo = mojo;
    }

    static String moduleOf(MavenProject project) {
        return project.getGroupId() + ":" + project.getArtifactId();
    }

    Message message() throws Exception {
        Set<String> built = new TreeSet<>();
        Set<String> sources = new TreeSet<>();
        List<MavenProject> reactor = session.getAllProjects();
        for (MavenProject module : reactor == null ? session.getProjects() : reactor) {
            built.add(absolute(module.getBuild().getDirectory()));
            module.getCompileSourceRoots().forEach(root -> sources.add(absolute(root)));
            module.getTestCompileSourceRoots().forEach(root -> sources.add(absolute(root)));
        }
        return Message.before()
                .text(moduleOf(project))
                .text(execution.getExecutionId())
                .text(execution.getGoal())
                .text(absolute(mojo.java()))
                .text(project.getBasedir().getAbsolutePath())
                .texts(built)
                .texts(sources)
                .text(absolute(project.getBuild().getOutputDirectory()))
                .text(mojo.testClasses().getAbsolutePath())
                .flag(!mojo.list("getDependenciesToScan").isEmpty())
                .texts(classPath())
                .flag(isFiltered())
                .flag(mojo.failsWithoutTests())
                .checksum(configuration())
                .checksums(properties());
    }

    /** As Surefire puts it together, with what it would take out of it at the end. */
    private List<String> classPath() throws Exception {
        List<String> path = new ArrayList<>();
        path.add(mojo.testClasses().getAbsolutePath());
        path.add(mojo.mainClasses(project).getAbsolutePath());
        List<String> dependencies = new ArrayList<>(project.getTestClasspathElements());
        dependencies.remove(project.getBuild().getTestOutputDirectory());
        dependencies.remove(project.getBuild().getOutputDirectory());
        dependencies.forEach(element -> path.add(absolute(element)));
        for (Object element : mojo.list("getAdditionalClasspathElements")) {
            path.add(absolute(String.valueOf(element)));
        }
        for (Object pattern : mojo.list("getClasspathDependencyExcludes")) {
            path.add("exclude=" + pattern);
        }
        Object scope = mojo.get("getClasspathDependencyScopeExclude");
        if (scope != null && !scope.toString().isEmpty()) {
            path.add("exclude-scope=" + scope);
        }
        return path;
    }

    private boolean isFiltered() throws Exception {
        return mojo.asksForTests()
                || !Collections.disjoint(session.getUserProperties().stringPropertyNames(), FILTERS);
    }

    /** What the plug-in is set to, before anything of ours is among it. */
    private byte[] configuration() throws Exception {
        Fingerprint fingerprint = new Fingerprint();
        fingerprint.add("plugin", execution.getGroupId() + ":" + execution.getArtifactId());
        fingerprint.add("version", execution.getVersion());
        fingerprint.add("goal", execution.getGoal());
        List<String> dependencies = new ArrayList<>();
        for (Dependency dependency : execution.getPlugin().getDependencies()) {
            dependencies.add(dependency.getManagementKey() + ":" + dependency.getVersion());
        }
        fingerprint.add("dependencies", dependencies);
        fingerprint.add("java", mojo.java());
        fingerprint.add("repository", session.getLocalRepository().getBasedir());
        fingerprint.add("argLine", mojo.argLine(project.getModel().getProperties()));
        for (String getter : SETTINGS) {
            fingerprint.add(getter, mojo.get(getter));
        }
        // Parameters of which this class knows nothing count as they are written.
        Xpp3Dom written = execution.getConfiguration();
        for (Xpp3Dom parameter : written == null ? new Xpp3Dom[0] : written.getChildren()) {
            String name = parameter.getName();
            boolean isTold =
                    name.equals("systemPropertyVariables") && !configuredProperties().isEmpty();
            if (!isTold && !UNSEEN_PARAMETERS.contains(name)) {
                fingerprint.add("written", parameter);
            }
        }
        return fingerprint.toChecksum();
    }

    /** The properties that tests are given; those of the user win. */
    private Map<String, byte[]> properties() throws Exception {
        Map<String, byte[]> told = new TreeMap<>();
        for (Map.Entry<?, ?> entry : configuredProperties().entrySet()) {
            String name = String.valueOf(entry.getKey());
            told.put(name, new Fingerprint().add(name, entry.getValue()).toChecksum());
        }
        Properties user = session.getUserProperties();
        for (String name : user.stringPropertyNames()) {
            if (!UNSEEN_PROPERTIES.contains(name)) {
                told.put(name, new Fingerprint().add(name, user.getProperty(name)).toChecksum());
            }
        }
        return told;
    }

    /** None, too, if this version of the plug-in has no way to ask for them: then they count as they are written. */
    private Map<?, ?> configuredProperties() throws Exception {
        Object configured = mojo.get("getSystemPropertyVariables");
        return configured instanceof Map ? (Map<?, ?>) configured : Collections.emptyMap();
    }

    private static String absolute(String path) {
        return new File(path).getAbsolutePath();
    }

    private static Set<String> setOf(String... names) {
        return new HashSet<>(Arrays.asList(names));
    }
}
