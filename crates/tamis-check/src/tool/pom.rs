//! The `pom.xml` of a project that a tool of others is run in.

use std::path::Path;

/// What differs from project to project.
pub(super) struct Pom<'a> {
    /// The directory with the oracle's classes.
    pub(super) oracle: &'a Path,
    pub(super) reports: &'a Path,
    pub(super) states: &'a Path,
    /// Set if Maven has something to compile.
    pub(super) sources: Option<Sources<'a>>,
}

/// What Maven needs to compile.
pub(super) struct Sources<'a> {
    /// The oracle as an archive.
    pub(super) oracle: &'a Path,
    /// The version of Java that sources are of, and class files.
    pub(super) java: u32,
}

impl Pom<'_> {
    pub(super) fn text(&self) -> String {
        let [mut properties, mut dependencies, mut plugins] = [const { String::new() }; 3];
        if let Some(sources) = &self.sources {
            properties = COMPILER.replace("@java@", &java_version(sources.java));
            dependencies = ORACLE.replace("@jar@", &escaped(sources.oracle));
            OPENCLOVER.clone_into(&mut plugins);
        }
        POM.replace("@properties@", &properties)
            .replace("@dependencies@", &dependencies)
            .replace("@plugins@", &plugins)
            .replace("@oracle@", &escaped(self.oracle))
            .replace("@reports@", &escaped(self.reports))
            .replace("@states@", &escaped(self.states))
    }
}

/// As javac calls it.
fn java_version(feature: u32) -> String {
    if feature < 9 {
        format!("1.{feature}")
    } else {
        feature.to_string()
    }
}

fn escaped(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// JUnit and Surefire in the newest versions that all of these tools run with (HyRTS fails with JUnit 4.13, Ekstazi with
/// Surefire 3). OpenClover looks for sources by what Surefire includes, so that names sources.
const POM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tamis.check</groupId>
  <artifactId>programs</artifactId>
  <version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>@properties@
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.12</version>
      <scope>test</scope>
    </dependency>@dependencies@
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>2.22.2</version>
        <configuration>
          <includes>
            <include>**/T*.java</include>
          </includes>
          <runOrder>alphabetical</runOrder>
          <trimStackTrace>true</trimStackTrace>
          <reportsDirectory>@reports@</reportsDirectory>
          <additionalClasspathElements>
            <additionalClasspathElement>@oracle@</additionalClasspathElement>
          </additionalClasspathElements>
          <systemPropertyVariables>
            <tamis.check.state>@states@</tamis.check.state>
          </systemPropertyVariables>
        </configuration>
      </plugin>@plugins@
    </plugins>
  </build>
</project>
"#;

const COMPILER: &str = "
    <maven.compiler.source>@java@</maven.compiler.source>
    <maven.compiler.target>@java@</maven.compiler.target>";

const ORACLE: &str = "
    <dependency>
      <groupId>tamis.check</groupId>
      <artifactId>oracle</artifactId>
      <version>1</version>
      <scope>system</scope>
      <systemPath>@jar@</systemPath>
    </dependency>";

/// To OpenClover a class of JUnit 4 is a test only if `test` is in its name, unless it is told otherwise; of others it
/// records nothing, and runs them each time.
const OPENCLOVER: &str = "
      <plugin>
        <groupId>org.openclover</groupId>
        <artifactId>clover-maven-plugin</artifactId>
        <configuration>
          <testSources>
            <testClasses>
              <testClass>
                <name>T[0-9]+</name>
              </testClass>
            </testClasses>
          </testSources>
        </configuration>
      </plugin>";

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;

    /// A POM that is well-formed.
    fn pom(sources: Option<Sources<'_>>) -> String {
        let pom = Pom {
            oracle: Path::new("/a&b"),
            reports: Path::new("/<reports"),
            states: Path::new("/states"),
            sources,
        };
        let text = pom.text();
        let mut reader = Reader::from_str(&text);
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                event => event.map(drop).unwrap(),
            }
        }
        assert!(!text.contains('@'), "{text}");
        text
    }

    #[test]
    fn a_path_is_text_of_the_pom() {
        let pom = pom(None);
        assert!(pom.contains(">/a&amp;b<") && pom.contains(">/&lt;reports<"));
    }

    #[test]
    fn only_who_compiles_is_told_how() {
        let oracle = Path::new("/data/oracle.jar");
        let eight = pom(Some(Sources { oracle, java: 8 }));
        assert!(eight.contains("source>1.8<") && eight.contains(">/data/oracle.jar<"));
        assert!(eight.contains("clover-maven-plugin"));
        let newer = pom(Some(Sources { oracle, java: 17 }));
        assert!(newer.contains("target>17<"));
        let plain = pom(None);
        assert!(
            !plain.contains("clover") && !plain.contains("compiler") && !plain.contains("system<")
        );
    }
}
