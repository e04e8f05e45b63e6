//! The command line of the drill.

use std::env;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use tamis_build::Jdk;
use tamis_facts::Mesh;
use tamis_wire::Granularity;

use crate::arrangement::Arrangement;
use crate::drill::{Drill, Order, earlier_trials, subject, subjects};
use crate::operators::Operator;
use crate::selection::MESHES;

/// Check on mutants of real libraries that no test is missed
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask drill")]
struct Arguments {
    /// How many mutants of each library run; 200 if nothing is said, 300 of a full drill
    #[arg(long)]
    mutants: Option<usize>,
    /// How test classes share JVMs; may be given several times; in order if nothing is said
    #[arg(long)]
    arrangement: Vec<Arrangement>,
    /// Measure what is selected against what each test class enters, by the JVM's own events
    #[arg(long)]
    exact: bool,
    /// The mesh by which the suite is recorded; of one that was not recorded by block, mesh block tells no more than others
    #[arg(long, default_value = "method")]
    mesh: String,
    /// Skip single methods too; the shares are then those of tests
    #[arg(long, value_enum, default_value_t = By::Class, conflicts_with_all = ["exact", "full"])]
    granularity: By,
    /// All arrangements, exact, and more mutants, unless something else is said; takes hours
    #[arg(long)]
    full: bool,
    /// Where the random choice begins
    #[arg(long, default_value_t = 5)]
    seed: u64,
    /// Only this library; may be given several times
    #[arg(long)]
    subject: Vec<String>,
    /// Only mutants of this operator; may be given several times
    #[arg(long, conflicts_with = "replay")]
    only: Vec<String>,
    /// Only this mutant, as a drill has named it, with all that became of it
    #[arg(long, value_name = "ID", requires = "subject")]
    replay: Option<String>,
    /// A file to which each mutant and each summary is added as a line of JSON
    #[arg(long)]
    output: Option<PathBuf>,
    /// Do not repeat mutants that the output has already
    #[arg(long, requires = "output")]
    resume: bool,
    /// The feature release of the JDK; any newer one if it is not there
    #[arg(long, default_value_t = 17)]
    jdk: u32,
}

/// What can be skipped by itself.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum By {
    Class,
    Method,
}

/// The program: `cargo xtask drill` starts it.
pub fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("error: the drill has failed, see above");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all promises were kept.
fn run(arguments: &Arguments) -> Result<bool> {
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"] {
        let is_set = env::var_os(variable).is_some();
        ensure!(!is_set, "{variable} is set, and would be part of every run");
    }
    let order = order(arguments)?;
    let chosen = arguments.subject.iter().map(|name| subject(name));
    let mut chosen = chosen.collect::<Result<Vec<_>>>()?;
    if chosen.is_empty() {
        chosen = subjects().collect();
    }
    let jdk = jdk(arguments.jdk)?;
    let earlier = match &arguments.output {
        Some(path) if arguments.resume => earlier_trials(path)?,
        _ => Vec::new(),
    };
    let mut output = arguments.output.as_deref().map(open).transpose()?;
    println!("seed {}, {} mutants", order.seed, order.n_mutants);
    let mut is_kept = true;
    for library in chosen {
        let place = tempfile::tempdir()?;
        // What a JVM calls its directory has no links in it.
        let dir = place.path().canonicalize()?;
        let mut drill = Drill::new(library, &jdk, &dir, &order, output.as_mut(), &earlier)?;
        is_kept &= drill.run(&order)?;
        // The directory of the library is about to go.
        env::set_current_dir("/")?;
    }
    Ok(is_kept)
}

fn order(arguments: &Arguments) -> Result<Order> {
    let operator = |name: &String| {
        let names: Vec<&str> = Operator::all().map(Operator::name).collect();
        let found = Operator::named(name);
        found.with_context(|| format!("no operator `{name}`; there are {names:?}"))
    };
    let full = arguments.full;
    let mut arrangements = arguments.arrangement.clone();
    if arrangements.is_empty() {
        let all = &Arrangement::ALL[..if full { Arrangement::ALL.len() } else { 1 }];
        arrangements.extend(all);
    }
    arrangements.sort();
    arrangements.dedup();
    Ok(Order {
        n_mutants: arguments.mutants.unwrap_or(if full { 300 } else { 200 }),
        seed: arguments.seed,
        arrangements,
        is_exact: full || arguments.exact,
        mesh: mesh(&arguments.mesh)?,
        granularity: match arguments.granularity {
            By::Class => Granularity::Class,
            By::Method => Granularity::Method,
        },
        only: arguments.only.iter().map(operator).collect::<Result<_>>()?,
        replay: arguments.replay.clone(),
    })
}

fn mesh(name: &str) -> Result<Mesh> {
    let found = MESHES.iter().find(|(known, _)| *known == name);
    let names: Vec<&str> = MESHES.iter().map(|(name, _)| *name).collect();
    let (_, mesh) = found.with_context(|| format!("no mesh `{name}`; there are {names:?}"))?;
    Ok(*mesh)
}

fn open(path: &Path) -> Result<std::fs::File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("cannot open {}", path.display()))
}

fn jdk(feature: u32) -> Result<Jdk> {
    let jdks = tamis_testkit::jdks::jdks()?;
    let found = jdks.into_iter().find(|jdk| jdk.feature >= feature);
    found.with_context(|| format!("no JDK {feature} or newer; name one in TAMIS_JDKS"))
}
