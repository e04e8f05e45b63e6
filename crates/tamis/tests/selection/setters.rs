//! Code that begins to set a static field, or no longer does: whoever looks at that field runs.

use crate::plain::{compile, looking_test, test};
use crate::project::{Project, Ran};

/// Two fields that anybody may set.
const SETTINGS: &str = "package shop; public class Settings {
    public static int mode = 1; public static int other = 1; public static int mode() { return mode; } }";

/// What the first test uses; `CODE` is what an edit changes.
const USED: &str = "package shop; public class Used { CODE
    public static int get() { return 1; } }";

/// Sets the field by a method that nobody calls yet.
const CALLED: &str = "public static void set() { Settings.mode = 2; }";

const INITIALISING: &str = "static { Settings.mode = 2; }";

const SETTING_ANOTHER: &str = "static { Settings.other = 2; }";

/// A project in which `Used` has this code. `AUsesTest` runs before the two that look at a field.
struct Edited {
    project: Project,
    bodies: [(&'static str, String); 3],
}

const ALL: [&str; 3] = ["AUsesTest", "BModeTest", "COtherTest"];

impl Edited {
    fn new(granularity: &str, code: &str) -> Self {
        let bodies = [
            ("AUsesTest", "Used.get() != 1"),
            ("BModeTest", "Settings.mode() != 1"),
            ("COtherTest", "Settings.other == 0"),
        ];
        let project = Project::empty(17);
        project.write("tamis.toml", &format!("granularity = '{granularity}'\n"));
        let edited = Self {
            project,
            bodies: bodies.map(|(name, wrong)| (name, looking_test(name, wrong))),
        };
        edited.edit(code).assert_ran(&ALL);
        edited.edit(code).assert_ran(&[]);
        edited
    }

    fn edit(&self, code: &str) -> Ran {
        let used = USED.replace("CODE", code);
        let mut sources = vec![("Settings", SETTINGS), ("Used", used.as_str())];
        sources.extend(
            self.bodies
                .iter()
                .map(|(name, text)| (*name, text.as_str())),
        );
        compile(&self.project, &sources, "1");
        test(&self.project, &ALL)
    }
}

const GRANULARITIES: [&str; 2] = ["class", "method"];

#[test]
fn an_initialiser_that_begins_to_set_a_field_of_another_class_is_not_missed() {
    for granularity in GRANULARITIES {
        let edited = Edited::new(granularity, "");
        let verdicts = [("AUsesTest", "passed"), ("BModeTest", "failed")];
        let ran = edited.edit(INITIALISING);
        ran.assert_verdicts_of(&verdicts, granularity);
        assert!(
            ran.report.to_string().contains(r#""name":"<clinit>""#),
            "{ran:#?}"
        );
        // Red stays red.
        let again = edited.edit(INITIALISING);
        assert_eq!(again.verdicts["BModeTest"], "failed", "{again:#?}");
        // Nothing sets it any more, and that is known to be green.
        edited.edit("").assert_ran(&[]);
    }
}

#[test]
fn a_method_that_begins_to_set_a_field_is_not_missed() {
    let calling = "static { set(); } ";
    let silent = CALLED.replace("Settings.mode = 2;", "");
    for granularity in GRANULARITIES {
        let edited = Edited::new(granularity, &format!("{calling}{silent}"));
        let verdicts = [("AUsesTest", "passed"), ("BModeTest", "failed")];
        let ran = edited.edit(&format!("{calling}{CALLED}"));
        ran.assert_verdicts_of(&verdicts, granularity);
    }
}

#[test]
fn a_setter_that_is_gone_is_not_missed() {
    for granularity in GRANULARITIES {
        let edited = Edited::new(granularity, CALLED);
        let ran = edited.edit("");
        assert!(ran.verdicts.contains_key("BModeTest"), "{ran:#?}");
        assert!(!ran.verdicts.contains_key("COtherTest"), "{ran:#?}");
    }
}

#[test]
fn a_setter_of_another_field_selects_nobody_who_looks_elsewhere() {
    for granularity in GRANULARITIES {
        let edited = Edited::new(granularity, "");
        let ran = edited.edit(SETTING_ANOTHER);
        assert!(!ran.verdicts.contains_key("BModeTest"), "{ran:#?}");
        edited.edit(SETTING_ANOTHER).assert_ran(&[]);
    }
}
