//! The JUnit Platform through its console: which entities and tests there are, and how they go.

use crate::traced::{Program, Scenario, Traced, smoke_jdks};

const V1_3: &str = "org.junit.platform:junit-platform-console-standalone:1.3.2";
const V1_10: &str = "org.junit.platform:junit-platform-console-standalone:1.10.5";
const V1_13: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";
pub(crate) const V6: &str = "org.junit.platform:junit-platform-console-standalone:6.0.1";

/// Classes with a version of the platform; they were compiled with the oldest that has what they need.
pub(crate) fn platform_of(version: &str, sources: &str, arguments: &[&str]) -> Scenario {
    let compile_with = if sources == "suites" { V1_10 } else { V1_3 };
    let mut main = vec!["org.junit.platform.console.ConsoleLauncher"];
    if version == V1_3 {
        // It takes the name for the name of a test only if that ends with it.
        main.extend(["--include-classname", ".*", "--details", "tree"]);
    } else {
        main.extend(["execute", "--details", "tree"]);
    }
    for argument in arguments {
        if !argument.starts_with('-') {
            main.push("-c");
        }
        main.push(argument);
    }
    Program::new(sources, &[compile_with], &[version]).run(&main)
}

/// Classes of Jupiter with the newest version.
pub(crate) fn platform(arguments: &[&str]) -> Scenario {
    platform_of(V6, "platform", arguments)
}

/// How many tests the console says there were: found, skipped, aborted, successful, failed.
pub(crate) fn counts(traced: &Traced) -> [u32; 5] {
    let stdout = traced.stdout();
    ["found", "skipped", "aborted", "successful", "failed"].map(|what| {
        let line = stdout
            .lines()
            .find(|line| line.starts_with('[') && line.contains(&format!(" tests {what} ")));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number
            .unwrap_or_else(|| panic!("{stdout}"))
            .parse()
            .unwrap()
    })
}

const ALL_KINDS: [&str; 12] = [
    "Kinds$Plain",
    "Kinds$Repeated",
    "Kinds$Factory",
    "Kinds$Outer",
    "Kinds$PerClass",
    "Kinds$Extended",
    "Kinds$BeforeAllFails",
    "Kinds$BeforeAllAssumes",
    "Kinds$AfterAllFails",
    "Kinds$DisabledClass",
    "Kinds$NoTests",
    "Kinds$Overloaded",
];

const ALL_ENTITIES: &str = "\
Kinds$Plain class, failed (assumes() aborted, disabled() skipped, fails() failed, passes() passed)
Kinds$Repeated class, failed (again() passed, isOne(int) failed, template() passed)
Kinds$Factory class, failed (made() failed)
Kinds$Outer class, passed (Inner/Innermost/deepInside() passed, Inner/inside() passed, Never/never() skipped, outside() passed)
Kinds$PerClass class, passed (one() passed, two() passed)
Kinds$Extended class, passed (notToday() skipped, one() passed)
Kinds$BeforeAllFails class, failed (never() not told)
Kinds$BeforeAllAssumes class, aborted (never() not told)
Kinds$AfterAllFails class, failed (passes() passed)
Kinds$DisabledClass class, skipped (Inner/neverEither() skipped, never() skipped)
Kinds$Overloaded class, failed (same() passed, same(org.junit.jupiter.api.TestInfo) failed)
";

/// Each version on the JDK that is the oldest it runs on, or the newest.
#[test]
fn tests_of_every_kind_in_every_version() {
    let mut jdks = smoke_jdks().into_iter();
    let oldest = jdks.next().unwrap();
    let newest = jdks.next_back().unwrap_or_else(|| oldest.clone());
    let between = jdks.next().unwrap_or_else(|| newest.clone());
    for (version, jdk) in [
        (V1_3, &oldest),
        (V1_10, &oldest),
        (V1_13, &newest),
        (V6, &between),
        (V6, &newest),
    ] {
        let traced = platform_of(version, "platform", &ALL_KINDS).on(jdk).trace();
        let context = format!("{version} on JDK {}", jdk.feature);
        assert_eq!(traced.code(), 1, "{context}");
        assert_eq!(traced.entities(), ALL_ENTITIES, "{context}");
    }
}

