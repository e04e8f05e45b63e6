//! How tests ended: JUnit's XML reports, and the states that the oracle wrote.
//!
//! Reports come from tools that are under suspicion. Anything in them gives a value or an error.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::history::Outcome;

/// A greater report is none that a test runner wrote.
const MAX_BYTES: u64 = 256 << 20;

/// How tests ended, by their whole names: `p00042.T1.test3`.
pub(crate) type Outcomes = BTreeMap<String, Outcome>;

/// How tests ended, by their classes and their own names.
pub(crate) type ClassOutcomes = BTreeMap<String, BTreeMap<String, Outcome>>;

/// What the oracle wrote of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) log: String,
    pub(crate) state: String,
}

/// A report cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the report `{}`", file.display())]
pub(crate) struct ReportError {
    /// The report, or the directory of all.
    pub(crate) file: PathBuf,
    /// What is wrong with it.
    #[source]
    pub(crate) kind: ReportErrorKind,
}

/// What is wrong with a report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportErrorKind {
    /// It is not there, or closed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is greater than any report.
    #[error("it has more than {MAX_BYTES} bytes")]
    TooLarge,
    /// It is no XML.
    #[error("it is no XML: {0}")]
    NoXml(String),
    /// It ends inside of something.
    #[error("it breaks off")]
    BreaksOff,
    /// A test has no name or no class.
    #[error("a test in it has no `{0}`")]
    NoAttribute(&'static str),
}

/// The outcomes in all reports of a directory; none if there is no such directory.
pub(crate) fn read_reports(directory: &Path) -> Result<Outcomes, ReportError> {
    let mut outcomes = Outcomes::new();
    for (class, tests) in read_reports_by_class(directory)? {
        for (test, outcome) in tests {
            add(&mut outcomes, format!("{class}.{test}"), outcome);
        }
    }
    Ok(outcomes)
}

/// The same by classes.
pub(crate) fn read_reports_by_class(directory: &Path) -> Result<ClassOutcomes, ReportError> {
    let mut outcomes = ClassOutcomes::new();
    for file in reports(directory)? {
        let found = read_file(&file)
            .and_then(|text| parse(&text))
            .map_err(|kind| ReportError { file, kind })?;
        for (class, tests) in found {
            let known = outcomes.entry(class).or_default();
            for (test, outcome) in tests {
                add(known, test, outcome);
            }
        }
    }
    Ok(outcomes)
}

/// The XML files of a directory, sorted.
fn reports(directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let error = |cause: io::Error| ReportError {
        file: directory.to_path_buf(),
        kind: cause.into(),
    };
    let entries = match fs::read_dir(directory) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(error)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(error)?.path();
        if file.extension().is_some_and(|extension| extension == "xml") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn read_file(file: &Path) -> Result<String, ReportErrorKind> {
    let mut bytes = Vec::new();
    File::open(file)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ReportErrorKind::TooLarge);
    }
    String::from_utf8(bytes).map_err(|error| ReportErrorKind::NoXml(error.to_string()))
}

/// A test whose end is still to be read.
struct OpenTest {
    class: String,
    name: String,
    outcome: Outcome,
}

/// The outcomes in a report.
fn parse(text: &str) -> Result<ClassOutcomes, ReportErrorKind> {
    let mut reader = Reader::from_str(text);
    let mut outcomes = ClassOutcomes::new();
    let mut test: Option<OpenTest> = None;
    let mut depth = 0_usize;
    let mut has_root = false;
    loop {
        let event = reader.read_event();
        let event = event.map_err(|error| ReportErrorKind::NoXml(error.to_string()))?;
        match &event {
            Event::Start(element) => {
                depth += 1;
                has_root = true;
                open(element, &mut test)?;
            }
            Event::Empty(element) => {
                has_root = true;
                let is_test = element.name().as_ref() == "testcase";
                open(element, &mut test)?;
                if is_test {
                    close(&mut outcomes, &mut test);
                }
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                if element.name().as_ref() == "testcase" {
                    close(&mut outcomes, &mut test);
                }
            }
            Event::Eof if depth > 0 || !has_root => return Err(ReportErrorKind::BreaksOff),
            Event::Eof => return Ok(outcomes),
            _ => {}
        }
    }
}

/// A test begins, or what became of it is told.
fn open(element: &BytesStart<'_>, test: &mut Option<OpenTest>) -> Result<(), ReportErrorKind> {
    let told = match element.name().as_ref() {
        "testcase" => {
            *test = Some(opened(element)?);
            return Ok(());
        }
        "failure" | "error" => Outcome::Failed,
        "skipped" => Outcome::Skipped,
        _ => return Ok(()),
    };
    if let Some(test) = test {
        test.outcome = worse(test.outcome, told);
    }
    Ok(())
}

fn close(outcomes: &mut ClassOutcomes, test: &mut Option<OpenTest>) {
    if let Some(test) = test.take() {
        add(
            outcomes.entry(test.class).or_default(),
            test.name,
            test.outcome,
        );
    }
}

/// A test that is told twice, as one that is run again, failed if it did so once.
fn add(outcomes: &mut Outcomes, test: String, outcome: Outcome) {
    let known = outcomes.entry(test).or_insert(outcome);
    *known = match (*known, outcome) {
        (Outcome::Skipped, other) | (other, Outcome::Skipped) => other,
        (one, other) => worse(one, other),
    };
}

fn worse(one: Outcome, other: Outcome) -> Outcome {
    match (one, other) {
        (Outcome::Failed, _) | (_, Outcome::Failed) => Outcome::Failed,
        (Outcome::Skipped, _) | (_, Outcome::Skipped) => Outcome::Skipped,
        (one, _) => one,
    }
}

