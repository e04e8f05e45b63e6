//! Why a test would run or not: the decision, and the records that it rests on.

use super::cause::{broken_fact, changed_files, dotted, doubt_text, has_other_files, reason};
use super::coarse::coarse_causes;
use super::counts::{counted, with_commas};
use super::palette::{Palette, paint};
use super::selection::realm_text;
use super::time::{ago, time};
use crate::escape::printable;
use crate::view::{
    BrokenFactView, ComparisonView, DecidedEntityView, DifferenceView, RealmView, SelectionReport,
    VerdictView,
};

/// How many broken facts of a record are named.
const MAX_NAMED: usize = 20;

/// Each entity of the report, with its records as seen at a time in seconds since 1970.
pub(crate) fn why(report: &SelectionReport, now: u64, palette: &Palette) -> String {
    let text = WhyText {
        report,
        now,
        palette,
    };
    let entities = report.entities.iter().map(|entity| text.entity(entity));
    let classes = report.realms.iter().flat_map(|realm| {
        realm
            .unknown_classes
            .iter()
            .map(move |class| (realm, class))
    });
    let classes = classes.map(|(realm, class)| text.unknown_class(realm, class));
    entities.chain(classes).collect::<Vec<_>>().join("\n")
}

struct WhyText<'r> {
    report: &'r SelectionReport,
    now: u64,
    palette: &'r Palette,
}

impl WhyText<'_> {
    fn entity(&self, entity: &DecidedEntityView) -> String {
        let name = paint(self.palette.name, &printable(&entity.id.name));
        let place = format!(
            "{}, {}",
            realm_text(&entity.id.realm),
            printable(&entity.id.framework)
        );
        let mut lines = vec![
            format!("{name}  {}", paint(self.palette.aside, &place)),
            format!("  {}", self.decision(entity)),
        ];
        let records = [("newest", &entity.newest), ("nearest", &entity.nearest)];
        for (which, record) in records {
            let record = record.as_ref().map(|record| self.record(which, record));
            lines.extend(record.into_iter().flatten());
        }
        if let Some(realm) = self.realm(entity) {
            let files = changed_files(realm).filter(|_| has_other_files(entity));
            let coarse = coarse_causes(entity, realm).into_iter();
            let coarse = coarse.map(|sentence| format!("not told apart: {sentence}"));
            lines.extend(
                files
                    .into_iter()
                    .chain(coarse)
                    .map(|text| format!("  {text}")),
            );
        }
        lines.extend(last_time(entity).map(|text| format!("  {text}")));
        lines.join("\n") + "\n"
    }

    fn decision(&self, entity: &DecidedEntityView) -> String {
        let options = &self.report.options;
        let reason = if entity.is_forced || options.run_all {
            "everything was asked for".to_owned()
        } else if entity.is_trusted {
            "all it saw itself is still so, it passed then, and `left-state` is trusted".to_owned()
        } else {
            reason(&entity.decision, options)
        };
        let (style, verb) = if entity.is_selected {
            (self.palette.changed, "would run")
        } else {
            (self.palette.added, "would be skipped")
        };
        let mesh = options.mesh;
        format!("{}, by mesh `{mesh}`: {reason}", paint(style, verb))
    }

    fn record(&self, which: &str, record: &ComparisonView) -> Vec<String> {
        let verdict = match record.verdict {
            VerdictView::Passed => "passed",
            VerdictView::Failed => "failed",
            VerdictView::Flaky => "flaky",
            VerdictView::Incomplete => "incomplete",
        };
        let age = ago(record.ended, self.now);
        let facts = facts_text(record);
        let mut lines = vec![format!("  {which} record: {verdict}, {age}; {facts}")];
        let doubts = record.doubts.iter().map(|doubt| doubt_text(doubt));
        lines.extend(doubts.map(|doubt| format!("    {doubt}")));
        lines.extend(self.broken(&record.broken));
        lines
    }

    fn broken(&self, broken: &[BrokenFactView]) -> Vec<String> {
        let named = broken.iter().take(MAX_NAMED);
        let mut lines: Vec<String> = named
            .map(|fact| {
                format!(
                    "    {}{}{}",
                    kind(fact),
                    broken_fact(fact),
                    inheritance(fact)
                )
            })
            .collect();
        let n_rest = broken.len().saturating_sub(MAX_NAMED);
        if n_rest > 0 {
            let text = format!("and {} more", with_commas(n_rest));
            lines.push(format!("    {}", paint(self.palette.aside, &text)));
        }
        lines
    }

    fn realm(&self, entity: &DecidedEntityView) -> Option<&RealmView> {
        let mut realms = self.report.realms.iter();
        realms.find(|realm| realm.name == entity.id.realm)
    }

    fn unknown_class(&self, realm: &RealmView, class: &str) -> String {
        let name = paint(self.palette.name, &dotted(class));
        let place = paint(self.palette.aside, &realm_text(&realm.name));
        format!("{name}  {place}\n  new, or not a test: no record knows it\n")
    }
}

