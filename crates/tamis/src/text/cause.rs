//! Why a test runs, in words.

use super::counts::listed;
use super::look_up;
use crate::escape::printable;
use crate::view::{
    BrokenFactView, DecidedEntityView, DecisionView, DifferenceView, FactView, OptionsView,
    RealmView, SetterView, VerdictView, call_in_source,
};

/// How many names of tests a sentence has at most.
const MAX_NAMES: usize = 3;

/// Why an entity runs: at least one sentence, or none if it does not run.
pub(crate) fn causes(entity: &DecidedEntityView, options: &OptionsView) -> Vec<String> {
    if entity.is_forced || options.run_all {
        return vec!["everything was asked for".to_owned()];
    }
    match &entity.decision {
        DecisionView::Skip { .. } => Vec::new(),
        DecisionView::Broken => broken_facts(entity),
        DecisionView::NotPassed {
            record: 0,
            verdict: VerdictView::Incomplete,
        } => doubts(entity),
        decision => vec![reason(decision, options)],
    }
}

/// What the rule says in a sentence.
pub(super) fn reason(decision: &DecisionView, options: &OptionsView) -> String {
    match decision {
        DecisionView::Skip { .. } => "everything it saw is still so, and it passed then".to_owned(),
        DecisionView::New => "new: no record".to_owned(),
        DecisionView::Always => "`always-run` names it, or a tag of its own".to_owned(),
        DecisionView::Companion { of } => {
            format!("it leaves something for {}, which runs", printable(of))
        }
        DecisionView::Old => match options.max_age_days {
            1 => "its records are older than a day".to_owned(),
            days => format!("its records are older than {days} days"),
        },
        DecisionView::Broken => "no record is true today".to_owned(),
        DecisionView::NotPassed { verdict, .. } => last_time(*verdict).to_owned(),
        DecisionView::NotCovered { tests, .. } => not_covered(tests),
    }
}

/// What of the nearest record is not true today.
fn broken_facts(entity: &DecidedEntityView) -> Vec<String> {
    let nearest = entity.nearest.as_ref().or(entity.newest.as_ref());
    match nearest {
        Some(record) if !record.broken.is_empty() => {
            record.broken.iter().map(broken_fact).collect()
        }
        _ => vec!["no record is true today".to_owned()],
    }
}

/// Why the last run could not be relied on.
fn doubts(entity: &DecidedEntityView) -> Vec<String> {
    let doubts = entity
        .newest
        .as_ref()
        .map_or(&[][..], |newest| &newest.doubts);
    let sentences = doubts.iter().map(|doubt| doubt_text(doubt));
    if doubts.is_empty() {
        vec![last_time(VerdictView::Incomplete).to_owned()]
    } else {
        sentences.collect()
    }
}

/// Why a run cannot be relied on.
pub(super) fn doubt_text(doubt: &str) -> String {
    format!("not all that it saw is known: {}", printable(doubt))
}

fn last_time(verdict: VerdictView) -> &'static str {
    match verdict {
        VerdictView::Passed => "passed last time",
        VerdictView::Failed => "failed last time",
        VerdictView::Flaky => "failed and then passed last time",
        VerdictView::Incomplete => "did not end last time, or not all that it saw is known",
    }
}

fn not_covered(tests: &[String]) -> String {
    let names: Vec<String> = tests.iter().map(|test| printable(test)).collect();
    let (last, others) = match names.as_slice() {
        [] => return "only records of some of its tests are true today".to_owned(),
        [name] if name.is_empty() => {
            return "the class itself is not covered by the record".to_owned();
        }
        [name] => return format!("test {name} is not covered by the record"),
        [others @ .., last] if names.len() <= MAX_NAMES => (last.clone(), others),
        _ => {
            let (named, rest) = names.split_at(MAX_NAMES);
            (format!("{} more", rest.len()), named)
        }
    };
    let others = others.join(", ");
    format!("tests {others} and {last} are not covered by the record")
}

