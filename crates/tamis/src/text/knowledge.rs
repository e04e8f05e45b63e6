//! What is known, as text: what depends on something, how much there is, whether all is in place.

use super::cause::{dotted, fact};
use super::columns::{Cell, Columns};
use super::counts::{counted, listed, with_commas};
use super::palette::{Palette, paint};
use super::selection::realm_text;
use super::summary::noun_of;
use super::time::{ago, time};
use crate::escape::printable;
use crate::view::{
    DependencyView, DependentView, DoctorReport, FactView, ForgetReport, RealmStatusView,
    StatusDocument, WhatReport,
};

/// Why a file that is no source has so many dependents, where it was not seen which files tests read.
const FILES_ARE_ONE: &str =
    "files are not told apart yet: each test depends on all files of its module";

/// The tests that depend on something.
pub(crate) fn what(report: &WhatReport, palette: &Palette) -> String {
    let mut lines = vec![paint(palette.name, &meant(report))];
    let mut columns = Columns::default();
    let mut dependents: Vec<_> = report.dependents.iter().collect();
    dependents.sort_by(|a, b| (&a.id.name, &a.id.realm).cmp(&(&b.id.name, &b.id.realm)));
    let has_realms = dependents
        .iter()
        .any(|test| test.id.realm != report.dependents[0].id.realm);
    for test in dependents {
        let realm = if has_realms {
            realm_text(&test.id.realm)
        } else {
            String::new()
        };
        columns.push([
            Cell::text(printable(&test.id.name)),
            Cell::text(parts(&test.facts)),
            Cell::number(time(test.expected_microseconds)),
            Cell::text(realm).styled(palette.aside),
        ]);
    }
    lines.extend(columns.lines().iter().map(|line| format!("  {line}")));
    lines.push(format!("{} on it", how_many(report)));
    let depends_on_all =
        |test: &DependentView| test.facts.iter().any(|one| one.fact == FactView::Files);
    let dependents = &report.dependents;
    if !dependents.is_empty() && dependents.iter().all(depends_on_all) {
        lines.push(paint(palette.aside, FILES_ARE_ONE));
    }
    lines.join("\n") + "\n"
}

/// The classes that were meant, or what was asked for.
fn meant(report: &WhatReport) -> String {
    let names: Vec<String> = report.classes.iter().map(|class| dotted(class)).collect();
    if names.is_empty() {
        return printable(&report.wanted);
    }
    listed(&names)
}

fn how_many(report: &WhatReport) -> String {
    let (one, many) = noun_of(has_methods(&report.dependents));
    let n = report.dependents.len();
    let expected = time(report.expected_microseconds);
    match n {
        0 => "no test is known to depend".to_owned(),
        1 => format!("1 {one} (about {expected}) depends"),
        n => format!("{} (about {expected}) depend", counted(n, one, many)),
    }
}

fn has_methods(dependents: &[DependentView]) -> bool {
    dependents.iter().any(|test| test.id.name.contains('#'))
}

/// What of a class a test depends on, in numbers.
fn parts(facts: &[DependencyView]) -> String {
    let (absent, there): (Vec<_>, Vec<_>) = facts.iter().partition(|one| one.is_absent);
    if facts.len() > 1 && facts.iter().any(|one| is_of_file(&one.fact)) {
        let facts = facts.iter().map(|one| fact(&one.fact));
        return facts.collect::<Vec<_>>().join(", ");
    }
    match (there.as_slice(), absent.as_slice()) {
        ([only], []) => return fact(&only.fact),
        ([], [only]) => return format!("that there is no {}", fact(&only.fact)),
        ([], absent) => {
            let members = counted(absent.len(), "member", "members");
            return format!("that {members} are not there");
        }
        _ => {}
    }
    let is_whole = |fact: &FactView| matches!(fact, FactView::Whole { .. });
    // Whoever uses a class depends on its static initialiser, or on there being none.
    let is_method =
        |fact: &FactView| matches!(fact, FactView::Method { name, .. } if name != "<clinit>");
    let is_field = |fact: &FactView| matches!(fact, FactView::Field { .. });
    let number =
        |is_wanted: fn(&FactView) -> bool| there.iter().filter(|one| is_wanted(&one.fact)).count();
    let numbers = [
        (number(is_whole), "whole class", "whole classes"),
        (number(is_method), "method", "methods"),
        (number(is_field), "field", "fields"),
    ];
    let numbers = numbers.into_iter().filter(|(number, ..)| *number > 0);
    let parts: Vec<String> = numbers
        .map(|(number, one, many)| counted(number, one, many))
        .collect();
    if parts.is_empty() {
        "its declaration".to_owned()
    } else {
        parts.join(", ")
    }
}

fn is_of_file(fact: &FactView) -> bool {
    matches!(
        fact,
        FactView::File { .. }
            | FactView::Presence { .. }
            | FactView::Listing { .. }
            | FactView::Link { .. }
    )
}