/// `a.T1` and `test3` of `classname="a.T1" name="test3()"`.
fn opened(element: &BytesStart<'_>) -> Result<OpenTest, ReportErrorKind> {
    let class = attribute(element, "classname")?;
    let name = attribute(element, "name")?;
    let name = name.split_once('(').map_or(name.as_str(), |(name, _)| name);
    Ok(OpenTest {
        class,
        name: name.to_owned(),
        outcome: Outcome::Passed,
    })
}

/// All attributes are looked at: one that is malformed, or there twice, makes the report one that nobody wrote.
fn attribute(element: &BytesStart<'_>, name: &'static str) -> Result<String, ReportErrorKind> {
    let no_xml = |error: &dyn std::fmt::Display| ReportErrorKind::NoXml(error.to_string());
    let mut found = None;
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| no_xml(&error))?;
        if attribute.key.as_ref() == name {
            let value = quick_xml::escape::unescape(&attribute.value);
            found = Some(value.map_err(|error| no_xml(&error))?.into_owned());
        }
    }
    found.ok_or(ReportErrorKind::NoAttribute(name))
}

/// What the oracle wrote: `<test>\t<log>\t<state>` of each test, in no order. A line that breaks off is none.
pub(crate) fn read_states(file: &Path) -> io::Result<BTreeMap<String, Ended>> {
    let text = match fs::read(file) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        text => String::from_utf8_lossy(&text?).into_owned(),
    };
    let lines = text.split_inclusive('\n');
    let lines = lines.filter_map(|line| line.strip_suffix('\n'));
    Ok(lines.filter_map(parse_state).collect())
}

fn parse_state(line: &str) -> Option<(String, Ended)> {
    let mut fields = line.splitn(3, '\t');
    let (test, log, state) = (fields.next()?, fields.next()?, fields.next()?);
    let ended = Ended {
        log: log.to_owned(),
        state: state.to_owned(),
    };
    Some((test.to_owned(), ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(report: &str) -> Result<Vec<(String, Outcome)>, String> {
        let found = parse(report).map_err(|error| error.to_string())?;
        let found = found.into_iter().flat_map(|(class, tests)| {
            let named = move |(name, outcome)| (format!("{class}.{name}"), outcome);
            tests.into_iter().map(named)
        });
        Ok(found.collect())
    }

    #[test]
    fn each_test_with_its_outcome() {
        let report = r#"<?xml version="1.0"?><testsuite>
            <testcase name="good()" classname="p1.T1"><system-out><![CDATA[<failure>]]></system-out></testcase>
            <testcase name="bad()" classname="p1.T1"><failure message="x">y</failure></testcase>
            <testcase name="worse" classname="p1.T1"><error/></testcase>
            <testcase name="off()" classname="p1.T1"><skipped/></testcase>
            <testcase name="short" classname="p1.T&amp;1"/></testsuite>"#;
        let named = |name: &str, outcome| (name.to_owned(), outcome);
        assert_eq!(
            outcomes(report).unwrap(),
            [
                named("p1.T&1.short", Outcome::Passed),
                named("p1.T1.bad", Outcome::Failed),
                named("p1.T1.good", Outcome::Passed),
                named("p1.T1.off", Outcome::Skipped),
                named("p1.T1.worse", Outcome::Failed),
            ]
        );
    }

    #[test]
    fn a_test_that_failed_once_failed() {
        let twice = |first: &str, second: &str| {
            let test =
                |what: &str| format!(r#"<testcase name="t" classname="C">{what}</testcase>"#);
            let report = format!("<a>{}{}</a>", test(first), test(second));
            outcomes(&report).unwrap()[0].1
        };
        assert_eq!(twice("<failure/>", ""), Outcome::Failed);
        assert_eq!(twice("", "<failure/>"), Outcome::Failed);
        assert_eq!(twice("<skipped/>", ""), Outcome::Passed);
        assert_eq!(twice("<failure/><skipped/>", "<skipped/>"), Outcome::Failed);
    }

    #[test]
    fn hostile_reports_are_errors() {
        for report in [
            "",
            "no xml",
            "<testsuite><testcase name=\"a\" classname=\"b\">",
            "<testsuite></other>",
            "<testsuite><testcase name=\"a\"/></testsuite>",
            "<testsuite><testcase classname=\"a\"/></testsuite>",
            "<a><testcase name=\"&nothing;\" classname=\"b\"/></a>",
            "<a><testcase name=\"x\" name=\"y\" classname=\"b\"/></a>",
            "<a><testcase name=x classname=\"b\"/></a>",
        ] {
            assert!(outcomes(report).is_err(), "{report}");
        }
    }

    #[test]
    fn an_entity_that_grows_is_not_expanded() {
        let bomb = r#"<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]>
            <a><testcase name="&d;" classname="b"/></a>"#;
        assert!(outcomes(bomb).is_err());
    }

    #[test]
    fn reports_that_are_not_there_tell_of_no_test() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(
            read_reports(&dir.path().join("none")).unwrap(),
            Outcomes::new()
        );
        fs::write(dir.path().join("a.xml"), [0xff, 0xfe]).unwrap();
        assert!(read_reports(dir.path()).is_err());
    }

    #[test]
    fn states_of_whole_lines() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("states");
        assert!(read_states(&file).unwrap().is_empty());
        fs::write(&file, "p.T.a\t1;\t#0 | x\nbad\np.T.b\t2;\t#").unwrap();
        let states = read_states(&file).unwrap();
        assert_eq!(states.len(), 1);
        assert_eq!(states["p.T.a"].log, "1;");
        assert_eq!(states["p.T.a"].state, "#0 | x");
    }
}
