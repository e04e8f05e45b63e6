//! A git repository: which revisions there are, and checkouts of them. It is never changed.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::str::FromStr;

use super::error::HistoryError;
use crate::java_side::first_lines;

/// Which revisions, along first parents; merges are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// From one to another, both included.
    Between { first: String, last: String },
    /// So many up to one.
    Last { n_revisions: usize, last: String },
}

/// A text is no range of revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseRangeError;

impl fmt::Display for ParseRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write it as FIRST..LAST")
    }
}

impl std::error::Error for ParseRangeError {}

impl FromStr for Range {
    type Err = ParseRangeError;

    /// A name that begins as an option does would be one to git.
    fn from_str(text: &str) -> Result<Self, ParseRangeError> {
        let (first, last) = text.split_once("..").ok_or(ParseRangeError)?;
        let is_name = |name: &str| !name.is_empty() && !name.starts_with(['-', '.']);
        if !is_name(first) || !(last.is_empty() || is_name(last)) {
            return Err(ParseRangeError);
        }
        let last = if last.is_empty() { "HEAD" } else { last };
        Ok(Self::Between {
            first: first.to_owned(),
            last: last.to_owned(),
        })
    }
}

/// A revision by its id and its first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) id: String,
    pub(crate) subject: String,
}

#[derive(Debug)]
pub(crate) struct Repository {
    directory: PathBuf,
}

/// Replaced objects are part of what git shows of a repository, and no clone has them unless asked.
const WITH_REPLACED: &str = "remote.origin.fetch=+refs/replace/*:refs/replace/*";

impl Repository {
    pub(crate) fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_path_buf(),
        }
    }

    /// The revisions of a range that touch one of these paths, if any are named; the oldest first. The first one of
    /// a range is always among them.
    pub(crate) fn revisions(
        &self,
        range: &Range,
        touching: &[String],
    ) -> Result<Vec<Revision>, HistoryError> {
        let mut found = Vec::new();
        let mut log = git(&self.directory);
        log.args(["log", "--first-parent", "--no-merges", "--format=%H %s"]);
        match range {
            Range::Between { first, last } => {
                found.push(self.revision(first)?);
                log.arg(format!("{first}..{last}"));
            }
            Range::Last { n_revisions, last } => {
                log.arg(format!("--max-count={n_revisions}")).arg(last);
            }
        }
        log.arg("--").args(touching);
        let output = run(&mut log, "list revisions")?;
        let text = String::from_utf8_lossy(&output.stdout);
        found.extend(text.lines().rev().map(parse_revision));
        Ok(found)
    }

    fn revision(&self, name: &str) -> Result<Revision, HistoryError> {
        let mut log = git(&self.directory);
        log.args(["log", "-1", "--format=%H %s", name, "--"]);
        let output = run(&mut log, "find the first revision")?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(parse_revision(text.lines().next().unwrap_or_default()))
    }

    /// A clone that borrows the objects of this one, with no files yet.
    pub(crate) fn clone_to(&self, place: &Path) -> Result<(), HistoryError> {
        let mut clone = Command::new("git");
        clone
            .args(["clone", "--quiet", "--shared", "--no-checkout", "--config"])
            .args([WITH_REPLACED, "--"])
            .arg(&self.directory)
            .arg(place);
        run(&mut clone, "make a checkout").map(|_| ())
    }
}

/// The files of a revision, in a checkout; what is not under version control stays.
pub(crate) fn check_out(checkout: &Path, revision: &str) -> Result<(), HistoryError> {
    let mut command = git(checkout);
    command.args(["checkout", "--quiet", "--force", "--detach", revision]);
    run(&mut command, "check out a revision").map(|_| ())
}

