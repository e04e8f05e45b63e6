//! Probed programs run: they print what they print without probes, and the probes tell what ran.
//!
//! Every sample program, as several compilers make it, runs on every JDK found, plain and with this
//! crate's probes. The marks equal those of ASM's probes and what the program states by hand.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use tamis_build::Jdk;
use tamis_classfile::ErrorKind;
use tamis_classfile::probe::{
    self, Argument, BlockPlan, Bracket, Call, Enclosure, EntryPlan, Slots,
};
use tamis_facts::MethodId;
use tamis_testkit::javap::javap;
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::program::{Build, Program, probe_with_asm, programs};
use tamis_testkit::server::{self, BlockProbe, Classes, JavaServer, Launch, Run};

const HOLDER: &str = "tamis/H0";
const OWNER: &str = "tamis/T";
/// As in `probe_with_asm`: the n-th class counts from 256 · n.
const IDS_PER_CLASS: usize = 256;

#[test]
fn probed_programs_run_like_plain_ones() {
    let jdks = jdks().unwrap();
    let mut servers: Vec<_> = jdks
        .iter()
        .map(|jdk| JavaServer::start(jdk).unwrap())
        .collect();
    let mut n_runs = 0;
    for program in programs().unwrap() {
        for build in &program.builds {
            for compiler in compilers(build, &jdks) {
                let classes = program.compile(build, &mut servers[compiler]).unwrap();
                for (jdk, server) in jdks.iter().zip(&mut servers) {
                    if build.runs_on(jdk) {
                        Subject {
                            program: &program,
                            build,
                            classes: &classes,
                        }
                        .check(server);
                        n_runs += 1;
                    }
                }
            }
        }
    }
    println!(
        "{n_runs} programs ran alike, plain and probed, on {} JDKs",
        jdks.len()
    );
}

/// The oldest and the newest JDK that can compile it; the other compilers bring their own JVM.
fn compilers(build: &Build, jdks: &[Jdk]) -> Vec<usize> {
    let able = (0..jdks.len()).filter(|i| build.compiles_on(&jdks[*i]));
    let mut chosen: Vec<usize> = able.collect();
    if chosen.len() > 2 {
        chosen.drain(1..chosen.len() - 1);
    }
    if !build.is_javac() {
        chosen.truncate(1);
    }
    chosen
}

/// A compiled program.
struct Subject<'s> {
    program: &'s Program,
    build: &'s Build,
    classes: &'s Classes,
}

impl Subject<'_> {
    fn check(&self, server: &mut JavaServer) {
        let feature = server.jdk().feature;
        let context = format!(
            "{}, {} on JDK {feature}",
            self.program.name, self.build.name
        );
        let plain = self.run(server, self.classes);
        assert_eq!(plain.thrown, "", "{context}");

        let entry = self.check_entry(server, &plain, &context);
        self.check_blocks(server, &plain, &context);
        let bracketed = with_brackets(self.classes);
        let run = self.check_brackets(server, &bracketed, &plain, &context);

        // As the agent does it: marks first, so that they lie inside the bracket.
        let both = self.run(server, &with_brackets(&entry.0));
        assert_eq!(both.stdout, plain.stdout, "{context}");
        assert_eq!(both.hits, entry.1.hits, "{context}");
        assert_eq!(both.events, run.events, "{context}");
    }

    fn check_entry(&self, server: &mut JavaServer, plain: &Run, context: &str) -> (Classes, Run) {
        let (ours, units) = with_entry_probes(self.classes);
        let theirs = probe_with_asm(server, self.classes).unwrap();
        let named: Vec<_> = theirs
            .units
            .iter()
            .map(|(class, unit)| (class.clone(), unit.id, unit.name.clone() + &unit.descriptor))
            .collect();
        assert_eq!(units, named, "{context}");
        let (our_run, their_run) = (self.run(server, &ours), self.run(server, &theirs.classes));
        assert_eq!(our_run.stdout, plain.stdout, "{context}");
        assert_eq!(our_run.thrown, "", "{context}");
        assert_eq!(our_run.hits, their_run.hits, "{context}");
        self.program
            .check_hits(&theirs.units, &our_run.hits)
            .expect(context);
        (ours, our_run)
    }

    fn check_blocks(&self, server: &mut JavaServer, plain: &Run, context: &str) {
        let (ours, theirs) = with_block_probes(server, self.classes);
        let our_run = self.run(server, &ours);
        assert_eq!(our_run.stdout, plain.stdout, "{context}");
        assert_eq!(our_run.thrown, "", "{context}");
        let their_run = self.run(server, &theirs);
        assert_eq!(our_run.hits, their_run.hits, "{context}");
        // As the agent does it.
        let both = self.run(server, &with_brackets(&ours));
        assert_eq!(both.stdout, plain.stdout, "{context}");
        assert_eq!(both.hits, our_run.hits, "{context}");
    }

    fn check_brackets(
        &self,
        server: &mut JavaServer,
        ours: &Classes,
        plain: &Run,
        context: &str,
    ) -> Run {
        let theirs = with_brackets_by_asm(server, self.classes, ours);
        let (our_run, their_run) = (self.run(server, ours), self.run(server, &theirs));
        assert_eq!(our_run.stdout, plain.stdout, "{context}");
        assert_eq!(our_run.thrown, "", "{context}");
        assert_eq!(our_run.events, their_run.events, "{context}");
        our_run
    }

    fn run(&self, server: &mut JavaServer, classes: &Classes) -> Run {
        let path = self.build.library_jars().unwrap();
        let main = &self.program.main;
        server
            .run(&Launch {
                path: &path,
                classes,
                main,
            })
            .unwrap()
    }
}