/// The kind of a change, where what is said of it does not name it.
fn kind(fact: &BrokenFactView) -> String {
    match (fact.kind, &fact.difference) {
        (Some(_), DifferenceView::LookUp(_) | DifferenceView::AsFile { .. }) | (None, _) => {
            String::new()
        }
        (Some(kind), _) => format!("{kind} "),
    }
}

/// Why a fact counts of which the test itself knows nothing.
fn inheritance(fact: &BrokenFactView) -> &'static str {
    if fact.is_inherited {
        ", which earlier tests of its JVM relied on"
    } else {
        ""
    }
}

/// How many facts are true today.
fn facts_text(record: &ComparisonView) -> String {
    let n_broken = record.broken.len();
    match (record.n_facts, n_broken) {
        (0, 0) => "nothing is known of what it saw".to_owned(),
        (1, 0) => "its only fact is true today".to_owned(),
        (n, 0) => format!("all {} facts are true today", with_commas(n)),
        (n, 1) => format!("1 of {} is not true today:", counted(n, "fact", "facts")),
        (n, n_broken) => format!(
            "{} of {} are not true today:",
            with_commas(n_broken),
            counted(n, "fact", "facts")
        ),
    }
}

fn last_time(entity: &DecidedEntityView) -> Option<String> {
    let microseconds = entity.expected_microseconds?;
    Some(format!(
        "the last time: {}, {}",
        counted(entity.n_tests_known, "test", "tests"),
        time(microseconds)
    ))
}

#[cfg(test)]
mod tests {
    use tamis_engine::{BrokenFact, CoarseKind};
    use tamis_facts::{ClassName, RunVerdict, Subject};
    use tamis_select::Reason;

    use super::*;
    use crate::text::samples::{
        NOW, Sample, changed, changed_method, not_told_apart, realm_report, run_report, sample,
        view,
    };
    use crate::view::Question;

    fn check(entity: Sample) -> String {
        let report = run_report(vec![entity], vec![realm_report("shop:cart", 0)]);
        why(&view(Question::Why, &report), NOW, &Palette::plain())
    }

