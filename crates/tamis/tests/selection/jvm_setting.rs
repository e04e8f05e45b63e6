//! How the JVM is started concerns all tests, once for each way; going back concerns nobody.

use std::path::PathBuf;

use tamis_testkit::jdks::jdks;

use crate::plain_program::{Launch, PlainProgram};

const TESTS: &[(&str, &str)] = &[
    (
        "CalmTest",
        "public class CalmTest { @org.junit.Test public void passes() { } }",
    ),
    (
        "PriceTest",
        "public class PriceTest { @org.junit.Test public void passes() { if (Price.value() != 1) throw new Error(); } }",
    ),
    ("Price", "class Price { static int value() { return 1; } }"),
];

#[test]
fn each_way_to_start_it_runs_all_once() {
    let program = PlainProgram::new(TESTS);
    let run = |launch: &Launch<'_>| program.run_as(launch);
    let usual = Launch::default();
    let mut others = vec![
        Launch {
            jvm_options: &["-ea"],
            ..Launch::default()
        },
        Launch {
            jvm_options: &["-Dfile.encoding=ISO-8859-1"],
            ..Launch::default()
        },
        Launch {
            variables: &[("TZ", "Asia/Tokyo")],
            ..Launch::default()
        },
    ];
    let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature != 17);
    let launcher: Option<PathBuf> = jdk.map(|jdk| jdk.java());
    others.extend(launcher.as_deref().map(|launcher| Launch {
        launcher: Some(launcher),
        ..Launch::default()
    }));
    let all = program.tests();
    run(&usual).assert_ran(&all);
    for launch in &others {
        run(launch).assert_ran(&all);
    }
    run(&usual).assert_ran(&[]);
    run(&others[0]).assert_ran(&[]);
}
