//! A command that runs with the agent in its JVMs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use tamis_agent::AGENT;
use tamis_build::{
    AgentFileError, AgentLibrary, CachePlaces, Jdk, MavenAgent, MavenNote, MavenRun, MavenRunError,
    TaskHost, TaskServer, is_maven, launchers_of,
};
use tamis_wire::ContentHash;

use crate::audience::Audience;
use crate::conversation::Wanted;
use crate::interruptions::Interruptions;
use crate::listener::Listener;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// Tests of Maven's that ran without the agent, and why.
    pub(crate) notes: Vec<MavenNote>,
}

/// The command could not be run with the agent.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The agent cannot be loaded from anywhere.
    #[error(transparent)]
    Agent(#[from] AgentFileError),
    /// Maven cannot be given the agent.
    #[error(transparent)]
    Maven(#[from] MavenRunError),
    /// There is no socket for agents to connect to.
    #[error("cannot listen for agents")]
    Listen(#[source] io::Error),
    /// The program cannot be started.
    #[error("cannot start `{}`", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
}

/// Runs a command with the agent in its JVMs; the audience hears of each, and the host of the tasks of a build
/// that can ask. What the command prints goes to `output`.
///
/// Maven puts the agent into the JVMs of tests itself, by an extension. Any other command gets it by
/// `JAVA_TOOL_OPTIONS`, which each JVM announces by a line on standard error.
pub(crate) fn run_watched(
    program: &OsStr,
    arguments: &[OsString],
    wanted: Wanted,
    audience: &dyn Audience,
    host: Option<&dyn TaskHost>,
    output: Stdio,
) -> Result<Ended, TraceError> {
    let key = agent_key();
    let library = agent_library(&key);
    let launchers = launchers_of(Path::new(program));
    let agent = CachePlaces::of_this_process().install(&library, &launchers)?;
    let listener = Listener::new().map_err(TraceError::Listen)?;
    let options = listener.options().encode();
    let mut command = Command::new(program);
    command.stdout(output);
    let mut maven = None;
    let host = host.filter(|_| is_maven(program));
    let server = host.map(task_server).transpose();
    let server = server.map_err(TraceError::Listen)?;
    if is_maven(program) {
        let agent = MavenAgent {
            library: &agent,
            options: &options,
            proven_homes: &library.proven_homes(&agent, &with_jdks(launchers)),
        };
        let directory = listener.directory();
        let run = match &server {
            Some(server) => MavenRun::prepare_asking(directory, &agent, arguments, server)?,
            None => MavenRun::prepare(directory, &agent, arguments)?,
        };
        command.args(&run.arguments);
        maven = Some(run);
    } else {
        let option = agent_option(&agent, &options);
        command
            .args(arguments)
            .env("JAVA_TOOL_OPTIONS", with_users_options(option));
    }
    let mut start = || Interruptions::new()?.status(&mut command);
    let status = listener.during(wanted, audience, || match (server, host) {
        (Some(server), Some(host)) => server.serve_during(host, start),
        _ => start(),
    });
    let status = status.map_err(|cause| TraceError::Start {
        program: program.into(),
        cause,
    })?;
    Ok(Ended {
        status,
        notes: maven.map_or_else(Vec::new, |run| run.notes()),
    })
}

fn task_server(host: &dyn TaskHost) -> io::Result<TaskServer> {
    let server = TaskServer::new()?;
    Ok(if host.only_asks() {
        server.only_asking()
    } else {
        server
    })
}

/// Puts the agent in place and tries it: those of the JDKs that do not load it.
pub fn jdks_without_agent(jdks: &[Jdk]) -> Result<Vec<&Jdk>, AgentFileError> {
    let key = agent_key();
    let library = agent_library(&key);
    let agent = CachePlaces::of_this_process().install(&library, &[])?;
    let is_refused = |jdk: &&Jdk| library.proven_homes(&agent, &[jdk.java()]).is_empty();
    Ok(jdks.iter().filter(is_refused).collect())
}

fn agent_key() -> String {
    ContentHash::of(AGENT).to_string()
}

fn agent_library(key: &str) -> AgentLibrary<'_> {
    AgentLibrary { bytes: AGENT, key }
}

/// A build may run its tests on any JDK of the machine. One that cannot be used is only not proven.
fn with_jdks(mut launchers: Vec<PathBuf>) -> Vec<PathBuf> {
    let found = Jdk::find().unwrap_or_default();
    launchers.extend(found.jdks.iter().map(Jdk::java));
    launchers
}

/// A path with spaces in it needs quotes; which kind does not matter to a JVM.
fn agent_option(agent: &Path, options: &str) -> OsString {
    let mut option = OsString::from("-agentpath:");
    option.push(agent);
    option.push("=");
    option.push(options);
    let text = option.to_string_lossy();
    if !text.contains(char::is_whitespace) {
        return option;
    }
    let quote = if text.contains('\'') { "\"" } else { "'" };
    let mut quoted = OsString::from(quote);
    quoted.push(&option);
    quoted.push(quote);
    quoted
}

/// What the user had set stays, behind the agent.
fn with_users_options(mut option: OsString) -> OsString {
    if let Some(users) = env::var_os("JAVA_TOOL_OPTIONS").filter(|users| !users.is_empty()) {
        option.push(" ");
        option.push(users);
    }
    option
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_quoted() {
        let check = |path: &str, expected: &str| {
            assert_eq!(agent_option(Path::new(path), "o"), OsStr::new(expected));
        };
        check("/a/b.so", "-agentpath:/a/b.so=o");
        check("/a b.so", "'-agentpath:/a b.so=o'");
        check("/it's b.so", "\"-agentpath:/it's b.so=o\"");
    }
}
