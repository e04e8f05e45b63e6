//! Sample programs that run: `programs/`, one folder each, and the generated ones. Each prints what
//! it computes and states in the comment at its top how it is compiled, which methods run, and
//! which do not.
//!
//! ```text
//! // Recursion, direct and mutual.                    what it is about
//! // compile: javac 8; ecj 8                          compilers and releases
//! // hits: Main: main([Ljava/lang/String;)V fib(I)I   methods that run, checked by hand
//! // not: Main: <init>()V                             methods that do not
//! // complete                                         these are all but synthetic ones
//! // rename: Main$Init init()V <clinit>               a method renamed after compiling
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tamis_build::Jdk;

use crate::compilers::ExternalCompiler;
use crate::generated;
use crate::server::{Classes, EntryProbe, JavaServer, Unit};

/// The flag of what a compiler made up.
const ACC_SYNTHETIC: u16 = 0x1000;

/// The marks of one holder are shared out evenly, so that a class has the same ids in every
/// process.
const IDS_PER_CLASS: u16 = 256;

/// A program in source form.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Its folder's name.
    pub name: String,
    /// File name and text.
    pub sources: Vec<(String, String)>,
    /// Class with the main method.
    pub main: String,
    /// The ways to compile it.
    pub builds: Vec<Build>,
    /// Methods that run, as `Main.fib(I)I`.
    pub hits: BTreeSet<String>,
    /// Methods that do not run.
    pub not: BTreeSet<String>,
    /// Whether the two lists hold every method of the classes they name, but for synthetic ones.
    pub is_complete: bool,
    renames: Vec<Rename>,
}

/// One way to compile a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// As in the program: `javac 8`.
    pub name: String,
    /// The oldest JDK that runs the result.
    pub release: u32,
    compiler: Compiler,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Compiler {
    Javac { options: Vec<String> },
    External(ExternalCompiler),
}

#[derive(Debug, Clone)]
struct Rename {
    class: String,
    from: (String, String),
    to: String,
}

/// Classes with entry probes by ASM, and the names of what they stand for.
#[derive(Debug, Clone)]
pub struct ProbedProgram {
    pub classes: Classes,
    /// Class and method for each id.
    pub units: Vec<(String, Unit)>,
}

