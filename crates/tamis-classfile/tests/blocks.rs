//! Block probes tell which blocks ran: loops, switches, exceptions, `finally`, values on the stack.
//!
//! A method of a small program runs with block probes on every JDK found. What was marked is told by the
//! source lines at which the blocks begin, so that each test reads like the source.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use std::collections::BTreeSet;

use tamis_classfile::ClassFile;
use tamis_classfile::attribute::{AttributeContent, Code};
use tamis_classfile::flow::FlowGraph;
use tamis_classfile::probe::{BlockPlan, Slots};
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::server::{Classes, JavaServer, Launch};

const SLOTS: Slots<'_> = Slots {
    holder: "tamis/H0",
    first: 100,
};

/// A program, with the lines of the blocks of `f` that ran and of those that did not. A line may have several blocks.
struct Case {
    name: &'static str,
    source: &'static str,
    ran: &'static [u16],
    did_not_run: &'static [u16],
}

impl Case {
    fn check(&self, server: &mut JavaServer) {
        let sources = [("Main.java", self.source)];
        let plain = server.compile(&["-g"], &sources).unwrap();
        let plan = BlockPlan::scan(&plain["Main"]).unwrap().unwrap();
        let class = ClassFile::parse(&plain["Main"]).unwrap();
        let blocks = plan
            .methods()
            .find(|blocks| name(&class, blocks.method) == b"f")
            .unwrap();
        let mut classes: Classes = plain.clone();
        classes.insert("Main".to_owned(), plan.write(&SLOTS).unwrap());
        let launch = |classes| Launch {
            path: &[],
            classes,
            main: "Main",
        };
        let expected = server.run(&launch(&plain)).unwrap();
        let run = server.run(&launch(&classes)).unwrap();
        assert_eq!(
            (&run.stdout, &run.thrown),
            (&expected.stdout, &expected.thrown)
        );
        let lines = block_lines(&class, usize::from(blocks.method));
        assert_eq!(lines.len(), blocks.n_blocks as usize);
        let mut found = [BTreeSet::new(), BTreeSet::new()];
        for (block, line) in (0..).zip(&lines) {
            let unit = match block {
                0 => entry_unit(&class, blocks.method),
                _ => blocks.second_block + block - 1,
            };
            let has_run = run.hits.contains(&(SLOTS.first + unit as u16));
            found[usize::from(!has_run)].insert(*line);
        }
        let expected = [self.ran, self.did_not_run].map(|lines| lines.iter().copied().collect());
        assert_eq!(
            found,
            expected,
            "{} on JDK {}",
            self.name,
            server.jdk().version
        );
    }
}

fn name<'c>(class: &'c ClassFile<'_>, method: u16) -> &'c [u8] {
    let method = &class.methods[usize::from(method)];
    class.constant_pool.utf8(method.name).unwrap()
}

/// Entry units count the methods that have code.
fn entry_unit(class: &ClassFile<'_>, method: u16) -> u32 {
    let before = &class.methods[..usize::from(method)];
    before
        .iter()
        .filter(|method| method.code().is_some())
        .count() as u32
}

/// The source line at which each block of a method begins.
fn block_lines(class: &ClassFile<'_>, method: usize) -> Vec<u16> {
    let code = class.methods[method].code().unwrap();
    let graph = FlowGraph::of(code, &class.constant_pool).unwrap();
    let starts = graph.blocks.iter().map(|block| block.start);
    starts.map(|start| line_at(code, start)).collect()
}

fn line_at(code: &Code<'_>, offset: u32) -> u16 {
    let tables = code
        .attributes
        .iter()
        .filter_map(|attribute| match &attribute.content {
            AttributeContent::LineNumberTable(lines) => Some(lines),
            _ => None,
        });
    let rows = tables.flat_map(tamis_classfile::Table::iter);
    let rows = rows.filter(|row| u32::from(row.start) <= offset);
    rows.max_by_key(|row| row.start).unwrap().line
}

