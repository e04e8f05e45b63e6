//! How the JVM is started concerns all tests, once for each way; going back concerns nobody.

use std::mem;
use std::path::PathBuf;

use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::artifacts;

use crate::plain_program::{Launch, PlainProgram};
use crate::project::{ALPHABETICAL, JUNIT_4, Project};

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
fn what_is_in_a_file_of_options_runs_all_once() {
    let program = PlainProgram::new(TESTS);
    let all = program.tests();
    let options = ["-XX:VMOptionsFile=vm.options"];
    for (options, variables) in [
        (&options[..], &[][..]),
        (&[], &[("JAVA_TOOL_OPTIONS", options[0])]),
        (&["@vm.options"], &[]),
    ] {
        let run = || {
            program.run_as(&Launch {
                jvm_options: options,
                variables,
                ..Launch::default()
            })
        };
        for text in ["-Dshop.mode=1", "-Dshop.mode=2"] {
            program.project.write("vm.options", text);
            run().assert_ran(&all);
            run().assert_ran(&[]);
        }
    }
}

#[test]
fn maven_starts_no_jvm_only_if_its_files_of_options_are_as_they_were() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.edit(
        "pom.xml",
        "</runOrder>",
        "</runOrder><argLine>@conf/jvm.args</argLine>",
    );
    let body = "if (!\"1\".equals(System.getProperty(\"shop.mode\"))) throw new Error();";
    project.test_class(&JUNIT_4, "ModeTest", &[("looks", body)]);
    project.write("conf/jvm.args", "-Dshop.mode=1");
    project.test(&[]).assert_ran(&["ModeTest"]);
    project.test(&[]).assert_idle(1);
    project.write("conf/jvm.args", "-Dshop.mode=2");
    project.test(&[]).assert_verdicts(&[("ModeTest", "failed")]);
    project.write("conf/jvm.args", "-Dshop.mode=1");
    project.test(&[]).assert_ran(&[]);
    project.test(&[]).assert_idle(1);
}

#[test]
fn what_the_launcher_is_told_runs_all_once_and_the_choice_of_tests_nobody() {
    let sources = TESTS
        .iter()
        .map(|(name, text)| (*name, text.replace("org.junit.Test", "Test")));
    let sources: Vec<(&str, String)> = sources.collect();
    let sources: Vec<(&str, &str)> = sources.iter().map(|(n, t)| (*n, &**t)).collect();
    let program = PlainProgram::of_jupiter(&sources);
    let all = program.tests();
    let run = |arguments: &[&str]| {
        let mut places = vec![program.project.path("classes")];
        places.extend(program.libraries.iter().cloned());
        let main = ["org.junit.platform.console.ConsoleLauncher", "execute"];
        let arguments = [&main, arguments].concat();
        program
            .project
            .java(&Launch::default(), &places, &arguments)
    };
    let both = ["-c", "shop.CalmTest", "-c", "shop.PriceTest"];
    let with = |more: &[&str]| run(&[&both, more].concat());
    run(&both).assert_ran(&all);
    run(&["--select-package=shop", "--details=none"]).assert_ran(&[]);
    program
        .project
        .write("choice", "--select-class=shop.CalmTest --reports-dir=out");
    run(&["@choice"]).assert_ran(&[]);
    with(&["--config", "shop.mode=1"]).assert_ran(&all);
    with(&["--config", "shop.mode=1"]).assert_ran(&[]);
    with(&["--config", "shop.mode=2"]).assert_ran(&all);
    program
        .project
        .write("choice", "--select-package=shop --config=shop.mode=3");
    run(&["@choice"]).assert_ran(&all);
    program
        .project
        .write("choice", "--select-package=shop --config=shop.mode=4");
    run(&["@choice"]).assert_ran(&all);
    run(&both).assert_ran(&[]);
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
