//! Tools of others, as their users call them: Maven around the class files of a project.
//!
//! The project has a `pom.xml` and no sources. What javac made lies where Maven's compiler would have put it, so there is
//! nothing to compile, and Surefire runs the test classes that are there. OpenClover instruments sources: its project has
//! these instead, and Maven compiles. Reports and the states of the oracle lie outside of the project, as those of other
//! tools.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use tamis_build::find_maven;
use walkdir::WalkDir;

use super::pom::{Pom, Sources};
use super::{FailureKind, Order, RunError, Tool, ToolFailure, ToolRun, broken_by};
use crate::git_history::{Build, Contestant, Ground, HistoryStep, HyrtsCore, Peer};
use crate::history::Variant;
use crate::jar::archive;
use crate::project::Content;
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
            build: Build::Maven {
                program: maven.program,
                options: &options,
            },
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

    fn content(&self) -> Content {
        match self.peer {
            Peer::OpenClover => Content::Sources,
            _ => Content::ClassFiles,
        }
    }

    /// None of them can be forced in the same way, and few can be asked for single tests.
    fn takes(&self, step: Step) -> bool {
        !step.needs_force() && step != Step::Filtered
    }

    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError> {
        self.write_pom(order).map_err(|error| broken_by(&error))?;
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

impl PeerTool {
    /// The same for all steps.
    fn write_pom(&self, order: &Order<'_>) -> io::Result<()> {
        let project = order.project;
        let file = project.directory().join("pom.xml");
        if file.exists() {
            return Ok(());
        }
        let (reports, states) = (project.reports(), project.states());
        let sources = match self.content() {
            Content::ClassFiles => None,
            Content::Sources => Some(Sources {
                oracle: &oracle_jar(&order.java.oracle, &project.data())?,
                java: order.java.jdk.feature,
            }),
        };
        let pom = Pom {
            oracle: &order.java.oracle,
            reports: &reports,
            states: &states,
            sources,
        };
        fs::write(file, pom.text())
    }
}

/// The oracle as an archive: Maven takes no directory for a dependency.
fn oracle_jar(classes: &Path, place: &Path) -> io::Result<PathBuf> {
    let mut members = BTreeMap::new();
    for entry in WalkDir::new(classes).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(classes);
            let path = path.unwrap_or(entry.path()).to_string_lossy();
            members.insert(path.into_owned(), fs::read(entry.path())?);
        }
    }
    let jar = place.join("oracle.jar");
    fs::write(&jar, archive(&members))?;
    Ok(jar)
}

#[cfg(test)]
mod tests {
    use super::*;

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
