//! A library in a directory of its own, where mutants take the place of its classes and leave it again.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_testkit::server::{Classes, JavaServer};
use tamis_testkit::suite_library::{CompiledLibrary, Library};

use crate::code_base::{Change, CodeBase, Part, ResourceEdit};
use crate::look_up_reach::ChangedCalls;
use crate::reach::changed_methods;

/// Where resources lie: beside the classes, and where tests look for them in the sources.
const RESOURCE_FOLDERS: &[&str] = &[
    "target/classes",
    "target/test-classes",
    "src/test/resources",
    "src/test/java",
];

pub(crate) struct Workshop {
    pub(crate) library: CompiledLibrary,
    pub(crate) jdk: Jdk,
    /// The directory of the library, and of its tests when they run.
    pub(crate) dir: PathBuf,
    pub(crate) code: CodeBase,
    server: JavaServer,
    /// What both parts are compiled to, without any mutant.
    original: BTreeMap<Part, Classes>,
    /// The classes of the library as the tests are compiled against them.
    compile_path: PathBuf,
}

/// What became of a mutant's sources.
#[derive(Debug)]
pub(crate) enum Made {
    /// Files to be written, or to be deleted.
    Files(Files),
    DoesNotCompile,
    /// The compiler makes the same classes of it.
    IsTheSame,
}

/// Contents of files, from the directory of the library; nothing for one that is not there.
pub(crate) type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

impl Workshop {
    /// Sets a library up in a directory and compiles it.
    pub(crate) fn new(library: &Library, jdk: &Jdk, place: &Path) -> Result<Self> {
        let dir = place.join("library");
        let library = library.compile(jdk)?.copy_to(&dir)?;
        let mut workshop = Self {
            code: CodeBase::load(&library, &dir)?,
            library,
            jdk: jdk.clone(),
            dir,
            server: JavaServer::start(jdk)?,
            original: BTreeMap::new(),
            compile_path: place.join("compile-path"),
        };
        workshop.compile_originals()?;
        Ok(workshop)
    }

    fn compile_originals(&mut self) -> Result<()> {
        let main = self
            .compile(Part::Main, None)?
            .context("the library compiles")?;
        self.keep_for_tests(&main)?;
        let tests = self
            .compile(Part::Tests, None)?
            .context("the tests compile")?;
        for (part, classes) in [(Part::Main, main), (Part::Tests, tests)] {
            let folder = self.dir.join(part.folder());
            remove_classes(&folder)?;
            tamis_testkit::run::write_classes(&classes, &folder)?;
            self.original.insert(part, classes);
        }
        Ok(())
    }

    /// What is to be in other files if a mutant is made.
    pub(crate) fn make(&mut self, change: &Change) -> Result<Made> {
        let files = match change {
            Change::Resource { path, edit } => self.resource_files(path, *edit)?,
            Change::Source { file, edits } => {
                let part = self.code.files[*file].part;
                let text = self.code.files[*file].edited(edits);
                match self.changed_classes(part, (*file, &text))? {
                    Some(files) => files,
                    None => return Ok(Made::DoesNotCompile),
                }
            }
        };
        Ok(if files.is_empty() {
            Made::IsTheSame
        } else {
            Made::Files(files)
        })
    }