/// All sample programs, sorted by name.
pub fn programs() -> Result<Vec<Program>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut programs = generated::programs()?;
    for entry in fs::read_dir(&root).with_context(|| format!("cannot list {}", root.display()))? {
        programs.push(Program::load(&entry?.path())?);
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

impl Program {
    fn load(dir: &Path) -> Result<Self> {
        let mut sources = Vec::new();
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            let name = path
                .file_name()
                .and_then(|n| n.to_str())
                .context("a file name")?;
            sources.push((name.to_owned(), fs::read_to_string(&path)?));
        }
        sources.sort();
        let name = dir
            .file_name()
            .and_then(|n| n.to_str())
            .context("a folder name")?;
        Self::parse(name, sources)
    }

    /// Reads what the comments at the top of the sources say.
    pub(crate) fn parse(name: &str, sources: Vec<(String, String)>) -> Result<Self> {
        let mut program = Self {
            name: name.to_owned(),
            main: "Main".into(),
            ..Self::default()
        };
        for (file, text) in &sources {
            let comments = text.lines().map_while(|line| line.strip_prefix("// "));
            for comment in comments.skip(1) {
                program
                    .parse_line(comment)
                    .with_context(|| format!("{name}/{file}: `{comment}`"))?;
            }
        }
        ensure!(
            !program.builds.is_empty(),
            "{name} does not say how to compile it"
        );
        program.sources = sources;
        Ok(program)
    }

    fn parse_line(&mut self, line: &str) -> Result<()> {
        match line.split_once(": ") {
            None if line == "complete" => self.is_complete = true,
            Some(("compile", ways)) => {
                for way in ways.split("; ") {
                    self.builds.push(Build::parse(way)?);
                }
            }
            Some(("hits", methods)) => self.hits.extend(parse_methods(methods)?),
            Some(("not", methods)) => self.not.extend(parse_methods(methods)?),
            Some(("rename", rename)) => self.renames.push(parse_rename(rename)?),
            _ => bail!("not a line about a program"),
        }
        Ok(())
    }

    /// Compiles the program; `javac` is the server's.
    pub fn compile(&self, build: &Build, server: &mut JavaServer) -> Result<Classes> {
        let mut classes = match &build.compiler {
            Compiler::External(compiler) => compiler.compile(&self.sources),
            Compiler::Javac { options } => self.compile_with_javac(build, options, server),
        }
        .with_context(|| format!("cannot compile {} with {}", self.name, build.name))?;
        for rename in &self.renames {
            let class = classes
                .get_mut(&rename.class)
                .context("a renamed method's class")?;
            *class = server.rename_method(class, (&rename.from.0, &rename.from.1), &rename.to)?;
        }
        Ok(classes)
    }

    fn compile_with_javac(
        &self,
        build: &Build,
        options: &[String],
        server: &mut JavaServer,
    ) -> Result<Classes> {
        let mut all = vec!["-g".to_owned(), "-nowarn".to_owned()];
        if server.jdk().feature < 9 {
            let release = format!("1.{}", build.release);
            all.extend(["-source".into(), release.clone(), "-target".into(), release]);
        } else {
            all.extend(["--release".into(), build.release.to_string()]);
        }
        all.extend_from_slice(options);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let sources: Vec<_> = self
            .sources
            .iter()
            .map(|(n, t)| (n.as_str(), t.as_str()))
            .collect();
        server.compile(&all, &sources)
    }

    /// Checks the methods that were hit, of all that have code, against what the program states by
    /// hand.
    pub fn check_hits(&self, units: &[(String, Unit)], hits: &BTreeSet<u16>) -> Result<()> {
        let named =
            |unit: &(String, Unit)| format!("{}.{}{}", unit.0, unit.1.name, unit.1.descriptor);
        let hit: BTreeSet<String> = units
            .iter()
            .filter(|unit| hits.contains(&unit.1.id))
            .map(named)
            .collect();
        let missing: Vec<_> = self.hits.difference(&hit).collect();
        ensure!(
            missing.is_empty(),
            "{}: stated to run, but not hit: {missing:?}",
            self.name
        );
        let surplus: Vec<_> = self.not.intersection(&hit).collect();
        ensure!(
            surplus.is_empty(),
            "{}: stated not to run, but hit: {surplus:?}",
            self.name
        );
        let all: BTreeSet<String> = units.iter().map(named).collect();
        let unknown: Vec<_> = self.not.difference(&all).collect();
        ensure!(
            unknown.is_empty(),
            "{}: stated, but not there: {unknown:?}",
            self.name
        );
        if self.is_complete {
            let stated: BTreeSet<&String> = self.hits.union(&self.not).collect();
            let classes: BTreeSet<&str> = stated
                .iter()
                .filter_map(|m| Some(m.split_once('.')?.0))
                .collect();
            let is_open = |unit: &&(String, Unit)| {
                unit.1.access & ACC_SYNTHETIC == 0
                    && classes.contains(unit.0.as_str())
                    && !stated.contains(&named(unit))
            };
            let open: Vec<_> = units.iter().filter(is_open).map(named).collect();
            ensure!(
                open.is_empty(),
                "{}: not stated at all: {open:?}",
                self.name
            );
        }
        Ok(())
    }
}

