//! The doors of test frameworks: which methods of theirs call the agent, and with what.
//!
//! A door is found by the shape of the class that was loaded, not by a version number: what a version
//! lacks is not used, and a framework that lacks what is needed is told as not supported. Every call
//! goes to a static native method of the agent's own class, see `calls.rs`.

use tamis_classfile::probe::{Argument, Call, Enclosure, EntryPlan, call, enclose, skip};
use tamis_facts::MethodId;

use crate::helper_class::CALLS;

/// A class with its doors.
#[derive(Debug, Default)]
pub(crate) struct Doors {
    /// Other bytes, if any door was put in.
    pub(crate) bytes: Option<Vec<u8>>,
    /// A framework that lacks what is needed, and what that is.
    pub(crate) unsupported: Option<(&'static str, String)>,
}

/// What is put into a method.
enum Door {
    /// It calls this method with these arguments.
    Call(&'static str, &'static [Argument]),
    /// It calls the first when it begins and the second when it ends, with this argument.
    Enclose(&'static str, &'static str, Argument),
    /// It returns at once if this one, given these arguments, says so.
    Skip(&'static str, &'static [Argument]),
}

/// A method that has to be there.
struct Row {
    class: &'static str,
    method: &'static str,
    descriptor: &'static str,
    doors: &'static [Door],
    framework: &'static str,
}

const PLATFORM: &str = "JUnit Platform";
const JUNIT4: &str = "JUnit 4";

const PLAN: &str = "org/junit/platform/launcher/TestPlan";
const LISTENER: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";
const TASK: &str = "org/junit/platform/engine/support/hierarchical/NodeTestTask";
const NOTIFIER: &str = "org/junit/runner/notification/RunNotifier";
const BUILDER: &str = "org/junit/runners/model/RunnerBuilder";

/// The descriptor of a runner's `run`.
const RUN: &str = "(Lorg/junit/runner/notification/RunNotifier;)V";

const FIRST: &[Argument] = &[Argument::Parameter(1)];
const BOTH: &[Argument] = &[Argument::Parameter(1), Argument::Parameter(2)];
const DESCRIPTION: &str = "(Lorg/junit/runner/Description;)V";
const FAILURE: &str = "(Lorg/junit/runner/notification/Failure;)V";

/// Methods of classes that are known by name.
const ROWS: &[Row] = &[
    Row {
        class: LISTENER,
        method: "executionStarted",
        descriptor: "(Lorg/junit/platform/engine/TestDescriptor;)V",
        doors: &[Door::Call("started", FIRST)],
        framework: PLATFORM,
    },
    Row {
        class: LISTENER,
        method: "executionFinished",
        descriptor: "(Lorg/junit/platform/engine/TestDescriptor;Lorg/junit/platform/engine/TestExecutionResult;)V",
        doors: &[Door::Call("finished", BOTH)],
        framework: PLATFORM,
    },
    Row {
        class: LISTENER,
        method: "executionSkipped",
        descriptor: "(Lorg/junit/platform/engine/TestDescriptor;Ljava/lang/String;)V",
        doors: &[Door::Call("disabled", FIRST)],
        framework: PLATFORM,
    },
    Row {
        class: TASK,
        method: "execute",
        descriptor: "()V",
        doors: &[Door::Call("prepared", &[Argument::Receiver])],
        framework: PLATFORM,
    },
    Row {
        class: NOTIFIER,
        method: "fireTestStarted",
        descriptor: DESCRIPTION,
        doors: &[Door::Call("testStarted", FIRST)],
        framework: JUNIT4,
    },
    Row {
        class: NOTIFIER,
        method: "fireTestFinished",
        descriptor: DESCRIPTION,
        doors: &[Door::Call("testFinished", FIRST)],
        framework: JUNIT4,
    },
    Row {
        class: NOTIFIER,
        method: "fireTestIgnored",
        descriptor: DESCRIPTION,
        doors: &[Door::Call("testIgnored", FIRST)],
        framework: JUNIT4,
    },
    Row {
        class: NOTIFIER,
        method: "fireTestFailure",
        descriptor: FAILURE,
        doors: &[Door::Call("testFailed", FIRST)],
        framework: JUNIT4,
    },
    Row {
        class: NOTIFIER,
        method: "fireTestAssumptionFailed",
        descriptor: FAILURE,
        doors: &[Door::Call("testAborted", FIRST)],
        framework: JUNIT4,
    },
    Row {
        class: BUILDER,
        method: "safeRunnerForClass",
        descriptor: "(Ljava/lang/Class;)Lorg/junit/runner/Runner;",
        doors: &[Door::Enclose(
            "beginBuild",
            "endBuild",
            Argument::Parameter(1),
        )],
        framework: JUNIT4,
    },
    Row {
        class: "org/junit/runners/BlockJUnit4ClassRunner",
        method: "runChild",
        descriptor: "(Lorg/junit/runners/model/FrameworkMethod;Lorg/junit/runner/notification/RunNotifier;)V",
        doors: &[Door::Skip(
            "skipsMethod",
            &[Argument::Receiver, Argument::Parameter(1)],
        )],
        framework: JUNIT4,
    },
];

/// A runner in the style of JUnit 3 does not know the class that it was built for, if that has a
/// `suite` method. The first method that its constructors call tells which runner that class has; a
/// version without it goes by the name of the suite.
const JUNIT3_RUNNER: &str = "org/junit/internal/runners/JUnit38ClassRunner";
const JUNIT3_SET_TEST: (&str, &str) = ("setTest", "(Ljunit/framework/Test;)V");

/// Any runner, whatever its name: it may skip all of itself, and tells when it begins and ends.
const RUNNER: &[Door] = &[
    Door::Enclose("beginRunner", "endRunner", Argument::Receiver),
    Door::Skip("skipsRunner", &[Argument::Receiver]),
];

/// Classes of frameworks whose tests are not recognised.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("org/testng/TestNG", "TestNG"),
    ("junit/textui/TestRunner", "JUnit 3"),
    ("org/apache/maven/surefire/junit/JUnit3Provider", "JUnit 3"),
    ("org/scalatest/tools/Runner", "ScalaTest"),
    ("utest/runner/Framework", "uTest"),
];