/// What is known, how old and how big, at a time in seconds since 1970.
pub(crate) fn status(status: &StatusDocument, now: u64, palette: &Palette) -> String {
    let records = counted(many(status.n_records), "record", "records");
    let facts = counted(many(status.n_facts), "fact", "facts");
    let directory = paint(palette.name, &printable(&status.directory));
    let mut lines = vec![format!(
        "{directory}  {}, {records}, {facts}",
        size(status.n_bytes)
    )];
    let mut columns = Columns::default();
    let headings = ["tests of", "entities", "tests", "not passed", "expected"];
    let headings = headings.iter().enumerate().map(|(column, heading)| {
        let cell = match column {
            0 => Cell::text(*heading),
            _ => Cell::number(*heading),
        };
        cell.styled(palette.aside)
    });
    let ages = ["newest", "oldest"].map(|heading| Cell::text(heading).styled(palette.aside));
    columns.push(headings.chain(ages).collect::<Vec<_>>());
    for realm in &status.realms {
        columns.push(realm_row(realm, now, palette));
    }
    if !status.realms.is_empty() {
        lines.push(String::new());
        lines.extend(columns.lines());
    }
    lines.join("\n") + "\n"
}

fn realm_row(realm: &RealmStatusView, now: u64, palette: &Palette) -> [Cell; 7] {
    let not_passed = Cell::number(with_commas(realm.n_not_passed));
    [
        Cell::text(realm_text(&realm.name)).styled(palette.name),
        Cell::number(with_commas(realm.n_entities)),
        Cell::number(with_commas(realm.n_tests)),
        match realm.n_not_passed {
            0 => not_passed,
            _ => not_passed.styled(palette.failure),
        },
        Cell::number(time(realm.expected_microseconds)),
        Cell::text(ago(realm.newest, now)),
        Cell::text(ago(realm.oldest, now)),
    ]
}