    /// Whether the library or its tests have this class, in internal form.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        let mut parts = self.original.values();
        parts.any(|classes| classes.contains_key(name))
    }

    /// The methods that are others, or gone, once these files are in place.
    pub(crate) fn changed_methods(&self, files: &Files) -> Result<BTreeSet<String>> {
        let mut changed = BTreeSet::new();
        for (part, classes) in &self.original {
            for (name, old) in classes {
                if let Some(new) = files.get(&class_file(*part, name)) {
                    changed.extend(changed_methods(old, new.as_deref())?);
                }
            }
        }
        Ok(changed)
    }

    /// The calls that find something else once these files are in place.
    pub(crate) fn changed_calls(&self, files: &Files) -> Result<ChangedCalls> {
        let mut old = BTreeMap::new();
        let mut new = BTreeMap::new();
        for (part, classes) in &self.original {
            let places = classes
                .iter()
                .map(|(name, bytes)| (name, class_file(*part, name), bytes));
            for (name, file, bytes) in places {
                old.insert(name.as_str(), bytes.as_slice());
                match files.get(&file) {
                    Some(Some(bytes)) => drop(new.insert(name.as_str(), bytes.as_slice())),
                    Some(None) => {}
                    None => drop(new.insert(name.as_str(), bytes.as_slice())),
                }
            }
            let folder = Path::new(part.folder());
            let added = files.iter().filter_map(|(path, content)| {
                let name = path.strip_prefix(folder).ok()?.to_str()?;
                Some((name.strip_suffix(".class")?, content.as_deref()?))
            });
            for (name, bytes) in added {
                new.insert(name, bytes);
            }
        }
        ChangedCalls::new(&old, &new, self.changed_methods(files)?)
    }

    /// Puts files in place, and gives back what was there.
    pub(crate) fn exchange(&self, files: &Files) -> Result<Files> {
        let mut before = Files::new();
        for (path, content) in files {
            let file = self.dir.join(path);
            before.insert(path.clone(), read_if_there(&file)?);
            match content {
                Some(content) => {
                    fs::create_dir_all(file.parent().context("a file lies in a folder")?)?;
                    fs::write(&file, content)
                }
                None => fs::remove_file(&file),
            }
            .with_context(|| format!("cannot change {}", file.display()))?;
        }
        Ok(before)
    }

    /// The class files that differ if one source file is another one. Constants are copied into other classes, so all
    /// is compiled again.
    fn changed_classes(&mut self, part: Part, changed: (usize, &str)) -> Result<Option<Files>> {
        let mut files = Files::new();
        let Some(classes) = self.compile(part, Some(changed))? else {
            return Ok(None);
        };
        self.differences(part, &classes, &mut files);
        if part == Part::Main && !files.is_empty() {
            self.keep_for_tests(&classes)?;
            let tests = self.compile(Part::Tests, None)?;
            self.keep_for_tests(&self.original[&Part::Main])?;
            let Some(tests) = tests else {
                return Ok(None);
            };
            self.differences(Part::Tests, &tests, &mut files);
        }
        Ok(Some(files))
    }

    fn differences(&self, part: Part, classes: &Classes, files: &mut Files) {
        let original = &self.original[&part];
        let names: BTreeSet<&String> = original.keys().chain(classes.keys()).collect();
        for name in names {
            if original.get(name) != classes.get(name) {
                files.insert(class_file(part, name), classes.get(name).cloned());
            }
        }
    }

    /// Compiles a part, one file of which may be another one; nothing if the compiler refuses it.
    fn compile(&mut self, part: Part, changed: Option<(usize, &str)>) -> Result<Option<Classes>> {
        let files = self.code.files.iter().enumerate();
        let sources: Vec<(String, &str)> = files
            .filter(|(_, file)| file.part == part)
            .map(|(number, file)| {
                let text = changed.filter(|(changed, _)| *changed == number);
                let text = text.map_or(&*file.source.text, |(_, text)| text);
                // What is left of the path is that of the package, as the compiler expects it.
                let path = file.path.strip_prefix(part.sources()).unwrap_or(&file.path);
                (path.to_string_lossy().into_owned(), text)
            })
            .collect();
        let sources: Vec<(&str, &str)> = sources
            .iter()
            .map(|(name, text)| (&**name, *text))
            .collect();
        let mut path = self.library.jars().to_vec();
        if part == Part::Tests {
            path.insert(0, self.compile_path.clone());
        }
        let path = env::join_paths(path)?.to_string_lossy().into_owned();
        let options = self.library.javac_options(&self.jdk);
        let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
        options.extend(["-classpath", &path]);
        match self.server.compile(&options, &sources) {
            Ok(classes) => Ok(Some(classes)),
            Err(error) if error.to_string().contains(" refuses:") => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn keep_for_tests(&self, classes: &Classes) -> Result<()> {
        if self.compile_path.exists() {
            fs::remove_dir_all(&self.compile_path)?;
        }
        tamis_testkit::run::write_classes(classes, &self.compile_path)
    }

    fn resource_files(&self, path: &Path, edit: ResourceEdit) -> Result<Files> {
        let mut files = Files::new();
        if edit == ResourceEdit::Create {
            let new = Path::new(Part::Main.folder()).join(path);
            files.insert(new, Some(b"added = true\n".to_vec()));
            return Ok(files);
        }
        for folder in RESOURCE_FOLDERS {
            let path = Path::new(folder).join(path);
            if let Some(content) = read_if_there(&self.dir.join(&path))? {
                let other = match edit {
                    ResourceEdit::Halve => Some(content[..content.len() / 2].to_vec()),
                    ResourceEdit::Delete | ResourceEdit::Create => None,
                };
                if other.as_ref() != Some(&content) {
                    files.insert(path, other);
                }
            }
        }
        Ok(files)
    }
}

impl Part {
    fn folder(self) -> &'static str {
        match self {
            Self::Main => "target/classes",
            Self::Tests => "target/test-classes",
        }
    }

    fn sources(self) -> &'static str {
        match self {
            Self::Main => "src/main/java",
            Self::Tests => "src/test/java",
        }
    }
}

/// The file of a class, from the directory of the library.
fn class_file(part: Part, name: &str) -> PathBuf {
    Path::new(part.folder()).join(format!("{name}.class"))
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Deletes the class files in a folder, and leaves the rest.
fn remove_classes(dir: &Path) -> Result<()> {
    ensure!(dir.is_dir(), "{} is no folder", dir.display());
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_classes(&path)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