impl Build {
    fn parse(text: &str) -> Result<Self> {
        let words: Vec<&str> = text.split(' ').collect();
        let (release, compiler) = match words[..] {
            ["javac", release] => (
                release.parse()?,
                Compiler::Javac {
                    options: Vec::new(),
                },
            ),
            // Only the `javac` of JDK 8 can still be talked into subroutines, by a hidden option.
            ["javac", release, "jsr"] => (
                release.parse()?,
                Compiler::Javac {
                    options: vec!["-XDjsrlimit=0".into()],
                },
            ),
            ["ecj", release] => (
                release.parse()?,
                Compiler::External(ExternalCompiler::ecj(release.parse()?)),
            ),
            ["kotlin"] => (8, Compiler::External(ExternalCompiler::kotlin())),
            ["scala"] => (8, Compiler::External(ExternalCompiler::scala())),
            ["groovy"] => (8, Compiler::External(ExternalCompiler::groovy())),
            _ => bail!("no such compiler: `{text}`"),
        };
        Ok(Self {
            name: text.to_owned(),
            release,
            compiler,
        })
    }

    /// Whether the result depends on which JDK compiles.
    pub fn is_javac(&self) -> bool {
        matches!(self.compiler, Compiler::Javac { .. })
    }

    /// Whether `javac` of this JDK can do it; the other compilers bring their own JVM.
    pub fn compiles_on(&self, jdk: &Jdk) -> bool {
        let Compiler::Javac { options } = &self.compiler else {
            return true;
        };
        let oldest = match jdk.feature {
            ..9 => 3,
            9..12 => 6,
            12..20 => 7,
            20.. => 8,
        };
        (oldest..=jdk.feature).contains(&self.release) && (options.is_empty() || jdk.feature < 9)
    }

    /// Whether this JDK runs the result.
    pub fn runs_on(&self, jdk: &Jdk) -> bool {
        self.release <= jdk.feature
    }

    /// The libraries that the result needs to run.
    pub fn library_jars(&self) -> Result<Vec<PathBuf>> {
        match &self.compiler {
            Compiler::Javac { .. } => Ok(Vec::new()),
            Compiler::External(compiler) => compiler.library_jars(),
        }
    }
}

/// Puts ASM's entry probes into all classes: those of the n-th class, by name, count from 256 · n
/// in `tamis/H0`.
pub fn probe_with_asm(server: &mut JavaServer, classes: &Classes) -> Result<ProbedProgram> {
    ensure!(
        classes.len() <= 128,
        "a program of at most 128 classes, not {}",
        classes.len()
    );
    let jobs: Vec<_> = (0..)
        .step_by(usize::from(IDS_PER_CLASS))
        .zip(classes.values())
        .map(|(first, class)| EntryProbe {
            class,
            holder: "tamis/H0",
            first,
        })
        .collect();
    let mut probed = ProbedProgram {
        classes: Classes::new(),
        units: Vec::new(),
    };
    for (name, answer) in classes.keys().zip(server.probe_entry(&jobs)?) {
        let answer = answer.map_err(|trace| anyhow::anyhow!("ASM cannot probe {name}: {trace}"))?;
        ensure!(
            answer.units.len() <= usize::from(IDS_PER_CLASS),
            "{name} has too many methods"
        );
        probed.classes.insert(name.clone(), answer.class);
        probed
            .units
            .extend(answer.units.into_iter().map(|unit| (name.clone(), unit)));
    }
    Ok(probed)
}

/// `Main: main([Ljava/lang/String;)V fib(I)I`.
fn parse_methods(text: &str) -> Result<Vec<String>> {
    let (class, methods) = text
        .split_once(": ")
        .context("a class, a colon, and methods")?;
    methods
        .split(' ')
        .map(|method| {
            ensure!(
                method.contains('('),
                "a method has a descriptor: `{method}`"
            );
            Ok(format!("{class}.{method}"))
        })
        .collect()
}

/// `Main$Init init()V <clinit>`.
fn parse_rename(text: &str) -> Result<Rename> {
    let words: Vec<&str> = text.split(' ').collect();
    let [class, method, to] = words[..] else {
        bail!("a class, a method and its new name")
    };
    let at = method.find('(').context("a method has a descriptor")?;
    let (name, descriptor) = method.split_at(at);
    Ok(Rename {
        class: class.into(),
        from: (name.into(), descriptor.into()),
        to: to.into(),
    })
}