/// As many as can be counted here.
fn many(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn size(n_bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", n_bytes / unit, n_bytes % unit * 10 / unit);
    match n_bytes {
        0..1_000 => counted(many(n_bytes), "byte", "bytes"),
        1_000..1_000_000 => format!("{} kB", n_bytes / 1_000),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

/// What is in place and what is not.
pub(crate) fn doctor(report: &DoctorReport, palette: &Palette) -> String {
    let mut columns = Columns::default();
    for diagnosis in &report.diagnoses {
        let word = if diagnosis.is_fine {
            Cell::text("fine").styled(palette.added)
        } else {
            Cell::text("problem").styled(palette.failure)
        };
        let subject = Cell::text(printable(&diagnosis.subject)).styled(palette.name);
        columns.push([word, subject, Cell::text(printable(&diagnosis.text))]);
    }
    let mut lines = Vec::new();
    for (line, diagnosis) in columns.lines().into_iter().zip(&report.diagnoses) {
        lines.push(line);
        let hint = diagnosis.hint.as_ref();
        lines.extend(hint.map(|hint| format!("  {} {}", palette.hint("hint:"), printable(hint))));
    }
    let problems = report
        .diagnoses
        .iter()
        .filter(|diagnosis| !diagnosis.is_fine);
    lines.push(String::new());
    lines.push(match problems.count() {
        0 => "everything is in place".to_owned(),
        n => counted(n, "problem", "problems"),
    });
    lines.join("\n") + "\n"
}

/// What was dropped.
pub(crate) fn forget(report: &ForgetReport) -> String {
    let has_methods = report.entities.iter().any(|id| id.name.contains('#'));
    let (one, many) = noun_of(has_methods);
    match report.n_entities {
        0 => "there was nothing to forget\n".to_owned(),
        1 => format!("forgot 1 {one}, which runs next time\n"),
        n => format!("forgot {}, which run next time\n", counted(n, one, many)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use tamis_engine::{Dependent, RealmStatus, StatusReport};
    use tamis_facts::{ClassName, EntityId, FieldId, MethodId, Subject};

    use super::*;
    use crate::text::samples::{NOW, realm};
    use crate::view::DiagnosisView;

    #[test]
    fn sizes_are_short() {
        let shown = [0, 1, 14_200, 1_250_000, 3_000_000_000].map(size);
        assert_eq!(shown, ["0 bytes", "1 byte", "14 kB", "1.2 MB", "3.0 GB"]);
    }

    fn id(module: &str, test: &str) -> EntityId {
        EntityId {
            realm: realm(module),
            framework: "junit4".into(),
            test: test.into(),
        }
    }

    fn dependent(test: &str, subjects: Vec<Subject>) -> Dependent {
        Dependent {
            id: id("shop:cart", test),
            subjects,
            absent: Vec::new(),
            expected: Duration::from_millis(120),
        }
    }

    fn method(name: &str) -> Subject {
        let method = MethodId {
            name: name.into(),
            descriptor: "(I)V".into(),
        };
        Subject::Method(ClassName::from("shop/Cart"), method)
    }

    fn field(name: &str) -> Subject {
        let field = FieldId {
            name: name.into(),
            descriptor: "I".into(),
        };
        Subject::Field(ClassName::from("shop/Cart"), field)
    }

    #[test]
    fn what_depends_on_a_class() {
        let class = || ClassName::from("shop/Cart");
        let mut dependents = vec![
            dependent(
                "shop.CartTest",
                vec![method("add"), method("take"), field("count")],
            ),
            dependent(
                "shop.DeepTest",
                vec![Subject::Head(class()), Subject::Members(class())],
            ),
            dependent("shop.RawTest", vec![Subject::Whole(class())]),
            dependent("shop.UseTest", vec![method("<clinit>"), method("add")]),
            dependent("shop.VainTest", Vec::new()),
        ];
        // What is not there is no method of it.
        dependents[1].absent = vec![method("<clinit>"), method("drop")];
        dependents[4].absent = vec![method("drop")];
        let report = WhatReport::new("Cart", vec!["shop/Cart".to_owned()], &dependents);
        insta::assert_snapshot!(what(&report, &Palette::plain()), @r"
        shop.Cart
          shop.CartTest  2 methods, 1 field                           120 ms
          shop.DeepTest  its declaration                              120 ms
          shop.RawTest   class shop.Cart                              120 ms
          shop.UseTest   1 method                                     120 ms
          shop.VainTest  that there is no method shop.Cart.drop(int)  120 ms
        5 test classes (about 600 ms) depend on it
        ");
        dependents.truncate(1);
        dependents[0].subjects.truncate(1);
        let classes = ["A", "B", "C", "D", "E"].map(|name| format!("shop/{name}"));
        let report = WhatReport::new("shop.*", classes.to_vec(), &dependents);
        insta::assert_snapshot!(what(&report, &Palette::plain()), @r"
        shop.A, shop.B, shop.C and 2 more
          shop.CartTest  method shop.Cart.add(int)  120 ms
        1 test class (about 120 ms) depends on it
        ");
    }

    #[test]
    fn what_depends_on_a_file_in_two_modules() {
        let mut dependents = vec![
            dependent("shop.CartTest", vec![Subject::Files]),
            dependent("shop.OrderTest", vec![Subject::Files]),
        ];
        dependents[1].id.realm = realm("shop:core");
        let report = WhatReport::new("src/x.txt", Vec::new(), &dependents);
        insta::assert_snapshot!(what(&report, &Palette::plain()), @r"
        src/x.txt
          shop.CartTest   files of the module  120 ms  shop:cart (default-test)
          shop.OrderTest  files of the module  120 ms  shop:core (default-test)
        2 test classes (about 240 ms) depend on it
        files are not told apart yet: each test depends on all files of its module
        ");
    }

    #[test]
    fn what_is_known() {
        let report = StatusReport {
            directory: PathBuf::from("/work/shop/.tamis"),
            n_bytes: 1_250_000,
            n_records: 1_040,
            n_facts: 12_003,
            realms: [("shop:cart", 36, 1), ("shop:core", 4, 0)]
                .map(|(module, n_entities, n_not_passed)| RealmStatus {
                    realm: realm(module),
                    n_entities,
                    n_tests: n_entities * 31,
                    n_not_passed,
                    oldest: NOW - 260_000,
                    newest: NOW - 7_300,
                    expected: Duration::from_secs(41),
                })
                .into(),
        };
        let document = StatusDocument::new(&report);
        insta::assert_snapshot!(status(&document, NOW, &Palette::plain()), @r"
        /work/shop/.tamis  1.2 MB, 1,040 records, 12,003 facts

        tests of                  entities  tests  not passed  expected  newest       oldest
        shop:cart (default-test)        36  1,116           1      41 s  2 hours ago  3 days ago
        shop:core (default-test)         4    124           0      41 s  2 hours ago  3 days ago
        ");
    }

    #[test]
    fn what_is_in_place() {
        let fine = || DiagnosisView::fine("Maven", "mvn");
        let report = DoctorReport::new(vec![fine()]);
        insta::assert_snapshot!(doctor(&report, &Palette::plain()), @r"
        fine  Maven  mvn

        everything is in place
        ");
        let hint = Some("`--store` names another directory");
        let problem = DiagnosisView::problem("store", "cannot be written", hint);
        let report = DoctorReport::new(vec![fine(), problem]);
        insta::assert_snapshot!(doctor(&report, &Palette::plain()), @r"
        fine     Maven  mvn
        problem  store  cannot be written
          hint: `--store` names another directory

        1 problem
        ");
    }

    #[test]
    fn what_was_dropped() {
        let ids = [id("a", "x.ATest"), id("a", "x.BTest#b()")];
        let shown = |n: usize| forget(&ForgetReport::new(n, &ids[..n]));
        assert_eq!(shown(0), "there was nothing to forget\n");
        assert_eq!(shown(1), "forgot 1 test class, which runs next time\n");
        assert_eq!(shown(2), "forgot 2 tests, which run next time\n");
    }
}
