//! The sample programs: they print what they print without the agent, and the methods it tells are
//! those that ASM's probes hit and that the programs state by hand.

use std::collections::BTreeSet;
use std::env;

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::program::{Build, Program, probe_with_asm, programs};
use tamis_testkit::run::write_classes;
use tamis_testkit::server::{Classes, JavaServer, Launch};
use tamis_wire::{Bye, Segment};

use crate::peer::{Peer, java};

#[test]
fn what_the_agent_tells_is_what_ran() {
    let jdks = jdks().unwrap();
    for (position, jdk) in jdks.iter().enumerate() {
        let is_newest = position + 1 == jdks.len();
        let is_oldest = position == 0;
        let mut server = JavaServer::start(jdk).unwrap();
        for (number, program) in programs().unwrap().iter().enumerate() {
            // All of them on the oldest and the newest JDK; those in between share them.
            if !is_oldest && !is_newest && number % 3 != position % 3 {
                continue;
            }
            for build in builds(program, jdk, is_newest) {
                check(&mut server, program, build);
            }
        }
    }
}

/// The newest release that this JDK's `javac` writes; the other compilers on the newest JDK only,
/// since what they write does not depend on it.
fn builds<'p>(program: &'p Program, jdk: &Jdk, is_newest: bool) -> Vec<&'p Build> {
    let fitting = program.builds.iter().filter(|build| build.runs_on(jdk));
    let (mut javac, mut others): (Vec<_>, Vec<_>) = fitting
        .filter(|build| build.compiles_on(jdk))
        .partition(|build| build.is_javac());
    javac.sort_by_key(|build| build.release);
    others.retain(|_| is_newest);
    others.extend(javac.pop());
    others
}

fn check(server: &mut JavaServer, program: &Program, build: &Build) {
    let jdk = server.jdk().clone();
    let context = format!("{}, {} on JDK {}", program.name, build.name, jdk.feature);
    let classes = program.compile(build, server).unwrap();
    let dir = tempfile::tempdir().unwrap();
    write_classes(&classes, dir.path()).unwrap();
    let mut path = vec![dir.path().to_path_buf()];
    path.extend(build.library_jars().unwrap());
    let path = env::join_paths(&path).unwrap();
    let arguments = [
        "-Xshare:auto",
        "-ea",
        "-cp",
        path.to_str().unwrap(),
        &program.main,
    ];

    let plain = java(&jdk).args(arguments).output().unwrap();
    let (output, told) = Peer::new().run(&jdk, &arguments);
    assert_eq!(output, plain, "{context}");
    assert_eq!(told.bye, Some(Bye::Complete), "{context}");
    let methods = told.methods(Segment::Ambient, &classes);
    assert_eq!(
        methods,
        hit_by_asm(server, program, build, &classes),
        "{context}"
    );
}

/// The methods that ASM's probes hit, checked against what the program states.
fn hit_by_asm(
    server: &mut JavaServer,
    program: &Program,
    build: &Build,
    classes: &Classes,
) -> BTreeSet<String> {
    let probed = probe_with_asm(server, classes).unwrap();
    let run = server
        .run(&Launch {
            path: &build.library_jars().unwrap(),
            classes: &probed.classes,
            main: &program.main,
        })
        .unwrap();
    program.check_hits(&probed.units, &run.hits).unwrap();
    let hit = probed
        .units
        .iter()
        .filter(|(_, unit)| run.hits.contains(&unit.id));
    hit.map(|(class, unit)| format!("{class}.{}{}", unit.name, unit.descriptor))
        .collect()
}