/// The probed classes, and class, id and method of each probe.
fn with_entry_probes(classes: &Classes) -> (Classes, Vec<(String, u16, String)>) {
    let mut probed = Classes::new();
    let mut units = Vec::new();
    for (first, (name, class)) in (0..).step_by(IDS_PER_CLASS).zip(classes) {
        let plan = EntryPlan::scan(class).unwrap();
        let result = plan
            .write(&Slots {
                holder: HOLDER,
                first,
            })
            .unwrap();
        assert_eq!(result.units.len(), plan.n_units());
        for unit in &result.units {
            let method = [unit.name, unit.descriptor].concat();
            units.push((
                name.clone(),
                unit.id as u16,
                String::from_utf8(method).unwrap(),
            ));
        }
        probed.insert(name.clone(), result.bytes);
    }
    (probed, units)
}

/// The classes with block probes, put in by this crate and by ASM; those without blocks stay as they are.
fn with_block_probes(server: &mut JavaServer, classes: &Classes) -> (Classes, Classes) {
    let mut next = 0;
    let plans = classes.iter().filter_map(|(name, class)| {
        let plan = BlockPlan::scan(class).unwrap()?;
        let methods: Vec<u16> = plan.methods().map(|blocks| blocks.method).collect();
        let first = next;
        next += plan.n_units() as u16;
        Some((name, plan, methods, first))
    });
    let plans: Vec<_> = plans.collect();
    let jobs: Vec<_> = plans
        .iter()
        .map(|(name, _, methods, first)| BlockProbe {
            class: &classes[*name],
            holder: HOLDER,
            first: *first,
            methods,
        })
        .collect();
    let answers = server.probe_blocks(&jobs).unwrap();
    let (mut ours, mut theirs) = (classes.clone(), classes.clone());
    for ((name, plan, _, first), answer) in plans.into_iter().zip(answers) {
        theirs.insert(name.clone(), answer.unwrap().class);
        let slots = Slots {
            holder: HOLDER,
            first,
        };
        ours.insert(name.clone(), plan.write(&slots).unwrap());
    }
    (ours, theirs)
}

/// Initialisers with subroutines stay as they are.
fn with_brackets(classes: &Classes) -> Classes {
    let mut bracketed = classes.clone();
    for (id, class) in (1..).zip(bracketed.values_mut()) {
        match probe::bracket(class, &Bracket { owner: OWNER, id }) {
            Ok(Some(probed)) => *class = probed.bytes,
            Ok(None) => {}
            Err(error) => assert!(error.message().contains("subroutines"), "{error}"),
        }
    }
    bracketed
}

