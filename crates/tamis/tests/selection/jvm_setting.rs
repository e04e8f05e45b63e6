//! How the JVM is started concerns all tests, once for each way; going back concerns nobody.

use std::mem;
use std::path::PathBuf;

use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::artifacts;

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
        Launch {
            variables: &[("LANG", "de_CH.UTF-8")],
            ..Launch::default()
        },
        Launch {
            variables: &[("LC_ALL", "fr_FR")],
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

#[test]
fn each_version_of_the_framework_and_each_module_runs_all_once() {
    let mut program = PlainProgram::new(TESTS);
    program.run().assert_ran(&program.tests());
    let older = artifacts(&["junit:junit:4.12", "org.hamcrest:hamcrest-core:1.3"]).unwrap();
    let newer = mem::replace(&mut program.libraries, older);
    program.run().assert_ran(&program.tests());
    program.libraries = newer;
    program.run().assert_ran(&[]);
    for module in ["module shop { }", "module shop { opens shop; }"] {
        declare(&program, module);
        program.run().assert_ran(&program.tests());
    }
    declare(&program, "module shop { }");
    program.run().assert_ran(&[]);
}

/// Makes the classes those of a module.
fn declare(program: &PlainProgram, module: &str) {
    let project = &program.project;
    project.write("module/module-info.java", module);
    let javac = project.launcher().with_file_name("javac");
    let mut command = project.command(javac.to_str().unwrap());
    command.args(["-nowarn", "-d", "classes", "module/module-info.java"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