#[test]
fn by_method_set_up_of_the_class_is_around_each() {
    let classes = [
        "Kinds$Outer",
        "Kinds$PerClass",
        "Kinds$Extended",
        "Kinds$Factory",
    ];
    let traced = platform(&classes).by_method().trace();
    assert_eq!(
        traced.relied("Kinds$Outer#Inner/inside()"),
        "ran: Outer.<init> Outer.before Inner.<init> Inner.inside Inner.helper\n"
    );
    assert_eq!(
        traced.relied("Kinds$PerClass#two()"),
        "ran: PerClass.two PerClass.onlyTwo\n\
         around: PerClass.<init> PerClass.before PerClass.after\n"
    );
    assert_eq!(
        traced.relied("Kinds$Extended#one()"),
        "ran: Callbacks.afterEach Callbacks.evaluateExecutionCondition Extended.<init> Extended.one\n\
         around: Callbacks.<init> Callbacks.beforeAll\n"
    );
    assert_eq!(
        traced.relied("Kinds$Factory#made()"),
        "ran: Factory.<init> Factory.made Factory.one Factory.lambda$made$0\n"
    );
}

#[test]
fn a_filtered_run_shows_fewer_tests() {
    let traced = platform(&["--exclude-tag=slow", "Kinds$Tagged"]).trace();
    assert_eq!(
        traced.entities(),
        "Kinds$Tagged class, passed (quick() passed)\n"
    );
}

#[test]
fn classes_that_overlap_rely_on_what_both_ran() {
    let scenario = [
        "-Djunit.jupiter.execution.parallel.enabled=true",
        "-Djunit.jupiter.execution.parallel.mode.default=concurrent",
        "-Djunit.jupiter.execution.parallel.config.strategy=fixed",
        "-Djunit.jupiter.execution.parallel.config.fixed.parallelism=2",
    ]
    .into_iter()
    .fold(platform(&["Parallel$One", "Parallel$Two"]), Scenario::java);
    let traced = scenario.trace();
    for class in ["Parallel$One", "Parallel$Two"] {
        for method in ["One.onlyOne", "Two.onlyTwo"] {
            assert_eq!(traced.why(class, method).as_deref(), Some("ran"));
        }
    }
}

#[test]
fn a_suite_of_the_platform_holds_entities() {
    for version in [V1_10, V6] {
        let traced = platform_of(version, "suites", &["Suites$Around"]).trace();
        assert_eq!(
            traced.entities(),
            "Suites$Around container, passed\n\
             Suites$Both container in Suites$Around, passed\n\
             Suites$First class in Suites$Both, passed (first() passed)\n\
             Suites$Second class in Suites$Both, passed (second() passed)\n"
        );
        assert_eq!(traced.said(), "first, second");
    }
}

#[test]
fn tests_of_junit_4_run_as_they_do_without_the_platform() {
    let classes = [
        "Runners$Outer",
        "Runners$Parameters",
        "Runners$Quick",
        "Runners$Direct",
        "Runners$Words",
        "Runners$Twice",
        "Runners$SameNamesFails",
        "Runners$SameNamesPasses",
        "Old$Case",
        "Old$All",
        "Outcomes$Plain",
        "Outcomes$IgnoredClass",
        "Outcomes$BeforeClassFails",
        "Outcomes$BeforeClassAssumes",
        "Outcomes$RunnerFails",
    ];
    for version in [V1_3, V6] {
        let traced = platform_of(version, "junit4", &classes).trace();
        assert_eq!(
            traced.entities(),
            "Runners$Outer container, passed\n\
             Runners$Inner container in Runners$Outer, passed\n\
             Runners$First class in Runners$Inner in Runners$Quick, passed (first passed), passed (first passed)\n\
             Runners$Second class in Runners$Inner, passed (second passed)\n\
             Runners$Third class in Runners$Outer, passed (third passed)\n\
             Runners$Parameters class, failed (isOne failed, isPositive passed)\n\
             Runners$Quick container, passed\n\
             Runners$Mixed class in Runners$Quick, passed (quick passed)\n\
             Runners$Direct class, failed (breaks failed, works passed)\n\
             Runners$Words class, passed (hello passed)\n\
             Runners$Twice class, passed (twice passed)\n\
             Runners$SameNamesFails class, failed (scenario failed)\n\
             Runners$SameNamesPasses class, passed (scenario passed)\n\
             Old$Case class, failed (testOne passed, testTwo failed)\n\
             Old$All class, failed (Old$Case/testOne passed, Old$Case/testTwo failed, Old$Other/testOne passed)\n\
             Outcomes$Plain class, failed (assumes aborted, fails failed, ignored skipped, passes passed)\n\
             Outcomes$IgnoredClass class, skipped (never skipped)\n\
             Outcomes$BeforeClassFails class, failed (never not told)\n\
             Outcomes$BeforeClassAssumes class, aborted (never not told)\n\
             Outcomes$RunnerFails class, failed (initializationError failed)\n",
            "{version}"
        );
    }
}
