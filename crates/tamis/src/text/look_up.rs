//! A look-up change (SPEC 2.5) in a sentence: `AIM Sub.f: Base.f now resolves to Sub.f for Sub`.
//!
//! Where it is no member that changed, but a class, that alone is named: `CH Sub: …`.

use super::cause::dotted;
use crate::escape::printable;
use crate::view::{LookUpView, TargetView};

/// Changes of a class, not of a member.
const OF_CLASSES: &[&str] = &["AF", "DF", "CH"];

/// Objects of these classes, on which a method is called.
pub(super) fn for_objects(classes: &str) -> String {
    format!("for {classes}")
}

/// Code that names a member by these classes.
pub(super) fn for_names(classes: &str) -> String {
    format!("by the name of {classes}")
}

/// What has become of looking for a member, for whom.
pub(super) fn change(member: &str, look_up: &LookUpView, whom: &str) -> String {
    let LookUpView {
        change,
        changed_class,
        before,
        now,
    } = look_up;
    let name = |class: &str| format!("{}.{}", dotted(class), printable(member));
    let kind = match (change, changed_class) {
        (Some(code), Some(class)) if OF_CLASSES.contains(code) => {
            format!("{code} {}: ", dotted(class))
        }
        (Some(code), Some(class)) => format!("{code} {}: ", name(class)),
        _ => String::new(),
    };
    let before = match before {
        Some(TargetView::Method { class }) => name(class),
        _ => printable(member),
    };
    match now {
        TargetView::Method { class } if name(class) == before => {
            format!("{kind}{before} may be called otherwise {whom}")
        }
        TargetView::Method { class } => {
            format!("{kind}{before} now resolves to {} {whom}", name(class))
        }
        TargetView::Abstract => format!("{kind}{before} is abstract now {whom}"),
        TargetView::Ambiguous { classes } => {
            let names: Vec<String> = classes.iter().map(|class| name(class)).collect();
            format!("{kind}{} are ambiguous {whom}", names.join(" and "))
        }
        TargetView::Nothing => format!("{kind}{before} is no longer found {whom}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(class: &str) -> TargetView {
        TargetView::Method {
            class: class.to_owned(),
        }
    }

    fn check(
        change: Option<(&'static str, &str)>,
        before: TargetView,
        now: TargetView,
        text: &str,
    ) {
        let look_up = LookUpView {
            change: change.map(|(code, _)| code),
            changed_class: change.map(|(_, class)| class.to_owned()),
            before: Some(before),
            now,
        };
        let whom = for_objects("Sub");
        assert_eq!(super::change("f", &look_up, &whom), text);
    }

    #[test]
    fn look_up_changes() {
        check(
            Some(("AIM", "Sub")),
            method("Base"),
            method("Sub"),
            "AIM Sub.f: Base.f now resolves to Sub.f for Sub",
        );
        check(
            Some(("DIM", "a/Mid")),
            method("a/Mid"),
            method("Base"),
            "DIM a.Mid.f: a.Mid.f now resolves to Base.f for Sub",
        );
        check(
            Some(("DIM", "Base")),
            method("Base"),
            TargetView::Nothing,
            "DIM Base.f: Base.f is no longer found for Sub",
        );
        check(
            Some(("AIM", "J")),
            method("I"),
            TargetView::Ambiguous {
                classes: vec!["I".to_owned(), "J".to_owned()],
            },
            "AIM J.f: I.f and J.f are ambiguous for Sub",
        );
        check(
            Some(("AIM", "Sub")),
            TargetView::Nothing,
            method("Sub"),
            "AIM Sub.f: f now resolves to Sub.f for Sub",
        );
        check(
            Some(("CH", "Sub")),
            method("Mid"),
            method("Base"),
            "CH Sub: Mid.f now resolves to Base.f for Sub",
        );
        check(
            None,
            method("Base"),
            TargetView::Abstract,
            "Base.f is abstract now for Sub",
        );
    }
}
