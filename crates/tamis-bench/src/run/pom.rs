//! The POM of projects that are made here. Every version in it is fixed.

use std::fmt::Write as _;

use anyhow::{Result, bail};

/// HyRTS does not work with a newer one; all else does with this one.
pub(super) const JUNIT: &str = "junit:junit:4.12";

/// What differs between projects.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pom<'p> {
    pub(super) name: &'p str,
    /// `group:artifact:version`; all for tests alone.
    pub(super) dependencies: &'p [&'p str],
    pub(super) surefire: &'p str,
    /// Packages that tests look into, from JDK 9 on.
    pub(super) opens: &'p [&'p str],
}

impl Pom<'_> {
    /// Classes are of a release that all JDKs and tools understand.
    pub(super) fn text(&self) -> Result<String> {
        let Self { name, surefire, .. } = self;
        let mut listed = String::new();
        for coordinates in self.dependencies {
            write!(listed, "{}", dependency(coordinates)?)?;
        }
        let opens = self.opens.iter();
        let opens: Vec<String> = opens
            .map(|package| format!("--add-opens {package}=ALL-UNNAMED"))
            .collect();
        let opens = opens.join(" ");
        Ok(format!(
            r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tamis.bench</groupId>
  <artifactId>{name}</artifactId>
  <version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.source>1.8</maven.compiler.source>
    <maven.compiler.target>1.8</maven.compiler.target>
  </properties>
  <dependencies>
{listed}  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>{surefire}</version>
      </plugin>
    </plugins>
  </build>
  <profiles>
    <profile>
      <id>modules</id>
      <activation>
        <jdk>[9,)</jdk>
      </activation>
      <properties>
        <argLine>{opens}</argLine>
      </properties>
    </profile>
  </profiles>
</project>
"#
        ))
    }
}

/// What only tests need, of `group:artifact:version`.
fn dependency(coordinates: &str) -> Result<String> {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, artifact, version] = parts[..] else {
        bail!("not of the form group:artifact:version: `{coordinates}`");
    };
    Ok(format!(
        "    <dependency>
      <groupId>{group}</groupId>
      <artifactId>{artifact}</artifactId>
      <version>{version}</version>
      <scope>test</scope>
    </dependency>
"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_were_asked_for() {
        let pom = Pom {
            name: "x",
            dependencies: &[JUNIT, "a:b:7"],
            surefire: "2.22.2",
            opens: &["java.base/java.lang"],
        };
        let text = pom.text().unwrap();
        for expected in [
            "<artifactId>x</artifactId>",
            "<argLine>--add-opens java.base/java.lang=ALL-UNNAMED</argLine>",
            "<version>2.22.2</version>",
            "<artifactId>junit</artifactId>\n      <version>4.12</version>",
            "<groupId>a</groupId>\n      <artifactId>b</artifactId>\n      <version>7</version>",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        let dependencies = &["a:b"];
        let wrong = Pom {
            dependencies,
            ..pom
        };
        assert!(wrong.text().is_err());
    }
}
