//! A look-up change (SPEC 2.5) in a sentence: `AIM Sub.f: Base.f now resolves to Sub.f for Sub`.

use super::cause::dotted;
use crate::escape::printable;
use crate::view::{DifferenceView, TargetView};

/// What has become of calls of a method on objects of a class.
pub(super) fn change(receiver: &str, method: &str, difference: &DifferenceView) -> String {
    let DifferenceView::LookUp {
        change,
        changed_class,
        before,
        now,
    } = difference
    else {
        return String::new();
    };
    let name = |class: &str| format!("{}.{}", dotted(class), printable(method));
    let kind = match (change, changed_class) {
        (Some(code), Some(class)) => format!("{code} {}: ", name(class)),
        _ => String::new(),
    };
    let before = match before {
        Some(TargetView::Method { class }) => name(class),
        _ => printable(method),
    };
    let receiver = dotted(receiver);
    match now {
        TargetView::Method { class } if name(class) == before => {
            format!("{kind}{before} may be called otherwise for {receiver}")
        }
        TargetView::Method { class } => {
            format!(
                "{kind}{before} now resolves to {} for {receiver}",
                name(class)
            )
        }
        TargetView::Abstract => format!("{kind}{before} is abstract now for {receiver}"),
        TargetView::Ambiguous { classes } => {
            let names: Vec<String> = classes.iter().map(|class| name(class)).collect();
            format!("{kind}{} are ambiguous for {receiver}", names.join(" and "))
        }
        TargetView::Nothing => format!("{kind}{before} is no longer found for {receiver}"),
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
        let difference = DifferenceView::LookUp {
            change: change.map(|(code, _)| code),
            changed_class: change.map(|(_, class)| class.to_owned()),
            before: Some(before),
            now,
        };
        assert_eq!(super::change("Sub", "f", &difference), text);
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
            None,
            method("Base"),
            TargetView::Abstract,
            "Base.f is abstract now for Sub",
        );
    }
}