/// What has become of something, in a sentence.
pub(super) fn broken_fact(broken: &BrokenFactView) -> String {
    let subject = fact(&broken.fact);
    match (&broken.fact, &broken.difference) {
        (FactView::Outside { what: "network" }, _) => {
            "it asked the network, and `network` is `always-run`".to_owned()
        }
        (FactView::Outside { .. }, _) => {
            "it started a program, and `processes` is `always-run`".to_owned()
        }
        (_, DifferenceView::Unknown { reason }) => {
            format!("{subject} cannot be told: {}", printable(reason))
        }
        (FactView::Dispatch { class, name, .. }, DifferenceView::LookUp(found)) => {
            look_up::change(name, found, &look_up::for_objects(&dotted(class)))
        }
        (FactView::Class { class }, DifferenceView::AsFile { changes }) => {
            counts_as_file(class, changes.as_deref())
        }
        (
            FactView::Setters { class, name, .. } | FactView::SettersElsewhere { class, name, .. },
            DifferenceView::Setters { new },
        ) => set_otherwise(&field(class, name), new),
        (FactView::Resolution { .. }, _) => format!("{subject} is another way"),
        (FactView::Callbacks { class }, DifferenceView::Changed) => format!(
            "{} has other methods that code outside of the class path may call",
            dotted(class)
        ),
        (FactView::Members { class }, DifferenceView::Changed) => {
            format!("{} has other members", dotted(class))
        }
        (FactView::Listing { path }, DifferenceView::Changed) => {
            format!("{} has other names in it", printable(path))
        }
        (FactView::Link { path }, DifferenceView::Changed) => {
            format!("{} leads elsewhere", printable(path))
        }
        (FactView::Presence { path }, DifferenceView::Changed) => {
            format!("{} is another kind of thing", printable(path))
        }
        (FactView::ClassNames, _) => "the class path has other classes".to_owned(),
        (FactView::Jvm, _) => "the JVM or its arguments changed".to_owned(),
        (FactView::Semantics, _) => "another version of Tamis has recorded it".to_owned(),
        (
            _,
            DifferenceView::Changed
            | DifferenceView::AsFile { .. }
            | DifferenceView::LookUp(_)
            | DifferenceView::Setters { .. },
        ) => format!("{subject} changed"),
        (_, DifferenceView::Gone) => format!("{subject} {} gone", is(&broken.fact)),
        (_, DifferenceView::Appeared) => format!("{subject} {} new", is(&broken.fact)),
    }
}

/// Other code sets a static field; what of it is new, if that is known.
fn set_otherwise(field: &str, new: &[SetterView]) -> String {
    let Some((first, others)) = new.split_first() else {
        return format!("other code sets {field}");
    };
    let first = format!("{}.{}", dotted(&first.class), printable(&first.name));
    match others.len() {
        0 => format!("{first} sets {field} now"),
        n => format!("{first} and {n} more set {field} now"),
    }
}

/// Why a class counts as changed as a file.
fn counts_as_file(class: &str, changes: Option<&[&str]>) -> String {
    let class = dotted(class);
    match changes {
        Some(changes) => {
            let verb = if changes.len() > 1 { "count" } else { "counts" };
            let changes = changes.join(" and ");
            format!("{changes} of {class} {verb} as a change of the file (--as-file)")
        }
        None => format!(
            "how {class} changed is not known, which counts as a change of the file (--as-file)"
        ),
    }
}

/// Which files of a module changed, as far as that can be told.
pub(crate) fn changed_files(realm: &RealmView) -> Option<String> {
    let names: Vec<String> = realm
        .changed_files
        .iter()
        .map(|file| printable(file))
        .collect();
    let is_any = !names.is_empty();
    is_any.then(|| format!("files written since the last run: {}", listed(&names)))
}

/// Whether an entity runs because files of its module changed, among other causes.
pub(crate) fn has_other_files(entity: &DecidedEntityView) -> bool {
    let records = [&entity.newest, &entity.nearest];
    let mut broken = records
        .into_iter()
        .flatten()
        .flat_map(|record| &record.broken);
    entity.is_selected && broken.any(|broken| broken.fact == FactView::Files)
}

fn is(fact: &FactView) -> &'static str {
    match fact {
        FactView::Files | FactView::Members { .. } | FactView::Archives | FactView::Properties => {
            "are"
        }
        _ => "is",
    }
}

