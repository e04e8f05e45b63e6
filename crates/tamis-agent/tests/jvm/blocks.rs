//! Blocks that ran, where they are asked for: in classes of directories, and not in archives.

use std::process::Command;

use tamis_classfile::probe::{BlockPlan, EntryPlan};
use tamis_testkit::jdks::jdks;
use tamis_wire::{Bye, ClassLoaded, Initialiser, Marking, Probing, Segment};

use crate::peer::{Peer, Told, accept_as, listen};
use crate::small::Small;

const LIBRARY: &str = "package lib;
    public class Lib {
        public static int sign(int x) { if (x < 0) return -1; return x == 0 ? 0 : 1; }
    }";

const MAIN: &str = "
    class Main {
        static int n = lib.Lib.sign(3);
        static int f(int x) { if (x > 3) return 4; return 5; }
        static int copied(String name) throws Exception {
            byte[] bytes = new byte[1 << 16];
            int length = Main.class.getResourceAsStream(name + \".class\").read(bytes);
            Class<?> copy = new ClassLoader(null) {
                Class<?> define() { return defineClass(name, bytes, 0, length); }
            }.define();
            java.lang.reflect.Method g = copy.getDeclaredMethod(\"g\", int.class);
            g.setAccessible(true);
            return (int) g.invoke(null, 1);
        }
        public static void main(String[] a) throws Exception {
            System.out.println(f(n));
            System.out.println(copied(\"Later\") + Later.g(9));
            System.out.println(Earlier.g(9) + copied(\"Earlier\"));
        }
    }
    class Later { static int g(int x) { if (x > 3) return 4; return 5; } }
    class Earlier { static int g(int x) { if (x > 3) return 4; return 5; } }";

#[test]
fn blocks_are_marked_in_directories() {
    for jdk in jdks().unwrap() {
        let files = [("lib/Lib.java", LIBRARY), ("Main.java", MAIN)];
        let small = Small::of_files(&jdk, &files);
        let jar = small.dir.path().join("lib.jar");
        let made = Command::new(jdk.tool("jar"))
            .arg("cf")
            .arg(&jar)
            .args(["-C", small.path(), "lib"])
            .status();
        assert!(made.unwrap().success());
        std::fs::remove_dir_all(small.dir.path().join("lib")).unwrap();
        let class_path = format!("{}:{}", small.path(), jar.display());
        let run = |stream: &mut _| {
            accept_as(stream, 1, Marking::Blocks);
            listen(stream)
        };
        let arguments = ["-cp", &class_path, "Main"];
        let (output, told) = Peer::new().run_with(&jdk, &arguments, run);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "5\n9\n9\n");
        assert_eq!(told.bye, Some(Bye::Complete));

        let library = EntryPlan::scan(&small.classes["lib/Lib"]).unwrap();
        let (_, n_units, _) = probing(&told, "lib/Lib");
        assert_eq!(n_units, library.n_units());
        let main = BlockPlan::scan(&small.classes["Main"]).unwrap().unwrap();
        let (first, n_units, initialiser) = probing(&told, "Main");
        assert_eq!(n_units, main.n_units());
        assert_eq!(initialiser, Initialiser::Bracketed);
        // Of three blocks the second is the branch that is not taken.
        let blocks = main.methods().next().unwrap();
        assert_eq!(blocks.n_blocks, 3);
        let ambient = &told.marks[&Segment::Ambient];
        let has_run = [0, 1].map(|block| ambient.contains(first + blocks.second_block + block));
        assert_eq!(has_run, [false, true]);

        // A copy of which nobody says where it is from marks what the one marks that came first.
        let later = EntryPlan::scan(&small.classes["Later"]).unwrap();
        let earlier = BlockPlan::scan(&small.classes["Earlier"]).unwrap().unwrap();
        for (name, n_units) in [("Later", later.n_units()), ("Earlier", earlier.n_units())] {
            let copies = told
                .classes
                .iter()
                .filter(|class| class.name == name.into());
            let copies: Vec<usize> = copies.map(n_units_of).collect();
            assert_eq!(copies, [n_units; 2], "{name}");
        }
    }
}

fn n_units_of(class: &ClassLoaded) -> usize {
    match class.probing {
        Probing::Probed { n_units, .. } => n_units as usize,
        Probing::Refused(_) => 0,
    }
}

/// The first unit of a class, how many it has, and its initialiser.
fn probing(told: &Told, name: &str) -> (u32, usize, Initialiser) {
    let class = told.classes.iter().find(|class| class.name == name.into());
    match class.unwrap().probing {
        Probing::Probed {
            first,
            n_units,
            initialiser,
        } => (first, n_units as usize, initialiser),
        Probing::Refused(ref reason) => panic!("{}", String::from_utf8_lossy(reason)),
    }
}