    #[test]
    fn everything_is_still_so() {
        insta::assert_snapshot!(check(sample("shop.CartTest")), @r"
        shop.CartTest  shop:cart (default-test), junit-jupiter
          would be skipped, by mesh `method`: everything it saw is still so, and it passed then
          newest record: passed, 2 hours ago; all 812 facts are true today
          the last time: 3 tests, 120 ms
        ");
    }

    #[test]
    fn the_newest_record_and_a_nearer_one() {
        let broken = [changed(Subject::Files), changed_method("add")];
        let entity = sample("shop.CartTest")
            .broken(&broken)
            .nearest(&broken[1..]);
        let mut realm = realm_report("shop:cart", 0);
        realm.changed_files = vec!["data/prices.txt".to_owned(), "log.txt".to_owned()];
        let report = run_report(vec![entity], vec![realm]);
        let text = why(&view(Question::Why, &report), NOW, &Palette::plain());
        insta::assert_snapshot!(text, @r"
        shop.CartTest  shop:cart (default-test), junit-jupiter
          would run, by mesh `method`: no record is true today
          newest record: passed, 2 hours ago; 2 of 812 facts are not true today:
            files of the module changed
            CIM method shop.Cart.add(int) changed
          nearest record: flaky, 2 days ago; 1 of 812 facts is not true today:
            CIM method shop.Cart.add(int) changed
          files written since the last run: data/prices.txt, log.txt
          the last time: 3 tests, 120 ms
        ");
    }

    #[test]
    fn what_was_not_told_apart() {
        let broken = [changed(Subject::Files), changed(Subject::Archives)];
        let entity = sample("shop.CartTest").broken(&broken);
        let mut realm = realm_report("shop:cart", 0);
        let coarse = [
            (CoarseKind::Files, "no row"),
            (CoarseKind::ClassNames, "no row"),
            (CoarseKind::Archives, "no row"),
        ];
        realm.coarse = coarse
            .map(|(what, reason)| not_told_apart(what, reason))
            .to_vec();
        let report = run_report(vec![entity], vec![realm]);
        let text = why(&view(Question::Why, &report), NOW, &Palette::plain());
        insta::assert_snapshot!(text, @r"
        shop.CartTest  shop:cart (default-test), junit-jupiter
          would run, by mesh `method`: no record is true today
          newest record: passed, 2 hours ago; 2 of 812 facts are not true today:
            files of the module changed
            the archives on the class path changed
          not told apart: files, archives: no row
          the last time: 3 tests, 120 ms
        ");
    }

    #[test]
    fn what_earlier_tests_relied_on() {
        let inherited = BrokenFact {
            is_inherited: true,
            ..changed_method("add")
        };
        insta::assert_snapshot!(check(sample("shop.CartTest").broken(&[inherited])), @r"
        shop.CartTest  shop:cart (default-test), junit-jupiter
          would run, by mesh `method`: no record is true today
          newest record: passed, 2 hours ago; 1 of 812 facts is not true today:
            CIM method shop.Cart.add(int) changed, which earlier tests of its JVM relied on
          the last time: 3 tests, 120 ms
        ");
    }

    #[test]
    fn red_stays_red() {
        let failed = Reason::NotPassed(0, RunVerdict::Failed);
        insta::assert_snapshot!(check(sample("shop.CartTest").because(failed)), @r"
        shop.CartTest  shop:cart (default-test), junit-jupiter
          would run, by mesh `method`: failed last time
          newest record: failed, 2 hours ago; all 812 facts are true today
          the last time: 3 tests, 120 ms
        ");
    }

    #[test]
    fn nothing_is_known_of_it() {
        insta::assert_snapshot!(check(sample("shop.CartTest").unknown()), @r"
        shop.CartTest  shop:cart (default-test), junit-jupiter
          would run, by mesh `method`: new: no record
        ");
        let mut realm = realm_report("shop:cart", 0);
        realm.unknown_classes.push("shop/SoonTest".to_owned());
        let report = run_report(Vec::new(), vec![realm]);
        let text = why(&view(Question::Why, &report), NOW, &Palette::plain());
        insta::assert_snapshot!(text, @r"
        shop.SoonTest  shop:cart (default-test)
          new, or not a test: no record knows it
        ");
    }

    #[test]
    fn a_run_that_could_not_be_relied_on() {
        let entity = sample("shop.GitTest").doubted_before("its JVM was killed");
        insta::assert_snapshot!(check(entity), @r"
        shop.GitTest  shop:cart (default-test), junit-jupiter
          would run, by mesh `method`: did not end last time, or not all that it saw is known
          newest record: incomplete, 2 hours ago; all 812 facts are true today
            not all that it saw is known: its JVM was killed
          the last time: 3 tests, 120 ms
        ");
    }

    #[test]
    fn many_facts_are_counted() {
        let broken: Vec<_> = (0..1_030)
            .map(|number| {
                let class = ClassName::from(format!("shop/Part{number}").as_str());
                changed(Subject::Head(class))
            })
            .collect();
        let text = check(sample("shop.CartTest").broken(&broken));
        assert!(text.contains("1,030 of 812 facts are not true today:"));
        assert!(text.contains("\n    and 1,010 more\n"), "{text}");
    }
}
