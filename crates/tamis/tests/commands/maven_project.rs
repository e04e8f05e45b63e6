//! Small projects for Maven whose tests write down what they see of their JVM.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

/// Writes what a test sees to a file that is named after the execution of the plug-in and the test.
const SEEN: &str = r#"
package shop;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.Map;
import java.util.TreeMap;
class Seen {
    static void write(Class<?> test) throws Exception {
        String file = System.getProperty("seen") + "-" + test.getSimpleName() + ".txt";
        RuntimeMXBean jvm = ManagementFactory.getRuntimeMXBean();
        try (PrintWriter out = new PrintWriter(file)) {
            for (Map.Entry<?, ?> e : new TreeMap<Object, Object>(System.getProperties()).entrySet()) {
                out.println("property " + e.toString().replace("\n", "\\n"));
            }
            for (Map.Entry<?, ?> e : new TreeMap<Object, Object>(System.getenv()).entrySet()) {
                out.println("variable " + e.toString().replace("\n", "\\n"));
            }
            for (String argument : jvm.getInputArguments()) {
                out.println("argument " + argument);
            }
            out.println("pid " + jvm.getName().split("@")[0]);
        }
    }
}
"#;

/// A test class whose one test looks around and asserts something.
fn test_class(name: &str, assertion: &str) -> String {
    format!(
        "package shop;
        public class {name} {{
            @org.junit.Test
            public void runs() throws Exception {{
                Seen.write({name}.class);
                org.junit.Assert.{assertion};
            }}
        }}"
    )
}

/// The POM of a module with a test library and these plug-ins.
pub(crate) fn pom(module: &str, plugins: &str) -> String {
    format!(
        "<project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId><artifactId>{module}</artifactId><version>1</version>
          <properties>
            <maven.compiler.source>8</maven.compiler.source>
            <maven.compiler.target>8</maven.compiler.target>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencies><dependency>
            <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
            <scope>test</scope>
          </dependency></dependencies>
          <build><plugins>{plugins}</plugins></build>
        </project>"
    )
}

/// A plug-in that runs tests: its executions, each with its goal and what else it is configured with. Those whose
/// names differ behind a dot alone have the same configuration.
pub(crate) fn test_plugin(name: &str, version: &str, executions: &[(&str, &str, &str)]) -> String {
    let mut all = String::new();
    for (id, goal, configuration) in executions {
        let seen = id.split('.').next().unwrap();
        write!(
            all,
            "<execution><id>{id}</id><phase>integration-test</phase><goals><goal>{goal}</goal></goals>
             <configuration>
               <systemPropertyVariables><seen>${{project.basedir}}/seen/{seen}</seen></systemPropertyVariables>
               {configuration}
             </configuration></execution>"
        )
        .unwrap();
    }
    format!(
        "<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>{name}</artifactId>
         <version>{version}</version><executions>{all}</executions></plugin>"
    )
}

/// Surefire with several executions; `default-test` is the one that each module has anyway.
pub(crate) fn surefire(version: &str, executions: &[(&str, &str)]) -> String {
    let executions: Vec<_> = executions
        .iter()
        .map(|(id, configuration)| (*id, "test", *configuration))
        .collect();
    test_plugin("maven-surefire-plugin", version, &executions)
}

pub(crate) const JACOCO: &str = "
    <plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId>
    <version>0.8.12</version><executions><execution><goals><goal>prepare-agent</goal></goals></execution></executions>
    </plugin>";

pub(crate) fn write_module(sandbox: &Sandbox, module: &str, pom: &str, tests: &[&str]) {
    let sources = Path::new(module).join("src/test/java/shop");
    sandbox.write(Path::new(module).join("pom.xml"), pom.as_bytes());
    sandbox.write(sources.join("Seen.java"), SEEN.as_bytes());
    for name in tests {
        let assertion = if *name == "FailingTest" {
            "assertEquals(3, 1 + 1)"
        } else {
            "assertEquals(2, 1 + 1)"
        };
        let file = sources.join(format!("{name}.java"));
        sandbox.write(file, test_class(name, assertion).as_bytes());
    }
    fs::create_dir_all(sandbox.path(module).join("seen")).unwrap();
}
