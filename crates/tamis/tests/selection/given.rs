//! What tests are given from outside of their JVM: properties of the build, one by one, and what no fact covers.

use crate::project::{ALPHABETICAL, JUNIT_4, Project};

const TESTS: &[(&str, &str)] = &[
    ("ACalmTest", ""),
    (
        "BModeTest",
        "if (\"bad\".equals(System.getProperty(\"shop.mode\"))) throw new Error();",
    ),
    (
        "CConfiguredTest",
        "if (!\"good\".equals(System.getProperty(\"shop.mood\"))) throw new Error();",
    ),
    (
        "DNetworkTest",
        "try (java.net.ServerSocket server = new java.net.ServerSocket(0);
              java.net.Socket client = new java.net.Socket(\"localhost\", server.getLocalPort())) { client.getPort(); }",
    ),
    // Who has the table may change it for those that read it later.
    (
        "EAllTest",
        "if (System.getProperties().containsKey(\"shop.sale\")) throw new Error();",
    ),
];

fn project() -> Project {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    project.edit(
        "pom.xml",
        "</runOrder>",
        "</runOrder><systemPropertyVariables><shop.mood>good</shop.mood></systemPropertyVariables>",
    );
    for (name, body) in TESTS {
        project.test_class(&JUNIT_4, name, &[("looks", body)]);
    }
    project
}

#[test]
fn each_concerns_those_that_looked() {
    let project = project();
    let good = ["-Dshop.mode=good"];
    let all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    project.test(&good).assert_ran(&all);
    project.test(&good).assert_idle(all.len());

    let bad = project.test(&["-Dshop.mode=bad"]);
    bad.assert_verdicts(&[("BModeTest", "failed"), ("EAllTest", "passed")]);
    let none = project.test(&[]);
    none.assert_ran(&["BModeTest", "EAllTest"]);
    let sale = project.test(&["-Dshop.mode=good", "-Dshop.sale=1"]);
    sale.assert_verdicts(&[("EAllTest", "failed")]);
    project.edit("pom.xml", ">good</shop.mood>", ">bad</shop.mood>");
    let mood = project.test(&good);
    mood.assert_verdicts(&[("CConfiguredTest", "failed"), ("EAllTest", "passed")]);
    project.edit("pom.xml", ">bad</shop.mood>", ">good</shop.mood>");
    // What the JDK may read where nobody sees it concerns all.
    let zone = project.test(&["-Dshop.mode=good", "-Duser.country=CH"]);
    zone.assert_ran(&all);
    // So does what the build configures for all JVMs, whoever looks at it.
    for more in [
        "<argLine>-Dshop.line=1</argLine>",
        "<environmentVariables><SHOP_MOOD>good</SHOP_MOOD></environmentVariables>",
    ] {
        let configured = format!("</runOrder>{more}");
        project.edit("pom.xml", "</runOrder>", &configured);
        project.test(&good).assert_ran(&all);
        project.edit("pom.xml", &configured, "</runOrder>");
    }
    project.test(&good).assert_ran(&[]);
}

#[test]
fn what_no_fact_covers_is_trusted_or_runs_each_time() {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    let (calm, network) = (TESTS[0], TESTS[3]);
    let process = (
        "FProcessTest",
        "if (new ProcessBuilder(\"true\").start().waitFor() != 0) throw new Error();",
    );
    for (name, body) in [calm, network, process] {
        project.test_class(&JUNIT_4, name, &[("looks", body)]);
    }
    let all = [calm.0, network.0, process.0];
    let first = project.test(&[]);
    first.assert_ran(&all);
    let untracked = first.report["untracked"].as_array().unwrap();
    assert_eq!(untracked.len(), 2, "{first:#?}");
    // The last of them is what no record tells in any project.
    let told = project.diagnoses("not tracked", true);
    let expected = [
        "1 test class started a process: true",
        "1 test class talked to a program on this machine",
    ];
    assert_eq!(told[..told.len() - 1], expected);
    let apart = project.diagnoses("not told apart", true);
    assert_eq!(
        apart,
        ["files, variables and properties: a program was started that is no JVM"]
    );
    // Each summary names what is skipped on trust.
    let skipped = project.test(&[]);
    skipped.assert_idle(all.len());
    let untracked = skipped.report["untracked"].as_array().unwrap().iter();
    let untracked: Vec<String> = untracked
        .map(|one| format!("{} {}", one["n_entities"], one["what"].as_str().unwrap()))
        .collect();
    let expected = [
        "1 asked the network or another program when it last ran, and is skipped on trust",
        "1 started a program that is no JVM when it last ran, and is skipped on trust",
    ];
    assert_eq!(untracked, expected);

    let run = |options: &[&str]| project.test_with(options, &[]);
    let always = run(&["--network", "always-run"]);
    always.assert_ran(&[network.0]);
    let entities = always.report["entities"].as_array().unwrap().iter();
    let mut selected = entities.filter(|entity| entity["is_selected"] == true);
    let reason = &selected.next().unwrap()["newest"]["broken"][0];
    assert_eq!(
        (&reason["subject"], &reason["what"]),
        (&"outside".into(), &"network".into())
    );
    run(&["--processes", "always-run"]).assert_ran(&[process.0]);
    let set = project.test_in(&[("TAMIS_NETWORK", "always-run")], &[]);
    set.assert_ran(&[network.0]);
}