/// In those classes that `ours` have them in.
fn with_brackets_by_asm(server: &mut JavaServer, plain: &Classes, ours: &Classes) -> Classes {
    let changed = (1..)
        .zip(plain)
        .filter(|(_, (name, class))| ours[*name] != **class);
    let (names, jobs): (Vec<_>, Vec<_>) = changed
        .map(|(id, (name, class))| {
            (
                name,
                server::Bracket {
                    class,
                    owner: OWNER,
                    id,
                },
            )
        })
        .unzip();
    let mut bracketed = plain.clone();
    for (name, answer) in names.into_iter().zip(server.probe_bracket(&jobs).unwrap()) {
        bracketed.insert(name.clone(), answer.unwrap());
    }
    bracketed
}

/// The class of a sample program, as the newest JDK compiles it.
fn class_of(program: &str, class: &str) -> Vec<u8> {
    let jdk = newest_jdk().unwrap();
    let programs = programs().unwrap();
    let program = programs.iter().find(|found| found.name == program).unwrap();
    let build = program
        .builds
        .iter()
        .find(|build| build.compiles_on(&jdk))
        .unwrap();
    let mut server = JavaServer::start(&jdk).unwrap();
    let classes = program.compile(build, &mut server).unwrap();
    classes[class].clone()
}

#[test]
fn branches_pushed_over_the_limit_become_longer() {
    for class in ["Main$Forwards", "Main$Backwards"] {
        let plain = class_of("branch_at_the_limit", class);
        let bracket = Bracket {
            owner: OWNER,
            id: 1,
        };
        let probed = probe::bracket(&plain, &bracket).unwrap().unwrap();
        let text = javap(&newest_jdk().unwrap(), &[&probed.bytes]).unwrap();
        assert!(text[0].contains(": goto_w "), "{class}");
    }
}

#[test]
fn a_method_without_room_is_refused_whole() {
    let plain = class_of("huge_method", "Main");
    let slots = Slots {
        holder: HOLDER,
        first: 0,
    };
    let probed = EntryPlan::scan(&plain).unwrap().write(&slots).unwrap();
    let error = EntryPlan::scan(&probed.bytes).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert_eq!(
        error.to_string(),
        "huge(I)I has 65530 bytes of code: a probe does not fit"
    );
}