/// Makes a new revision of the one that is checked out, by a patch; its id. git refuses a patch that leaves the
/// checkout, names its `.git`, or goes through a symbolic link.
pub(crate) fn commit_patch(
    checkout: &Path,
    patch: &Path,
    subject: &str,
) -> Result<String, HistoryError> {
    let mut apply = git(checkout);
    apply.args(["apply", "--index", "--whitespace=nowarn", "--"]);
    run(apply.arg(patch), "apply a patch")?;
    let mut commit = git(checkout);
    commit
        .args(["-c", "user.name=tamis", "-c", "user.email=tamis@localhost"])
        .args([
            "-c",
            "commit.gpgSign=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args(["commit", "--quiet", "--no-verify", "-m", subject]);
    run(&mut commit, "commit a patch")?;
    let mut head = git(checkout);
    head.args(["rev-parse", "HEAD"]);
    let output = run(&mut head, "name a revision")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Removes all that is not under version control.
pub(crate) fn clean(checkout: &Path) -> Result<(), HistoryError> {
    let mut command = git(checkout);
    command.args(["clean", "--quiet", "--force", "-d", "-x"]);
    run(&mut command, "clean a checkout").map(|_| ())
}

/// All files that are not under version control, within a checkout.
pub(crate) fn untracked(checkout: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    let mut command = git(checkout);
    command.args(["ls-files", "--others", "-z"]);
    let output = run(&mut command, "list what was built")?;
    let names = output.stdout.split(|byte| *byte == 0);
    let names = names.filter(|name| !name.is_empty());
    Ok(names
        .map(|name| PathBuf::from(String::from_utf8_lossy(name).into_owned()))
        .filter(|name| fs::symlink_metadata(checkout.join(name)).is_ok_and(|meta| meta.is_file()))
        .collect())
}

/// Whether a revision has files in this directory of a checkout.
pub(crate) fn is_under_version_control(
    checkout: &Path,
    directory: &Path,
) -> Result<bool, HistoryError> {
    let mut command = git(checkout);
    command.args(["ls-files", "-z", "--"]).arg(directory);
    let output = run(&mut command, "list the files of a directory")?;
    Ok(!output.stdout.is_empty())
}

fn git(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(directory);
    command
}

fn run(command: &mut Command, what: &str) -> Result<Output, HistoryError> {
    let error = |said: String| HistoryError::Git {
        what: what.to_owned(),
        said,
    };
    let output = command.output().map_err(|cause| error(cause.to_string()))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(error(first_lines(&output.stderr)))
}

fn parse_revision(line: &str) -> Revision {
    let (id, subject) = line.split_once(' ').unwrap_or((line, ""));
    Revision {
        id: id.to_owned(),
        subject: subject.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_a_first_revision() {
        let between = |first: &str, last: &str| Range::Between {
            first: first.to_owned(),
            last: last.to_owned(),
        };
        assert_eq!("v1..main".parse(), Ok(between("v1", "main")));
        assert_eq!("v1..".parse(), Ok(between("v1", "HEAD")));
        for none in ["v1", "..main", "v1...main", "--all..main", "v1..-x", ""] {
            assert_eq!(none.parse::<Range>(), Err(ParseRangeError), "{none}");
        }
    }

    #[test]
    fn revisions_come_oldest_first_and_the_first_always() {
        let dir = tempfile::tempdir().unwrap();
        let script = "git init -q . && git config user.name a && git config user.email a@b
            for n in 1 2 3 4; do echo $n > file$((n % 2)); git add .; git commit -q -m \"number $n\"; done";
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).current_dir(dir.path());
        run(&mut shell, "make a history").unwrap();
        let repository = Repository::new(dir.path());
        let subjects = |range: &Range, touching: &[&str]| {
            let touching: Vec<String> = touching.iter().map(ToString::to_string).collect();
            let found = repository.revisions(range, &touching).unwrap();
            let subjects = found.into_iter().map(|revision| revision.subject);
            subjects.collect::<Vec<_>>().join(", ")
        };
        let between = "HEAD~3..HEAD".parse().unwrap();
        assert_eq!(
            subjects(&between, &[]),
            "number 1, number 2, number 3, number 4"
        );
        assert_eq!(
            subjects(&between, &["file0"]),
            "number 1, number 2, number 4"
        );
        let last = Range::Last {
            n_revisions: 2,
            last: "HEAD".to_owned(),
        };
        assert_eq!(subjects(&last, &[]), "number 3, number 4");
        let unknown = "nothing..HEAD".parse().unwrap();
        assert!(repository.revisions(&unknown, &[]).is_err());
    }
}
