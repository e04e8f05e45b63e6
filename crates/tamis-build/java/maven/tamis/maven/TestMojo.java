// A goal that runs tests, as all versions of Surefire and Failsafe have it.
package tamis.maven;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;

/**
 * The configured goal, seen by reflection: the plug-in has its own class loader, and each version of it
 * has other parameters. What a version does not have is nothing.
 */
final class TestMojo {
    private final Object mojo;

    TestMojo(Object mojo) {
        this.mojo = mojo;
    }

    boolean isSkipped() throws Exception {
        return Boolean.TRUE.equals(get("isSkipExecution"));
    }

    boolean canSkip() {
        return method("setSkipTests", boolean.class) != null || declaredField("skipTests") != null;
    }

    /** Keeps the goal from running tests, or from looking at their results. Old plug-ins have only the field. */
    void skip() throws Exception {
        Method setter = method("setSkipTests", boolean.class);
        if (setter != null) {
            setter.invoke(mojo, true);
        } else {
            declaredField("skipTests").set(mojo, true);
        }
    }

    boolean takesArgLine() {
        return method("getArgLine") != null && method("setArgLine", String.class) != null;
    }

    /** What the user or another plug-in has put into the line stays, behind the option. */
    void prependToArgLine(String option) throws Exception {
        Object line = get("getArgLine");
        method("setArgLine", String.class).invoke(mojo, line == null ? option : option + " " + line);
    }

    /** The line with properties put in as Surefire will do it. */
    String argLine(Properties properties) throws Exception {
        Object line = get("getArgLine");
        String resolved = line == null ? "" : line.toString();
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            String value = properties.getProperty(name, "");
            resolved = resolved.replace("@{" + name + "}", value);
        }
        return resolved;
    }

    /** Whether tests run in JVMs of their own. */
    boolean forks() throws Exception {
        return forkSetting() == null;
    }

    /** The setting by which tests run inside Maven, if they do. */
    String forkSetting() throws Exception {
        Object mode = get("getForkMode");
        if ("never".equals(mode) || "none".equals(mode)) {
            return toolchain() == null ? "forkMode=" + mode : null;
        }
        Object count = get("getForkCount");
        boolean isZero = count != null && count.toString().trim().matches("[0.]+[cC]?");
        return isZero && (mode == null || mode.equals("once")) ? "forkCount=" + count : null;
    }

    /** Orders that need the times of earlier runs, which Surefire finds by its configuration's hash. */
    boolean keepsHistory() throws Exception {
        String order = runOrder();
        return order.contains("balanced") || order.contains("failedfirst");
    }

    String runOrder() throws Exception {
        return String.valueOf(get("getRunOrder"));
    }

    /** The launcher of the test JVMs. */
    String java() throws Exception {
        Object jvm = get("getJvm");
        if (jvm != null && !jvm.toString().isEmpty()) {
            return new File(jvm.toString()).getAbsolutePath();
        }
        Toolchain toolchain = toolchain();
        String tool = toolchain == null ? null : toolchain.findTool("java");
        if (tool != null && !tool.isEmpty()) {
            return tool;
        }
        return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    }

    /** A hash over the configuration, which the plug-in knows it by. */
    String configuration() throws Exception {
        return (String) get("getConfigChecksum");
    }

    /** What test JVMs find in the environment beside what Maven found; changes reach them. */
    @SuppressWarnings("unchecked")
    Map<String, String> environment() throws Exception {
        return (Map<String, String>) get("getEnvironmentVariables");
    }

    boolean excludesFromEnvironment(String name) throws Exception {
        return list("getExcludedEnvironmentVariables").contains(name);
    }

    /** Where tests are looked for. */
    File testClasses() throws Exception {
        return (File) get("getTestClassesDirectory");
    }

    /** The directory or archive of what is tested. */
    File mainClasses(MavenProject project) throws Exception {
        Object path = get("getMainBuildPath");
        path = path == null ? get("getClassesDirectory") : path;
        return path == null ? new File(project.getBuild().getOutputDirectory()) : (File) path;
    }

    /** Whether some tests are named. */
    boolean asksForTests() throws Exception {
        Object test = get("getTest");
        return test != null && !test.toString().trim().isEmpty();
    }

    /** Whether it is a failure that no test runs. */
    boolean failsWithoutTests() throws Exception {
        Object always = get("getFailIfNoTests");
        if (!asksForTests()) {
            return Boolean.TRUE.equals(always);
        }
        Object specified = get("getFailIfNoSpecifiedTests");
        Object first = specified == null ? always : specified;
        return first == null || Boolean.TRUE.equals(first);
    }

    /** The elements of a setting that has several, or none. */
    List<?> list(String getter) throws Exception {
        Object value = get(getter);
        if (value instanceof Object[]) {
            return Arrays.asList((Object[]) value);
        }
        return value instanceof List ? (List<?>) value : Collections.emptyList();
    }

    private Toolchain toolchain() throws Exception {
        return get("getToolchainManager") == null ? null : (Toolchain) get("getToolchain");
    }

    /** What a getter returns; nothing if this version has none. */
    Object get(String name) throws Exception {
        Method method = method(name);
        return method == null ? null : method.invoke(mojo);
    }

    /** What a field holds; nothing if this version has none. */
    Object field(String name) throws Exception {
        Field field = declaredField(name);
        return field == null ? null : field.get(mojo);
    }

    /** The field of whatever visibility, or nothing. */
    private Field declaredField(String name) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException missing) {
                continue;
            }
        }
        return null;
    }

    /** The method of whatever visibility, or nothing. */
    private Method method(String name, Class<?>... parameters) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Method method = type.getDeclaredMethod(name, parameters);
                method.setAccessible(true);
                return method;
            } catch (NoSuchMethodException missing) {
                continue;
            }
        }
        return null;
    }
}
