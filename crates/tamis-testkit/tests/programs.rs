//! The sample programs themselves: with ASM's probes they print what they print without, and hit
//! what they state by hand.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use tamis_build::Jdk;
use tamis_testkit::javap::javap;
use tamis_testkit::jdks::jdks;
use tamis_testkit::program::{Build, Program, probe_with_asm, programs};
use tamis_testkit::run;
use tamis_testkit::server::{Bracket, Classes, JavaServer, Launch, Run};

/// What every JDK found compiles runs on that JDK, what the oldest compiles also on the newest, and
/// what other compilers made on all.
#[test]
fn programs_run_alike_with_probes_and_hit_what_they_state() {
    let jdks = jdks().unwrap();
    let mut servers: Vec<_> = jdks
        .iter()
        .map(|jdk| JavaServer::start(jdk).unwrap())
        .collect();
    for program in programs().unwrap() {
        for build in &program.builds {
            let path = build.library_jars().unwrap();
            for (compiling, running) in pairs(&jdks, build) {
                let classes = program.compile(build, &mut servers[compiling]).unwrap();
                let launch = Launch {
                    path: &path,
                    classes: &classes,
                    main: &program.main,
                };
                let context = format!(
                    "{}, {} of JDK {} on JDK {}",
                    program.name, build.name, jdks[compiling].feature, jdks[running].feature
                );
                check(&mut servers[running], &program, &launch, &context);
            }
        }
    }
}

/// Which JDK compiles and which runs, as indices.
fn pairs(jdks: &[Jdk], build: &Build) -> Vec<(usize, usize)> {
    let running = (0..jdks.len()).filter(|&i| build.runs_on(&jdks[i]));
    if !build.is_javac() {
        return running.map(|i| (0, i)).collect();
    }
    let compiling = (0..jdks.len()).filter(|&i| build.compiles_on(&jdks[i]));
    let mut pairs: Vec<_> = compiling.map(|i| (i, i)).collect();
    pairs.extend(pairs.first().map(|&(oldest, _)| (oldest, jdks.len() - 1)));
    pairs
}

fn check(server: &mut JavaServer, program: &Program, launch: &Launch<'_>, context: &str) {
    let plain = server.run(launch).expect(context);
    assert_eq!(plain.thrown, "", "{context}");
    assert!(!plain.stdout.is_empty(), "{context}");

    let probed = probe_with_asm(server, launch.classes).expect(context);
    let run = server
        .run(&Launch {
            classes: &probed.classes,
            ..*launch
        })
        .expect(context);
    assert_eq!(run.stdout, plain.stdout, "{context}");
    program.check_hits(&probed.units, &run.hits).expect(context);

    let bracketed = with_brackets(server, launch.classes);
    let run = server
        .run(&Launch {
            classes: &bracketed,
            ..*launch
        })
        .expect(context);
    assert_eq!(run.stdout, plain.stdout, "{context}");
    check_nesting(&run, context);
}

fn with_brackets(server: &mut JavaServer, classes: &Classes) -> Classes {
    let mut bracketed = classes.clone();
    let jobs: Vec<_> = (1..)
        .zip(classes.values())
        .map(|(id, class)| Bracket {
            class,
            owner: "tamis/T",
            id,
        })
        .collect();
    for (name, answer) in classes.keys().zip(server.probe_bracket(&jobs).unwrap()) {
        if let Ok(class) = answer {
            bracketed.insert(name.clone(), class);
        }
    }
    bracketed
}

/// In one thread, an initialiser that begins last ends first, and each begins and ends once.
fn check_nesting(run: &Run, context: &str) {
    let mut open = Vec::new();
    for event in &run.events {
        match event.split_once(' ') {
            Some(("begin", id)) => open.push(id),
            Some(("end", id)) => assert_eq!(open.pop(), Some(id), "{context}: {:?}", run.events),
            _ => panic!("{context}: {event}"),
        }
    }
    assert!(open.is_empty(), "{context}: {:?}", run.events);
}

#[test]
fn a_jvm_of_its_own_sees_the_same_as_the_server() {
    for jdk in jdks().unwrap() {
        let mut server = JavaServer::start(&jdk).unwrap();
        let programs = programs().unwrap();
        let program = programs
            .iter()
            .find(|program| program.name == "try_finally")
            .unwrap();
        let build = program
            .builds
            .iter()
            .find(|build| build.name == "javac 8")
            .unwrap();
        let classes = program.compile(build, &mut server).unwrap();
        let probed = probe_with_asm(&mut server, &classes).unwrap();
        let launch = Launch {
            path: &[],
            classes: &probed.classes,
            main: &program.main,
        };
        assert_eq!(
            run::run(&jdk, &launch, &[]).unwrap(),
            server.run(&launch).unwrap()
        );
    }
}

fn texts_of(name: &str, build: &str) -> Vec<String> {
    let jdk = &jdks().unwrap()[0];
    let mut server = JavaServer::start(jdk).unwrap();
    let programs = programs().unwrap();
    let program = programs
        .iter()
        .find(|program| program.name == name)
        .unwrap();
    let build = program
        .builds
        .iter()
        .find(|other| other.name == build)
        .unwrap();
    let classes = program.compile(build, &mut server).unwrap();
    let bytes: Vec<&[u8]> = classes.values().map(Vec::as_slice).collect();
    javap(jdk, &bytes).unwrap()
}

#[test]
fn old_targets_have_subroutines() {
    let mut builds = vec!["ecj 4"];
    if jdks().unwrap()[0].feature == 8 {
        builds.push("javac 4 jsr");
    }
    for build in builds {
        let text = texts_of("try_finally", build).concat();
        assert!(
            text.contains("major version: 48") && text.contains(": jsr "),
            "{build}: {text}"
        );
    }
}

#[test]
fn generated_programs_are_at_the_limits_they_are_made_for() {
    let huge = texts_of("huge_method", "javac 8").concat();
    assert!(
        huge.contains("\n65521: ireturn\n"),
        "a probe of 8 bytes just fits"
    );

    let far = texts_of("far_jumps", "javac 8").concat();
    assert!(far.contains(": goto_w "), "javac needed long branches");

    let limit = texts_of("branch_at_the_limit", "javac 8");
    assert!(
        !limit.concat().contains("goto_w"),
        "javac did not need long branches"
    );
    // Sorted by name: Main, Main$Backwards, Main$Forwards.
    assert!(
        limit[2].contains("\n6: if_icmpne 32773\n"),
        "32,767 bytes forwards"
    );
    assert!(
        limit[1].contains("\n32772: if_icmplt 4\n"),
        "32,768 bytes backwards"
    );
}
