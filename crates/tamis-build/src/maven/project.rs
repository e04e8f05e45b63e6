//! Which Maven project a directory belongs to, and how it is built.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::Event;

const POM: &str = "pom.xml";

/// A longer POM is not looked into.
const MAX_POM: u64 = 8 << 20;

/// Where a POM lists its modules; Maven 4 has another word for them.
const MODULES: &[&[&str]] = &[
    &["project", "modules", "module"],
    &["project", "profiles", "profile", "modules", "module"],
    &["project", "subprojects", "subproject"],
    &[
        "project",
        "profiles",
        "profile",
        "subprojects",
        "subproject",
    ],
];

/// A project of Maven's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MavenProject {
    /// The directory of the whole reactor, without symbolic links.
    pub root: PathBuf,
    /// The project's own wrapper, or the `mvn` of the machine.
    pub program: PathBuf,
}

/// The project that a directory belongs to.
///
/// Its root is the nearest directory with a POM and a `.mvn`, as Maven has it; or else what is reached from the
/// nearest POM by going up to those that list it as a module.
pub fn find_maven(directory: &Path) -> Option<MavenProject> {
    let directory = fs::canonicalize(directory).ok()?;
    let module = directory.ancestors().find(|above| has_pom(above))?;
    let root = root_of(module);
    Some(MavenProject {
        root: root.to_path_buf(),
        program: program(module, root),
    })
}

fn has_pom(directory: &Path) -> bool {
    directory.join(POM).is_file()
}

fn root_of(module: &Path) -> &Path {
    let is_marked = |above: &&Path| above.join(".mvn").is_dir() && has_pom(above);
    if let Some(marked) = module.ancestors().find(is_marked) {
        return marked;
    }
    let mut root = module;
    while let Some(parent) = root.ancestors().skip(1).find(|above| lists(above, root)) {
        root = parent;
    }
    root
}

/// The nearest wrapper, up to the root.
fn program(module: &Path, root: &Path) -> PathBuf {
    let between = module
        .ancestors()
        .take_while(|above| above.starts_with(root));
    let mut wrappers = between.map(|above| above.join("mvnw"));
    let wrapper = wrappers.find(|wrapper| is_executable(wrapper));
    wrapper.unwrap_or_else(|| PathBuf::from("mvn"))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Whether the POM in a directory names this one as a module: the directory, or the POM in it.
fn lists(directory: &Path, module: &Path) -> bool {
    let pom = directory.join(POM);
    let is_readable = fs::metadata(&pom).is_ok_and(|file| file.is_file() && file.len() <= MAX_POM);
    if !is_readable {
        return false;
    }
    // Other encodings than UTF-8 differ in letters that a module's name hardly has.
    let text = fs::read(&pom).unwrap_or_default();
    let names = modules(&String::from_utf8_lossy(&text));
    let mut listed = names
        .iter()
        .filter_map(|name| fs::canonicalize(directory.join(name)).ok());
    listed.any(|listed| listed == module || listed == module.join(POM))
}

/// The modules of a POM. One that is not well-formed has those before the error.
fn modules(pom: &str) -> Vec<String> {
    let mut reader = Reader::from_str(pom);
    let mut open: Vec<String> = Vec::new();
    let mut modules = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                let name = element.local_name();
                open.push(name.as_ref().to_owned());
            }
            Ok(Event::End(_)) => {
                open.pop();
            }
            Ok(Event::Text(text)) if MODULES.iter().any(|path| open == *path) => {
                modules.push(text.trim().to_owned());
            }
            Ok(Event::Eof) | Err(_) => return modules,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A tree of files: their names, and what is in them.
    struct Tree(TempDir);

    impl Tree {
        fn new(files: &[(&str, &str)]) -> Self {
            let tree = Self(tempfile::tempdir().unwrap());
            for (name, content) in files {
                let path = tree.path(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, content).unwrap();
                if name.ends_with("mvnw") {
                    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
                }
            }
            tree
        }

        fn path(&self, name: &str) -> PathBuf {
            fs::canonicalize(self.0.path()).unwrap().join(name)
        }

        /// The root found from a directory; a directory outside of the tree is none of its.
        fn root_from(&self, directory: &str) -> Option<String> {
            let root = find_maven(&self.path(directory))?.root;
            let root = root.strip_prefix(self.path("")).ok()?;
            Some(root.to_str().unwrap().to_owned())
        }
    }

    fn listing(modules: &[&str]) -> String {
        let modules: Vec<_> = modules
            .iter()
            .map(|m| format!("<module>{m}</module>"))
            .collect();
        format!("<project><modules>{}</modules></project>", modules.concat())
    }

    #[test]
    fn a_project_by_itself() {
        let tree = Tree::new(&[
            ("a/pom.xml", "<project/>"),
            ("a/src/A.java", ""),
            ("b/B.java", ""),
        ]);
        assert_eq!(tree.root_from("a/src").as_deref(), Some("a"));
        assert_eq!(tree.root_from("b"), None);
        assert_eq!(find_maven(&tree.path("gone")), None);
    }

    #[test]
    fn the_root_is_the_topmost_that_lists_the_module() {
        let tree = Tree::new(&[
            ("pom.xml", &listing(&["p", "q/deep"])),
            ("p/pom.xml", &listing(&[" x/pom.xml\n"])),
            ("p/x/pom.xml", "<project/>"),
            ("p/other/pom.xml", "<project/>"),
            ("q/deep/pom.xml", "<project/>"),
        ]);
        assert_eq!(tree.root_from("p/x").as_deref(), Some(""));
        assert_eq!(tree.root_from("q/deep").as_deref(), Some(""));
        assert_eq!(tree.root_from("p/other").as_deref(), Some("p/other"));
    }

    #[test]
    fn a_marked_root_need_not_list_the_module() {
        let tree = Tree::new(&[
            (".mvn/maven.config", ""),
            ("r/.mvn/maven.config", ""),
            ("r/pom.xml", "<project/>"),
            ("r/x/pom.xml", "<project/>"),
        ]);
        assert_eq!(tree.root_from("r/x").as_deref(), Some("r"));
    }

    #[test]
    fn a_wrapper_is_preferred() {
        let tree = Tree::new(&[
            ("pom.xml", &listing(&["x"])),
            ("x/pom.xml", "<project/>"),
            ("mvnw", "#!/bin/sh"),
        ]);
        let found = find_maven(&tree.path("x")).unwrap();
        assert_eq!(found.program, tree.path("mvnw"));
        fs::set_permissions(tree.path("mvnw"), fs::Permissions::from_mode(0o644)).unwrap();
        let found = find_maven(&tree.path("x")).unwrap();
        assert_eq!(found.program, Path::new("mvn"));
    }

    #[test]
    fn modules_are_listed_by_the_project_and_its_profiles_alone() {
        let pom = "<?xml version='1.0'?><project xmlns='http://maven.apache.org/POM/4.0.0'>
            <modules><!-- <module>no</module> --><module>a</module><module>b/c</module></modules>
            <profiles><profile><modules><module>d</module></modules></profile></profiles>
            <subprojects><subproject>e</subproject></subprojects>
            <build><plugins><plugin><configuration><modules><module>no</module></modules>
            </configuration></plugin></plugins></build></project>";
        assert_eq!(modules(pom), ["a", "b/c", "d", "e"]);
        assert_eq!(modules("<project><modules><module>a</module></x>"), ["a"]);
        assert_eq!(modules("\u{fffd}\0<"), [""; 0]);
    }
}