const RUNNER: &str = "
public class Main {
    static void work(long a, String b, double c, int[] d) {
        for (int i = 0; i < 2; i++) System.out.println(\"worked \" + b + d.length);
    }
    void start(Object o) { work(1, \"x\", 2, new int[3]); }
    public static void main(String[] arguments) { new Main().start(null); }
}";

/// What the program above prints and calls with one probe, when called methods answer `skip`.
fn run_with(skip: bool, put: impl Fn(&[u8]) -> tamis_classfile::Result<Vec<u8>>) -> Vec<Run> {
    let option = format!("-Dtamis.skip={skip}");
    let run = |jdk: &Jdk| {
        let mut server = JavaServer::start_with(jdk, &[&option]).unwrap();
        let plain = server.compile(&["-g"], &[("Main.java", RUNNER)]).unwrap();
        let classes = Classes::from([("Main".to_owned(), put(&plain["Main"]).unwrap())]);
        let launch = Launch {
            path: &[],
            classes: &classes,
            main: "Main",
        };
        server.run(&launch).unwrap()
    };
    jdks().unwrap().iter().map(run).collect()
}

fn method(name: &str, descriptor: &str) -> MethodId {
    MethodId {
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

fn work() -> MethodId {
    method("work", "(JLjava/lang/String;D[I)V")
}

#[test]
fn an_early_return_skips_the_method() {
    let arguments = [Argument::Parameter(2), Argument::Parameter(4)];
    let call = Call {
        owner: OWNER,
        name: "skip",
        arguments: &arguments,
    };
    for (skip, expected) in [(true, ""), (false, "worked x3\nworked x3\n")] {
        for run in run_with(skip, |class| probe::skip(class, &work(), &call)) {
            assert_eq!(run.stdout, expected);
            assert_eq!(run.thrown, "");
            assert_eq!(run.events, ["skip java.lang.String [I"]);
        }
    }
}

#[test]
fn a_call_out_sees_the_receiver_and_the_parameters() {
    let start = method("start", "(Ljava/lang/Object;)V");
    let arguments = [Argument::Receiver, Argument::Parameter(1)];
    let call = Call {
        owner: OWNER,
        name: "call",
        arguments: &arguments,
    };
    for run in run_with(false, |class| probe::call(class, &start, &call)) {
        assert_eq!(run.stdout, "worked x3\nworked x3\n");
        assert_eq!(run.events, ["call Main null"]);
    }
}

const ENCLOSED: &str = "
public class Main {
    static long depth(long a, String b, int c) {
        if (c == 0) throw new IllegalStateException(b);
        try { return c > 2 ? a : depth(a, b, c - 1) + 1; }
        catch (RuntimeException e) { System.out.println(e.getMessage()); return c; }
    }
    String reused(String a) { a = a + 1; return a; }
    public static void main(String[] arguments) {
        System.out.println(depth(4, \"x\", 3) + depth(4, \"y\", 2));
        depth(1, \"z\", 0);
    }
}";

/// Called first and last, however the method ends; what the method prints and throws stays.
#[test]
fn an_enclosed_method_calls_on_every_way_out() {
    let depth = method("depth", "(JLjava/lang/String;I)J");
    let enclosure = Enclosure {
        owner: OWNER,
        begin: "call",
        end: "call",
        argument: Argument::Parameter(2),
    };
    for jdk in jdks().unwrap() {
        let mut server = JavaServer::start(&jdk).unwrap();
        let plain = server.compile(&["-g"], &[("Main.java", ENCLOSED)]).unwrap();
        let enclosed = probe::enclose(&plain["Main"], &depth, &enclosure).unwrap();
        let classes = Classes::from([("Main".to_owned(), enclosed)]);
        let launch = Launch {
            path: &[],
            classes: &classes,
            main: "Main",
        };
        let run = server.run(&launch).unwrap();
        assert_eq!(run.stdout, "y\n6\n");
        assert!(
            run.thrown.contains("IllegalStateException: z"),
            "{}",
            run.thrown
        );
        // Five calls: 3, then 2, 1, 0, then 0.
        assert_eq!(run.events, vec!["call java.lang.String"; 10]);
    }
}

#[test]
fn a_method_that_reuses_the_variable_is_not_enclosed() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let plain = server.compile(&[], &[("Main.java", ENCLOSED)]).unwrap();
    let reused = method("reused", "(Ljava/lang/String;)Ljava/lang/String;");
    let enclose = |argument| {
        let enclosure = Enclosure {
            owner: OWNER,
            begin: "call",
            end: "call",
            argument,
        };
        probe::enclose(&plain["Main"], &reused, &enclosure)
    };
    assert!(enclose(Argument::Receiver).is_ok());
    assert_eq!(
        enclose(Argument::Parameter(1)).unwrap_err().message(),
        "reused(Ljava/lang/String;)Ljava/lang/String; does not keep what it was called with"
    );
}

#[test]
fn prologues_that_cannot_be_are_refused_by_name() {
    let plain = class_of("recursion", "Main");
    let check = |method: &MethodId, argument: Option<Argument>, expected: &str| {
        let call = Call {
            owner: OWNER,
            name: "skip",
            arguments: argument.as_slice(),
        };
        let error = probe::skip(&plain, method, &call).unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (ErrorKind::Unsupported, expected)
        );
    };
    let main = method("main", "([Ljava/lang/String;)V");
    check(
        &method("none", "()V"),
        None,
        "none()V has no code in this class",
    );
    check(
        &method("<init>", "()V"),
        None,
        "<init>()V is a constructor and cannot return early",
    );
    check(
        &method("fib", "(I)I"),
        None,
        "fib(I)I returns a value and cannot return early",
    );
    let receiver = "main([Ljava/lang/String;)V is static: it has no receiver";
    check(&main, Some(Argument::Receiver), receiver);
    let parameter = "main([Ljava/lang/String;)V has no such parameter, or it is no reference";
    check(&main, Some(Argument::Parameter(2)), parameter);
    check(&main, Some(Argument::Parameter(0)), parameter);
}