/// What a fact is about.
pub(super) fn fact(fact: &FactView) -> String {
    match fact {
        FactView::Class { class } | FactView::Whole { class } => format!("class {}", dotted(class)),
        FactView::Head { class } | FactView::Declaration { class } => {
            format!("the declaration of {}", dotted(class))
        }
        FactView::Supertypes { class } => format!("what {} extends", dotted(class)),
        FactView::Aspect { class } => {
            format!("what {} extends or lists as part of it", dotted(class))
        }
        FactView::Members { class } => format!("the members of {}", dotted(class)),
        FactView::Fields { class } => format!("the list of fields of {}", dotted(class)),
        FactView::Signatures { class } => format!("the list of methods of {}", dotted(class)),
        FactView::Resolution {
            class,
            name,
            descriptor,
        } => format!("how {} is found", method(class, name, descriptor)),
        FactView::Dispatch {
            class,
            name,
            descriptor,
        } => {
            let call = call_in_source(name, descriptor);
            format!("what {} runs on {}", printable(&call), dotted(class))
        }
        FactView::Callbacks { class } => {
            format!("what others may call on {}", dotted(class))
        }
        FactView::Method {
            class,
            name,
            descriptor,
        } => method(class, name, descriptor),
        FactView::Block {
            class,
            name,
            descriptor,
            block,
            line,
        } => {
            let method = method(class, name, descriptor);
            match line {
                Some(line) => format!("the block at line {line} of {method}"),
                None => format!("block {block} of {method}"),
            }
        }
        FactView::AllSettersElsewhere => "all that sets fields of other classes".to_owned(),
        FactView::Field { class, name, .. } => format!("field {}", field(class, name)),
        FactView::Setters { class, name, .. } | FactView::SettersElsewhere { class, name, .. } => {
            format!("code that sets {}", field(class, name))
        }
        FactView::ClassNames => "the list of classes on the class path".to_owned(),
        FactView::Resource { name } => format!("resource {}", printable(name)),
        FactView::Archives => "the archives on the class path".to_owned(),
        FactView::File { path } => format!("file {}", printable(path)),
        FactView::Presence { path } => printable(path),
        FactView::Link { path } => format!("where {} leads", printable(path)),
        FactView::Listing { path } => format!("directory {}", printable(path)),
        FactView::Files => "files of the module".to_owned(),
        FactView::Configuration => "the configuration of the tests, or a property".to_owned(),
        FactView::Property { name } => format!("property {}", printable(name)),
        FactView::Properties => "the properties that the build sets".to_owned(),
        FactView::Variable { name } => format!("variable {}", printable(name)),
        FactView::Outside { what } => format!("the outside ({what})"),
        FactView::Environment => "the environment".to_owned(),
        FactView::Jvm => "the JVM".to_owned(),
        FactView::Semantics => "what Tamis looks at".to_owned(),
    }
}

fn field(class: &str, name: &str) -> String {
    format!("{}.{}", dotted(class), printable(name))
}

fn method(class: &str, name: &str, descriptor: &str) -> String {
    let class = dotted(class);
    match name {
        "<clinit>" => format!("the static initialiser of {class}"),
        "<init>" => {
            let call = call_in_source(&class, descriptor);
            format!("constructor {}", printable(&call))
        }
        _ => {
            let call = call_in_source(name, descriptor);
            format!("method {class}.{}", printable(&call))
        }
    }
}

