//! Which method is found, by the answers of real JVMs: types with methods of all flags are made at random, and each call
//! that a class of either package can make is made.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod class_bytes;
#[expect(dead_code, reason = "other tests need more of it")]
mod hierarchies;
#[path = "../../../tamis-classfile/tests/round_trip/random.rs"]
mod random;

use std::fmt::{self, Write as _};
use std::rc::Rc;

use tamis_classfile::AccessFlags;
use tamis_facts::Checksum;
use tamis_select::{By, ChangedLookUp, Chosen, Member, Resolution, Target, changed_look_ups};
use tamis_testkit::jdks::jdks;
use tamis_testkit::server::{Classes, JavaServer, Launch};

use class_bytes::{Type, caller};
use hierarchies::{Declarations, Types, method};
use random::Random;

const SEED: u64 = 20_261_116;
const N_HIERARCHIES: usize = 250;

/// One call: the class that makes it, by which type, on an object of which class.
struct Call<'t> {
    caller: String,
    named: &'t Type,
    receiver: &'t Type,
    declared: Rc<Declarations>,
}

/// Prints for each pair of a caller and a receiver what the call returns. The pairs stand behind it.
const MAIN: &str = "
public class Main {
    public static void main(String[] arguments) {
        for (String part : CALLS)
            for (String call : part.split(\" \"))
                System.out.println(call(call.split(\",\")[0], call.split(\",\")[1]));
    }
    static String call(String caller, String receiver) {
        try {
            Object object = Class.forName(receiver).getConstructor().newInstance();
            Class<?> one = Class.forName(caller);
            return (String) one.getMethod(\"call\", Object.class).invoke(null, object);
        } catch (Exception | LinkageError e) {
            return \"error\";
        }
    }
    static final String[] CALLS = {";

/// The program that makes the calls. A constant of a class has 65,535 bytes at most.
fn main_of(calls: &[Call<'_>]) -> String {
    let mut text = MAIN.to_owned();
    for part in calls.chunks(1_000) {
        let pairs = part.iter().map(|call| {
            let [caller, receiver] =
                [&call.caller, &call.receiver.name].map(|name| name.replace('/', "."));
            format!("{caller},{receiver}")
        });
        let pairs: Vec<String> = pairs.collect();
        writeln!(text, "\"{}\",", pairs.join(" ")).unwrap();
    }
    text + "};}"
}

/// What a call finds, as this crate says: the name of a type, or nothing if it fails.
fn found(call: &Call<'_>) -> Option<String> {
    let target = call.target();
    let Resolution::Dispatched { flags, of } = call.resolution() else {
        return None;
    };
    let of = of.map(|of| of.to_string());
    let may_call = of.as_ref().is_none_or(|of| of[..1] == call.caller[..1]);
    if target.is_forbidden || !may_call {
        return None;
    }
    let is_open = flags.contains(AccessFlags::PUBLIC) || flags.contains(AccessFlags::PROTECTED);
    if !is_open {
        let mut by_package = target.by_package.iter();
        let found = by_package.find(|one| Some(one.named.to_string()) == of)?;
        return (!found.is_abstract).then(|| found.runs.to_string());
    }
    // Who implements an interface does so by public methods.
    if let Chosen::OfClass { flags, .. } = &target.chosen
        && call.named.is_interface
        && !flags.contains(AccessFlags::PUBLIC)
    {
        return None;
    }
    target.chosen.runs().map(ToString::to_string)
}

impl Call<'_> {
    fn target(&self) -> Target {
        self.declared
            .hierarchy(&self.receiver.name)
            .target(&method())
    }

    fn resolution(&self) -> Resolution {
        self.declared
            .hierarchy(&self.named.name)
            .resolution(&method())
    }

    /// The facts about it.
    fn checksums(&self) -> [Checksum; 2] {
        [self.resolution().checksum(), self.target().checksum()]
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            caller,
            named,
            receiver,
            ..
        } = self;
        write!(f, "{caller} calls {named:?} on {receiver:?}")
    }
}

#[test]
fn what_is_found_is_what_a_jvm_runs() {
    let mut random = Random::for_bytes(SEED, b"look-ups");
    let before: Vec<Types> = (0..N_HIERARCHIES)
        .map(|number| Types::random(&format!("H{number}"), &mut random))
        .collect();
    let after: Vec<Types> = before
        .iter()
        .map(|types| types.changed(&mut random))
        .collect();
    let [before, after] = [&before, &after].map(|all| Program::new(all));
    let n_calls = before.calls.len();
    let expected: Vec<Option<String>> = before.calls.iter().map(found).collect();
    let n_found = expected.iter().flatten().count();
    println!("{n_calls} calls, {n_found} of which find a method");
    assert!(n_found > 1_000 && n_calls - n_found > 1_000);
    for jdk in jdks().unwrap() {
        let mut server = JavaServer::start(&jdk).unwrap();
        let found_before = before.run(&mut server);
        let found_after = after.run(&mut server);
        let mut wrong = Vec::new();
        let mut n_changed = 0;
        for position in 0..n_calls {
            let (call, changed) = (&before.calls[position], &after.calls[position]);
            let found = &found_before[position];
            let may_fail = !call.target().private.is_empty() && call.named.is_interface;
            if *found != expected[position] && !(may_fail && found.is_none()) {
                wrong.push(format!("{call:?}: {found:?}, not {:?}", expected[position]));
            }
            let is_changed = *found != found_after[position];
            n_changed += usize::from(is_changed);
            if is_changed && call.checksums() == changed.checksums() {
                let after = &found_after[position];
                wrong.push(format!("{call:?}: {found:?}, then {after:?}, unseen"));
            }
            // That a call fails may be a matter of who may call, which is no other look-up.
            let are_found = found.is_some() && found_after[position].is_some();
            if is_changed && are_found && !is_told(call, changed) {
                wrong.push(format!("{call:?}: {found:?}, not told"));
            }
        }
        assert!(wrong.is_empty(), "JDK {}: {wrong:#?}", jdk.feature);
        println!("JDK {}: {n_changed} calls changed", jdk.feature);
        assert!(n_changed > 300);
    }
}

/// Whether it is told that objects of the receiver's class, or code that names that type, find another method.
fn is_told(call: &Call<'_>, changed: &Call<'_>) -> bool {
    let is_among = |class: &str, by: By| {
        let all = changed_look_ups(&class.into(), &*call.declared, &*changed.declared).unwrap();
        let is_it = |one: &ChangedLookUp| one.by == by && one.member == Member::Method(method());
        all.iter().any(is_it)
    };
    is_among(&call.receiver.name, By::Receiver) || is_among(&call.named.name, By::Name)
}

/// Types, and calls by each of them.
struct Program<'t> {
    classes: Classes,
    calls: Vec<Call<'t>>,
}

impl<'t> Program<'t> {
    fn new(all: &'t [Types]) -> Self {
        let mut program = Self {
            classes: Classes::default(),
            calls: Vec::new(),
        };
        for types in all {
            let declared = Rc::new(types.declared());
            for named in &types.0 {
                program.classes.insert(named.name.clone(), named.bytes());
                for package in ["p", "q"] {
                    program.add_calls(package, named, types, &declared);
                }
            }
        }
        program
    }

    fn add_calls(
        &mut self,
        package: &str,
        named: &'t Type,
        types: &'t Types,
        declared: &Rc<Declarations>,
    ) {
        let name = format!("{package}/C{}", named.name.replace('/', "_"));
        self.classes.insert(name.clone(), caller(&name, named));
        let receivers = types.0.iter().filter(|receiver| !receiver.is_interface);
        let receivers = receivers.filter(|receiver| types.is_below(receiver, named));
        self.calls.extend(receivers.map(|receiver| Call {
            caller: name.clone(),
            named,
            receiver,
            declared: Rc::clone(declared),
        }));
    }

    /// What each call returns.
    fn run(&self, server: &mut JavaServer) -> Vec<Option<String>> {
        let mut classes = self.classes.clone();
        let main = main_of(&self.calls);
        classes.extend(server.compile(&[], &[("Main.java", &main)]).unwrap());
        let launch = Launch {
            path: &[],
            classes: &classes,
            main: "Main",
        };
        let run = server.run(&launch).unwrap();
        assert_eq!(run.thrown, "");
        let lines = run.stdout.lines();
        let found: Vec<_> = lines
            .map(|line| (line != "error").then(|| line.to_owned()))
            .collect();
        assert_eq!(found.len(), self.calls.len());
        found
    }
}
