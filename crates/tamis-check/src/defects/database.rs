//! A directory in the layout of Defects4J: which projects and bugs it has.
//!
//! For each project `framework/projects/P` has `active-bugs.csv`, `patches/N.src.patch`, which makes the buggy revision
//! of the fixed one, and `trigger_tests/N`. Patches of tests are not applied: they take away the very tests that reveal
//! the bug. Nothing in the files is believed to be a plain name before it was looked at.

use std::fs;
use std::path::{Path, PathBuf};

use super::bug_name::{BugName, is_project_name, parse_number};
use super::database_error::{DatabaseError, DatabaseErrorKind};
use super::trigger::{Trigger, parse_triggers};

#[derive(Debug)]
pub(super) struct Database {
    directory: PathBuf,
}

/// All that a database says of a bug, as far as it is needed here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bug {
    pub(super) name: BugName,
    /// The revision in which it is fixed.
    pub(super) fixed: String,
    /// What brings it back.
    pub(super) patch: PathBuf,
    /// Tests that reveal it; never none.
    pub(super) triggers: Vec<Trigger>,
}

impl Database {
    pub(super) fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_path_buf(),
        }
    }

    /// The names of all projects, sorted.
    pub(super) fn projects(&self) -> Result<Vec<String>, DatabaseError> {
        let place = self.directory.join("framework/projects");
        let unreadable = |cause| failed(&place, DatabaseErrorKind::Read(cause));
        let mut projects = Vec::new();
        for entry in fs::read_dir(&place).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            let name = name.to_string_lossy().into_owned();
            if is_project_name(&name) && self.table(&name).is_file() {
                projects.push(name);
            }
        }
        projects.sort();
        Ok(projects)
    }

    /// The active bugs of a project, in the order of its table.
    pub(super) fn bugs(&self, project: &str) -> Result<Vec<Bug>, DatabaseError> {
        let file = self.table(project);
        let table = read(&file)?;
        let rows = parse_table(&table).map_err(|kind| failed(&file, kind))?;
        let bugs = rows.into_iter().map(|(number, fixed)| {
            let place = self.project(project);
            let triggers = place.join("trigger_tests").join(number.to_string());
            Ok(Bug {
                name: BugName {
                    project: project.to_owned(),
                    number,
                },
                fixed,
                patch: place.join(format!("patches/{number}.src.patch")),
                triggers: read_triggers(&triggers)?,
            })
        });
        bugs.collect()
    }

    /// Where Defects4J keeps the repository of a project; none if it is not there.
    pub(super) fn repository(&self, project: &str) -> Option<PathBuf> {
        let module = format!("framework/core/Project/{project}.pm");
        let module = fs::read(self.directory.join(module)).ok()?;
        let module = String::from_utf8_lossy(&module);
        let name = repository_name(&module)?;
        let repository = self.directory.join(format!("project_repos/{name}.git"));
        repository.is_dir().then_some(repository)
    }

    fn project(&self, name: &str) -> PathBuf {
        self.directory.join("framework/projects").join(name)
    }

    fn table(&self, project: &str) -> PathBuf {
        self.project(project).join("active-bugs.csv")
    }
}

fn failed(file: &Path, kind: DatabaseErrorKind) -> DatabaseError {
    DatabaseError {
        file: file.to_path_buf(),
        kind,
    }
}

fn read(file: &Path) -> Result<String, DatabaseError> {
    let bytes = fs::read(file).map_err(|cause| failed(file, DatabaseErrorKind::Read(cause)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_triggers(file: &Path) -> Result<Vec<Trigger>, DatabaseError> {
    let triggers = parse_triggers(&read(file)?);
    if triggers.is_empty() {
        return Err(failed(file, DatabaseErrorKind::NoTest));
    }
    Ok(triggers)
}

/// Numbers and fixed revisions. The columns that count never hold quotes or commas.
fn parse_table(text: &str) -> Result<Vec<(u32, String)>, DatabaseErrorKind> {
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> = lines
        .next()
        .map_or("", |(_, line)| line)
        .split(',')
        .collect();
    let column = |name: &'static str| {
        let at = header.iter().position(|column| column.trim() == name);
        at.ok_or(DatabaseErrorKind::NoColumn(name))
    };
    let (number, fixed) = (column("bug.id")?, column("revision.id.fixed")?);
    let mut rows = Vec::new();
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let field = |column: usize| fields.get(column).copied().unwrap_or_default();
        let not_understood = |what, text: &str| DatabaseErrorKind::NotUnderstood {
            line: at + 1,
            what,
            text: text.to_owned(),
        };
        let id = parse_number(field(number)).ok_or_else(|| not_understood("bug", field(number)))?;
        if !is_revision(field(fixed)) {
            return Err(not_understood("revision", field(fixed)));
        }
        rows.push((id, field(fixed).to_owned()));
    }
    Ok(rows)
}

/// Neither an option to git nor an expression.
fn is_revision(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// From the line `my $name = "commons-lang";` of the project's Perl module.
fn repository_name(module: &str) -> Option<&str> {
    let lines = module.lines().map(str::trim);
    let mut values = lines.filter_map(|line| line.strip_prefix("my $name"));
    let name = values.next()?.split('"').nth(1)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> String {
        match parse_table(text) {
            Ok(rows) => format!("{rows:?}"),
            Err(kind) => kind.to_string(),
        }
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let text =
            "bug.id,revision.id.buggy,revision.id.fixed,report.id\n1,aa,bb,x\n\n22,cc,dd,y\n";
        assert_eq!(table(text), r#"[(1, "bb"), (22, "dd")]"#);
        let text = "revision.id.fixed,bug.id\r\nee,3\r\n";
        assert_eq!(table(text), r#"[(3, "ee")]"#);
        assert_eq!(table(""), "it has no column `bug.id`");
        assert_eq!(table("bug.id,x\n"), "it has no column `revision.id.fixed`");
    }

    #[test]
    fn what_would_be_a_path_or_an_option_is_refused() {
        let row = |row: &str| table(&format!("bug.id,revision.id.fixed\n1,aa\n{row}\n"));
        assert_eq!(row("../2,aa"), "line 3: `../2` is no bug");
        assert_eq!(row("2,--all"), "line 3: `--all` is no revision");
        assert_eq!(row("2,HEAD~1"), "line 3: `HEAD~1` is no revision");
        assert_eq!(row("2"), "line 3: `` is no revision");
    }

    #[test]
    fn repositories_are_named_by_the_projects_modules() {
        let module = "my $PID  = \"Lang\";\n    my $name = \"commons-lang\";\n";
        assert_eq!(repository_name(module), Some("commons-lang"));
        assert_eq!(repository_name("my $name = \"../other\";"), None);
        assert_eq!(repository_name("my $name = $x;"), None);
        assert_eq!(repository_name(""), None);
    }

    #[test]
    fn a_directory_without_projects_is_no_database() {
        let dir = tempfile::tempdir().unwrap();
        let database = Database::new(dir.path());
        assert!(database.projects().is_err());
        let place = dir.path().join("framework/projects");
        for project in ["B", "A", "lib"] {
            fs::create_dir_all(place.join(project)).unwrap();
        }
        for project in ["B", "A"] {
            fs::write(
                place.join(project).join("active-bugs.csv"),
                "bug.id,revision.id.fixed\n1,aa\n",
            )
            .unwrap();
        }
        assert_eq!(database.projects().unwrap(), ["A", "B"]);
        assert!(database.bugs("A").is_err(), "no trigger tests");
        assert_eq!(database.repository("A"), None);
    }
}