/// Puts the doors of a class into its bytes, which may have probes already; `plan` is of the class as it
/// was.
pub(crate) fn open(name: &[u8], plan: &EntryPlan<'_>, bytes: &[u8]) -> Doors {
    let mut doors = Doors::default();
    if let Some((_, framework)) = UNSUPPORTED
        .iter()
        .find(|(class, _)| class.as_bytes() == name)
    {
        doors.unsupported = Some((framework, "its tests are not recognised yet".to_owned()));
    }
    if name.starts_with(b"org/junit/") {
        for row in ROWS.iter().filter(|row| row.class.as_bytes() == name) {
            let method = method(row.method, row.descriptor);
            for door in row.doors {
                doors.put(row.framework, &method, door, bytes);
            }
        }
        if name == PLAN.as_bytes() {
            doors.put_plan(plan, bytes);
        }
        let (set_test, descriptor) = JUNIT3_SET_TEST;
        if name == JUNIT3_RUNNER.as_bytes()
            && plan.has_method(set_test.as_bytes(), descriptor.as_bytes())
        {
            let door = Door::Call("built", &[Argument::Receiver]);
            doors.put(JUNIT4, &method(set_test, descriptor), &door, bytes);
        }
    }
    if plan.has_method(b"run", RUN.as_bytes()) {
        for door in RUNNER {
            doors.put(JUNIT4, &method("run", RUN), door, bytes);
        }
    }
    doors
}

fn method(name: &str, descriptor: &str) -> MethodId {
    MethodId {
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

impl Doors {
    /// Puts one more door into what is there; without it the framework is not understood.
    fn put(&mut self, framework: &'static str, method: &MethodId, door: &Door, plain: &[u8]) {
        let bytes = self.bytes.as_deref().unwrap_or(plain);
        let with_door = match door {
            Door::Call(name, arguments) => call(bytes, method, &to(name, arguments)),
            Door::Skip(name, arguments) => skip(bytes, method, &to(name, arguments)),
            Door::Enclose(begin, end, argument) => {
                let enclosure = Enclosure {
                    owner: CALLS,
                    begin,
                    end,
                    argument: *argument,
                };
                enclose(bytes, method, &enclosure)
            }
        };
        match with_door {
            Ok(bytes) => self.bytes = Some(bytes),
            Err(error) => self.unsupported = Some((framework, error.to_string())),
        }
    }

    /// `TestPlan.from` has had several descriptors; the collection in it is what matters.
    fn put_plan(&mut self, plan: &EntryPlan<'_>, plain: &[u8]) {
        let from = plan.methods().find_map(|method| {
            let is_from = method.name.as_bytes() == b"from";
            let number = collection_parameter(method.descriptor.as_bytes())?;
            is_from.then_some((method, number))
        });
        match from {
            Some((method, 1)) => {
                self.put(PLATFORM, &method, &Door::Call("planned", FIRST), plain);
            }
            Some((method, 2)) => {
                let second = &[Argument::Parameter(2)];
                self.put(PLATFORM, &method, &Door::Call("planned", second), plain);
            }
            _ => {
                let reason = "TestPlan.from takes no collection of descriptors".to_owned();
                self.unsupported = Some((PLATFORM, reason));
            }
        }
    }
}

fn to<'c>(name: &'c str, arguments: &'c [Argument]) -> Call<'c> {
    Call {
        owner: CALLS,
        name,
        arguments,
    }
}

/// The number of the parameter that is a collection, behind at most one of a single letter.
fn collection_parameter(descriptor: &[u8]) -> Option<u8> {
    const COLLECTION: &[u8] = b"Ljava/util/Collection;";
    let parameters = descriptor.strip_prefix(b"(")?;
    if parameters.starts_with(COLLECTION) {
        return Some(1);
    }
    parameters.get(1..)?.starts_with(COLLECTION).then_some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_collection_is_found_in_every_version() {
        let rest = "Lorg/junit/A;)Lorg/junit/platform/launcher/TestPlan;";
        for (descriptor, expected) in [
            (
                "(Ljava/util/Collection;)Lorg/junit/platform/launcher/TestPlan;".to_owned(),
                Some(1),
            ),
            (format!("(Ljava/util/Collection;{rest}"), Some(1)),
            (format!("(ZLjava/util/Collection;{rest}"), Some(2)),
            (format!("({rest}"), None),
            (String::new(), None),
        ] {
            assert_eq!(collection_parameter(descriptor.as_bytes()), expected);
        }
    }
}
