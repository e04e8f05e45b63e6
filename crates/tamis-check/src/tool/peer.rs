//! Tools of others, as their users call them: Maven around the class files of a project.
//!
//! The project has a `pom.xml` and no sources. What javac made lies where Maven's compiler would have put it, so there is
//! nothing to compile, and Surefire runs the test classes that are there. Its reports and the states of the oracle lie
//! outside of the project, as those of other tools.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use tamis_build::find_maven;

use super::{FailureKind, Order, RunError, Tool, ToolFailure, ToolRun, broken_by};
use crate::git_history::{Contestant, Ground, HistoryStep, HyrtsCore, Peer};
use crate::history::Variant;
use crate::steps::Step;

pub(crate) struct PeerTool {
    peer: Peer,
    /// What HyRTS needs that is no plug-in of Maven's; made when it is first run.
    hyrts: OnceLock<Result<HyrtsCore, String>>,
}

impl PeerTool {
    pub(crate) fn new(peer: Peer) -> Self {
        Self {
            peer,
            hyrts: OnceLock::new(),
        }
    }

    fn commands(&self, order: &Order<'_>) -> Result<Vec<Command>, String> {
        let java = order.java;
        let needs_core = matches!(self.peer, Peer::Hyrts | Peer::Hyrtsf);
        let hyrts = if needs_core {
            let core = self
                .hyrts
                .get_or_init(|| HyrtsCore::prepare(&java.jdk, &java.cache));
            Some(core.as_ref().map_err(Clone::clone)?)
        } else {
            None
        };
        let stage = order.project.directory();
        let maven = find_maven(&stage).ok_or("there is no Maven")?;
        let options: Vec<String> = order.project.properties().collect();
        let ground = Ground {
            stage: &stage,
            data: &order.project.data(),
            maven: maven.program,
            maven_options: &options,
            jdk: &java.jdk,
            hyrts,
            step: HistoryStep::Next,
            revision: "",
        };
        Contestant::Peer(self.peer).commands(&ground)
    }
}

impl Tool for PeerTool {
    fn name(&self) -> &str {
        self.peer.name()
    }

    fn variants(&self) -> Vec<Variant> {
        vec![Variant {
            name: self.name().to_owned(),
            tool: self.name().to_owned(),
            fineness: 0,
            keeps_data: true,
        }]
    }

    /// None of them can be forced in the same way, and few can be asked for single tests.
    fn takes(&self, step: Step) -> bool {
        !step.needs_force() && step != Step::Filtered
    }

    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError> {
        write_pom(order).map_err(|error| broken_by(&error))?;
        let no_start = |text| ToolFailure::error(FailureKind::DoesNotStart, text);
        let commands = self.commands(order).map_err(no_start)?;
        let begun = Instant::now();
        let mut code = 0;
        for mut command in commands {
            code = order.exit_code(&mut command)?;
            if code != 0 {
                break;
            }
        }
        let run = order.finished(code, begun.elapsed())?;
        // Maven ends with the same code if tests fail and if it cannot run them.
        let has_failure = run.outcomes.values().any(|outcome| outcome.is_failure());
        if code != 0 && !has_failure {
            let text = format!("no test failed, and Maven did: {}", order.said());
            return Err(ToolFailure::error(FailureKind::Crashed, text));
        }
        Ok(vec![(self.name().to_owned(), run)])
    }
}

/// The same for all steps.
fn write_pom(order: &Order<'_>) -> io::Result<()> {
    let project = order.project;
    let file = project.directory().join("pom.xml");
    if file.exists() {
        return Ok(());
    }
    let oracle = &order.java.oracle;
    fs::write(file, pom(oracle, &project.reports(), &project.states()))
}

fn pom(oracle: &Path, reports: &Path, states: &Path) -> String {
    POM.replace("@oracle@", &escaped(oracle))
        .replace("@reports@", &escaped(reports))
        .replace("@states@", &escaped(states))
}

fn escaped(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// JUnit and Surefire in the newest versions that all of these tools run with (HyRTS fails with JUnit 4.13, Ekstazi with
/// Surefire 3).
const POM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tamis.check</groupId>
  <artifactId>programs</artifactId>
  <version>1</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.12</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>2.22.2</version>
        <configuration>
          <includes>
            <include>**/T*.class</include>
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
      </plugin>
    </plugins>
  </build>
</project>
"#;

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;

    #[test]
    fn a_path_is_text_of_the_pom() {
        let [oracle, reports, states] = ["/a&b", "/<reports", "/states"].map(Path::new);
        let pom = pom(oracle, reports, states);
        let mut reader = Reader::from_str(&pom);
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                event => event.map(drop).unwrap(),
            }
        }
        assert!(pom.contains(">/a&amp;b<") && pom.contains(">/&lt;reports<"));
    }

    #[test]
    fn it_is_run_where_no_tool_needs_to_be_told_more() {
        let tool = PeerTool::new(Peer::Starts);
        let steps: Vec<&str> = Step::ALL
            .iter()
            .filter(|step| tool.takes(**step))
            .map(|step| step.name())
            .collect();
        assert_eq!(
            steps,
            ["first", "again", "evolved", "evolved-again", "back"]
        );
    }
}