/// The name of a class as Java writes it.
pub(super) fn dotted(class: &str) -> String {
    printable(&class.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fact: FactView, difference: DifferenceView, expected: &str) {
        assert_eq!(
            broken_fact(&BrokenFactView {
                fact,
                difference,
                kind: None,
                is_inherited: false
            }),
            expected
        );
    }

    fn method_fact(name: &str, descriptor: &str) -> FactView {
        FactView::Method {
            class: "shop/Cart".to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        }
    }

    #[test]
    fn methods() {
        use DifferenceView::{Appeared, Changed, Gone};
        let rebate = method_fact("rebate", "(I)I");
        check(rebate, Changed, "method shop.Cart.rebate(int) changed");
        let rebate = method_fact("rebate", "(I)I");
        check(rebate, Appeared, "method shop.Cart.rebate(int) is new");
        let made = method_fact("<init>", "(J)V");
        check(made, Gone, "constructor shop.Cart(long) is gone");
        let initialiser = method_fact("<clinit>", "()V");
        check(
            initialiser,
            Appeared,
            "the static initialiser of shop.Cart is new",
        );
        check(
            method_fact("a\u{1b}", "?"),
            Changed,
            "method shop.Cart.a\\u001b? changed",
        );
    }

    #[test]
    fn classes_that_count_as_changed_as_a_file() {
        let class = || FactView::Class {
            class: "shop/Cart".to_owned(),
        };
        let as_file = |changes| DifferenceView::AsFile { changes };
        check(
            class(),
            as_file(Some(vec!["AIM"])),
            "AIM of shop.Cart counts as a change of the file (--as-file)",
        );
        check(
            class(),
            as_file(Some(vec!["AIM", "CIM"])),
            "AIM and CIM of shop.Cart count as a change of the file (--as-file)",
        );
        check(
            class(),
            as_file(None),
            "how shop.Cart changed is not known, which counts as a change of the file (--as-file)",
        );
    }

    #[test]
    fn what_is_not_known_is_told() {
        let class = FactView::Whole {
            class: "a/B".to_owned(),
        };
        let unknown = DifferenceView::Unknown {
            reason: "no permission".to_owned(),
        };
        check(class, unknown, "class a.B cannot be told: no permission");
    }

    #[test]
    fn what_is_given_from_outside() {
        use DifferenceView::{Appeared, Changed};
        let name = || "shop.mode".to_owned();
        check(
            FactView::Property { name: name() },
            Appeared,
            "property shop.mode is new",
        );
        check(
            FactView::Properties,
            Changed,
            "the properties that the build sets changed",
        );
        let untrusted = || DifferenceView::Unknown {
            reason: String::new(),
        };
        check(
            FactView::Outside { what: "network" },
            untrusted(),
            "it asked the network, and `network` is `always-run`",
        );
        check(
            FactView::Outside { what: "process" },
            untrusted(),
            "it started a program, and `processes` is `always-run`",
        );
    }

    #[test]
    fn facts_about_everything() {
        use DifferenceView::{Appeared, Changed, Gone};
        let path = || "till/notes.txt".to_owned();
        check(
            FactView::File { path: path() },
            Changed,
            "file till/notes.txt changed",
        );
        check(
            FactView::Presence { path: path() },
            Appeared,
            "till/notes.txt is new",
        );
        check(
            FactView::Listing { path: path() },
            Changed,
            "till/notes.txt has other names in it",
        );
        check(
            FactView::Link { path: path() },
            Changed,
            "till/notes.txt leads elsewhere",
        );
        check(FactView::Files, Changed, "files of the module changed");
        check(FactView::Files, Appeared, "files of the module are new");
        check(
            FactView::ClassNames,
            Changed,
            "the class path has other classes",
        );
        let members = FactView::Members {
            class: "a/B$C".to_owned(),
        };
        check(members.clone(), Changed, "a.B$C has other members");
        check(members, Gone, "the members of a.B$C are gone");
    }

    #[test]
    fn who_sets_fields() {
        let setter = |class: &str, name: &str| SetterView {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
        };
        let field = || FactView::SettersElsewhere {
            class: "shop/A".to_owned(),
            name: "f".to_owned(),
            descriptor: "I".to_owned(),
        };
        let new = vec![setter("shop/Other", "<clinit>"), setter("shop/Cart", "add")];
        let one = DifferenceView::Setters {
            new: new[..1].to_vec(),
        };
        check(field(), one, "shop.Other.<clinit> sets shop.A.f now");
        let two = DifferenceView::Setters { new };
        check(
            field(),
            two,
            "shop.Other.<clinit> and 1 more set shop.A.f now",
        );
        let unknown = DifferenceView::Setters { new: Vec::new() };
        check(field(), unknown, "other code sets shop.A.f");
        let gone = DifferenceView::Gone;
        check(field(), gone, "code that sets shop.A.f is gone");
    }

    #[test]
    fn tests_that_are_not_covered() {
        let names = ["a()", "b()", "c()", "d()", "e()"].map(str::to_owned);
        let shown: Vec<String> = [1, 2, 3, 5].map(|n| not_covered(&names[..n])).into();
        assert_eq!(
            shown,
            [
                "test a() is not covered by the record",
                "tests a() and b() are not covered by the record",
                "tests a(), b() and c() are not covered by the record",
                "tests a(), b(), c() and 2 more are not covered by the record",
            ]
        );
        assert_eq!(
            not_covered(&[String::new()]),
            "the class itself is not covered by the record"
        );
    }
}
