//! Which programs are not tests: build tools, compilers and the JDK's own tools, told by the main
//! class. In them the agent does nothing at all.
//!
//! A build tool that runs tests in its own process is not watched either: everything runs then, and
//! nothing is recorded.

/// Beginnings of `sun.java.command`.
const BUILD_TOOLS: &[&str] = &[
    // Maven, its wrapper and its daemon.
    "org.codehaus.plexus.classworlds.launcher.Launcher",
    "org.codehaus.classworlds.Launcher",
    "org.apache.maven.",
    "org.mvndaemon.mvnd.",
    // Gradle; its test workers are `worker.org.gradle.process.internal.worker.GradleWorkerMain`.
    "org.gradle.launcher.",
    "org.gradle.wrapper.",
    // Ant; its JUnit task's own JVM is `org.apache.tools.ant.taskdefs.optional.junit.JUnitTestRunner`.
    "org.apache.tools.ant.launch.",
    "org.apache.tools.ant.Main",
    // Compilers' daemons.
    "org.jetbrains.kotlin.",
    "org.eclipse.jdt.internal.compiler.",
    // Tools of JDK 8.
    "com.sun.tools.",
    "sun.tools.",
    "sun.security.tools.",
    "sun.rmi.",
];

/// Jars that are started with `-jar`.
const BUILD_TOOL_JARS: &[&str] = &[
    "gradle-wrapper.jar",
    "gradle-launcher.jar",
    "maven-wrapper.jar",
];

/// Whether the agent has nothing to do in the JVM with this `sun.java.command`.
///
/// No command means that no program runs (`java -version`), or that the JVM is embedded in another
/// program.
pub(crate) fn is_no_test(command: Option<&[u8]>) -> bool {
    let Some(command) = command else { return true };
    let program = command
        .split(|byte| *byte == b' ')
        .next()
        .unwrap_or_default();
    let is_build_tool = BUILD_TOOLS
        .iter()
        .any(|tool| program.starts_with(tool.as_bytes()));
    let is_jar = |jar: &&str| {
        let before = program.strip_suffix(jar.as_bytes());
        before.is_some_and(|path| path.is_empty() || path.ends_with(b"/"))
    };
    program.is_empty()
        || is_build_tool
        || is_tool_of_jdk(program)
        || BUILD_TOOL_JARS.iter().any(is_jar)
}

/// From JDK 9 on a tool is a module and a class: `jdk.compiler/com.sun.tools.javac.Main`.
fn is_tool_of_jdk(program: &[u8]) -> bool {
    let Some(slash) = program.iter().position(|byte| *byte == b'/') else {
        return false;
    };
    let module = &program[..slash];
    module.starts_with(b"jdk.") || module.starts_with(b"java.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_tools_and_tools_of_the_jdk_are_no_tests() {
        for command in [
            "org.codehaus.plexus.classworlds.launcher.Launcher -q test",
            "org.gradle.launcher.daemon.bootstrap.GradleDaemon 8.14",
            "org.apache.tools.ant.launch.Launcher -cp  test",
            "jdk.compiler/com.sun.tools.javac.Main -d out A.java",
            "com.sun.tools.javac.Main A.java",
            "/home/a/gradle/wrapper/gradle-wrapper.jar test",
            "gradle-wrapper.jar",
            "",
        ] {
            assert!(is_no_test(Some(command.as_bytes())), "{command}");
        }
        assert!(is_no_test(None));
    }

    #[test]
    fn test_processes_of_build_tools_are_tests() {
        for command in [
            "worker.org.gradle.process.internal.worker.GradleWorkerMain 'Gradle Test Executor 1'",
            "/tmp/surefire1/surefirebooter2.jar /tmp/surefire1 a b",
            "org.apache.tools.ant.taskdefs.optional.junit.JUnitTestRunner ATest",
            "org.junit.runner.JUnitCore ATest",
            "shop/shop.Main",
            "not-gradle-wrapper.jar",
        ] {
            assert!(!is_no_test(Some(command.as_bytes())), "{command}");
        }
    }
}
