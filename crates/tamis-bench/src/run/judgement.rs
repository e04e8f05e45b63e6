//! Whether a tool ran the tests that it should have, as far as that is known.

use super::contestant::{Contestant, Occasion, Tool};
use super::ran::Ran;
use super::subject::Change;

/// What is to be said of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    Right,
    /// It runs more than it has to.
    Imprecise(String),
    /// It left out what the change concerns.
    Unsafe(String),
    /// It is not what is measured here: tests are missing where all must run.
    Wrong(String),
}

/// Judges by the tests that ran, by all that there are, and by what changed.
pub(super) fn judge(
    contestant: Contestant,
    ran: &Ran,
    all: &Ran,
    change: Option<&Change>,
) -> Judgement {
    let (n_ran, n_all) = (ran.n_tests(), all.n_tests());
    let Contestant { tool, occasion } = contestant;
    let n_wanted = if tool == Tool::SkipTests { 0 } else { n_all };
    if !tool.selects() || occasion == Occasion::First {
        return if n_ran == n_wanted {
            Judgement::Right
        } else {
            Judgement::Wrong(format!("{n_ran} tests ran, not {n_wanted}"))
        };
    }
    match change {
        Some(change) => after_change(ran, all, change),
        None if n_ran == 0 => Judgement::Right,
        None => Judgement::Imprecise(format!(
            "with nothing changed it runs {n_ran} of {n_all} tests again"
        )),
    }
}

fn after_change(ran: &Ran, all: &Ran, change: &Change) -> Judgement {
    let (n_ran, n_all) = (ran.n_tests(), all.n_tests());
    let missed = change.concerned.iter().filter(|class| !ran.has(class));
    let missed: Vec<&str> = missed.map(String::as_str).collect();
    if !missed.is_empty() {
        return Judgement::Unsafe(format!(
            "unsafe: it runs {n_ran} tests after a change, {} not among them",
            missed.join(", ")
        ));
    }
    let n_concerned = change.n_concerned;
    if let Some(n_concerned) = n_concerned.filter(|n_concerned| n_ran < *n_concerned) {
        return Judgement::Unsafe(format!(
            "unsafe: it runs {n_ran} tests after a change that concerns {n_concerned}"
        ));
    }
    let is_known_to_be_more = n_concerned.is_some_and(|n_concerned| n_ran > n_concerned);
    if is_known_to_be_more || n_ran == n_all {
        return Judgement::Imprecise(format!(
            "after a change it runs {n_ran} of {n_all} tests{}",
            n_concerned.map_or(String::new(), |n| format!(
                ", of which the change concerns {n}"
            ))
        ));
    }
    Judgement::Right
}

#[cfg(test)]
mod tests {
    use super::super::contestant::{JACOCO, PLAIN, SKIP_TESTS, of};
    use super::*;
    use tamis_check::Peer;

    const PEER: Tool = Tool::Peer(Peer::Ekstazi);

    fn check(contestant: Contestant, ran: &[(&str, usize)], change: Option<&Change>) -> String {
        let all = Ran::of(&[("ATest", 5), ("BTest", 5), ("CTest", 90)]);
        match judge(contestant, &Ran::of(ran), &all, change) {
            Judgement::Right => "right".to_owned(),
            Judgement::Imprecise(text) | Judgement::Unsafe(text) => text,
            Judgement::Wrong(text) => format!("wrong: {text}"),
        }
    }

    #[test]
    fn who_does_not_select_runs_everything() {
        let all = [("ATest", 5), ("BTest", 5), ("CTest", 90)];
        for contestant in [PLAIN, JACOCO, of(PEER, Occasion::First)] {
            assert_eq!(check(contestant, &all, None), "right");
            let some = check(contestant, &all[..1], None);
            assert_eq!(some, "wrong: 5 tests ran, not 100");
        }
        assert_eq!(check(SKIP_TESTS, &[], None), "right");
        let some = check(SKIP_TESTS, &all[..1], None);
        assert_eq!(some, "wrong: 5 tests ran, not 0");
    }

    #[test]
    fn with_nothing_changed_nothing_is_to_run() {
        let unchanged = of(PEER, Occasion::Unchanged);
        assert_eq!(check(unchanged, &[], None), "right");
        let again = check(unchanged, &[("CTest", 90)], None);
        assert_eq!(again, "with nothing changed it runs 90 of 100 tests again");
    }

    #[test]
    fn after_a_change_what_it_concerns_is_to_run() {
        let changed = of(PEER, Occasion::MethodChanged);
        let known = Change::of_classes(&["ATest"], Some(5));
        let vaguely = Change::of_classes(&["ATest"], None);
        for change in [&known, &vaguely] {
            assert_eq!(check(changed, &[("ATest", 5)], Some(change)), "right");
            let missed = check(changed, &[("BTest", 5)], Some(change));
            let expected = "unsafe: it runs 5 tests after a change, ATest not among them";
            assert_eq!(missed, expected);
        }
        let more = [("ATest", 5), ("BTest", 5)];
        assert_eq!(check(changed, &more, Some(&vaguely)), "right");
        let expected = "after a change it runs 10 of 100 tests, of which the change concerns 5";
        assert_eq!(check(changed, &more, Some(&known)), expected);
        let all = [("ATest", 5), ("BTest", 5), ("CTest", 90)];
        let all = check(changed, &all, Some(&vaguely));
        assert_eq!(all, "after a change it runs 100 of 100 tests");
    }
}