/// Each is the class `Main`, whose `main` calls `f`.
const CASES: &[Case] = &[
    Case {
        name: "of a branch only the way that was taken",
        source: "class Main {
            static int f(int x) {
                if (x > 3)
                    return 4;
                return 5;
            }
            public static void main(String[] a) { f(2); }
        }",
        ran: &[3, 5],
        did_not_run: &[4],
    },
    Case {
        name: "a loop marks its body if that ran",
        source: "class Main {
            static int f(int n) {
                int sum = 0;
                for (int i = 0; i < n; i++)
                    sum += i;
                return sum;
            }
            public static void main(String[] a) { f(2); }
        }",
        ran: &[3, 4, 5, 6],
        did_not_run: &[],
    },
    Case {
        name: "a loop marks its head alone if its body did not run",
        source: "class Main {
            static int f(int n) {
                int sum = 0;
                for (int i = 0; i < n; i++)
                    sum += i;
                return sum;
            }
            public static void main(String[] a) { f(0); }
        }",
        ran: &[3, 4, 6],
        did_not_run: &[5],
    },
    Case {
        name: "of a switch the cases that were found",
        source: "class Main {
            static String f(int x) {
                switch (x) {
                    case 1:
                        return \"one\";
                    case 2:
                        x++;
                    case 300:
                        return \"more\" + x;
                    default:
                        return \"other\";
                }
            }
            public static void main(String[] a) { f(2); }
        }",
        ran: &[3, 7, 9],
        did_not_run: &[5, 11],
    },
    Case {
        // The handlers begin where they keep the exception; the jump behind the call is part of line 10.
        name: "an exception in the middle of a block leaves what is behind it unmarked",
        source: "class Main {
            static int f(Object o) {
                int x = 1;
                try {
                    x = o.hashCode();
                } catch (NullPointerException e) {
                    x = 2;
                } catch (RuntimeException e) {
                    x = 3;
                }
                return x;
            }
            public static void main(String[] a) { f(null); }
        }",
        ran: &[3, 5, 6, 11],
        did_not_run: &[8, 10],
    },
    Case {
        name: "each copy of finally has marks of its own",
        source: "class Main {
            static int n;
            static int f(int x) {
                try {
                    if (x == 0)
                        return 7;
                    n++;
                } finally {
                    n--;
                }
                return n;
            }
            public static void main(String[] a) { f(0); }
        }",
        ran: &[5, 6, 9],
        did_not_run: &[7, 9, 11],
    },
    Case {
        name: "values, some without a constructor call yet, stay on the stack where blocks begin",
        source: "class Main {
            static String f(boolean b, long l) {
                return new StringBuilder().append(b ? \"y\" : new String(l > 0 ? \"+\" : \"-\")).toString();
            }
            public static void main(String[] a) { System.out.println(f(false, 5L)); }
        }",
        ran: &[3],
        did_not_run: &[3],
    },
];

#[test]
fn the_blocks_that_ran_are_marked() {
    for jdk in jdks().unwrap() {
        let mut server = JavaServer::start(&jdk).unwrap();
        for case in CASES {
            case.check(&mut server);
        }
    }
}

#[test]
fn initialisers_have_no_blocks() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let source = "class Main {
        static int n = System.getenv(\"x\") == null ? 1 : 2;
        int k;
        Main(int x) { if (x > 0) k = x; else k = -x; }
        int one() { return 1; }
    }";
    let plain = server.compile(&[], &[("Main.java", source)]).unwrap();
    assert!(BlockPlan::scan(&plain["Main"]).unwrap().is_none());
}

/// Probes would make it so long that it is never compiled; one that is too long already stays so.
#[test]
fn a_method_that_would_grow_too_large_stays_as_it_is() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let body = |n_lines: usize| "if (x > 3) x += x;\n".repeat(n_lines);
    let source = format!(
        "class Main {{
            static int small(int x) {{ {} return x; }}
            static int large(int x) {{ {} return x; }}
            static int huge(int x) {{ {} return x; }}
            static int gigantic(int x) {{ {} return x; }}
        }}",
        body(3),
        body(600),
        body(1500),
        body(5000)
    );
    let plain = server.compile(&[], &[("Main.java", &source)]).unwrap();
    let plan = BlockPlan::scan(&plain["Main"]).unwrap().unwrap();
    let class = ClassFile::parse(&plain["Main"]).unwrap();
    let methods: Vec<_> = plan.methods().collect();
    let names: Vec<_> = methods
        .iter()
        .map(|blocks| String::from_utf8_lossy(name(&class, blocks.method)).into_owned())
        .collect();
    assert_eq!(names, ["small", "huge"]);
    // Five methods have code; the blocks but the first of each method follow.
    assert_eq!((methods[0].n_blocks, methods[0].second_block), (7, 5));
    assert_eq!((methods[1].n_blocks, methods[1].second_block), (3001, 11));
    assert_eq!(plan.n_units(), 11 + 3000);
    let probed = plan.write(&SLOTS).unwrap();
    let classes = Classes::from([("Main".to_owned(), probed)]);
    let links = server
        .link(&tamis_testkit::server::Link {
            path: &[],
            classes: &classes,
            names: &["Main".to_owned()],
        })
        .unwrap();
    assert_eq!(links, ["ok"]);
}
