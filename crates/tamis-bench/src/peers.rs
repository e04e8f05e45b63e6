//! `cargo xtask bench peers`: `tamis test` beside other tools that select tests, and beside JaCoCo, on the same project in
//! the same rounds. `docs/design/measuring.md` has the method.

mod field;

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use tamis_check::Peer;
use tamis_facts::Mesh;

use crate::journal::Journal;
use crate::run::contestant::Tool;
use crate::run::measurements::Measurements;
use crate::run::subject_options::{Source, SubjectOptions};
use crate::run::{Conditions, Subject};
use field::Field;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each run is made
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// One round of everything, to see that it works: its figures mean nothing
    #[arg(long)]
    quick: bool,
    /// The feature release of the JDK to measure on; most tools work on 8 alone
    #[arg(long, default_value_t = 8)]
    jdk: u32,
    /// Where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
    #[command(flatten)]
    subjects: SubjectOptions,
    /// The version of Surefire in projects that are made here; Ekstazi works with none of 3
    #[arg(long, default_value = "2.22.2", conflicts_with = "subject")]
    surefire: String,
    /// Only this tool of others; may be given several times
    #[arg(long, value_enum)]
    peer: Vec<NamedPeer>,
    /// A mesh of Tamis to measure; may be given several times
    #[arg(long, value_enum, default_values = ["method"])]
    mesh: Vec<NamedMesh>,
    /// The program to measure, if not the one built beside this
    #[arg(long, value_name = "PROGRAM")]
    tamis: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum NamedPeer {
    Ekstazi,
    Starts,
    Hyrts,
    Hyrtsf,
    Openclover,
    /// It selects nothing: what it adds is that of plain coverage
    Jacoco,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum NamedMesh {
    File,
    Method,
    Dispatch,
    Block,
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    let conditions = Conditions {
        n_rounds: if options.quick { 1 } else { options.rounds },
        jdk: options.jdk,
        seed: options.seed,
        surefire: &options.surefire,
        tamis: options.tamis.as_deref(),
    };
    let sources = options.subjects.sources(Source::libraries)?;
    let field = options.field();
    let section =
        |subject: &Subject, measurements: &Measurements| field.section(subject, measurements);
    conditions.measure(&sources, &field.contestants(), section, journal)
}

impl Options {
    fn field(&self) -> Field {
        let named = if self.peer.is_empty() {
            NamedPeer::value_variants()
        } else {
            &self.peer
        };
        Field {
            tamis: self.mesh.iter().map(|mesh| mesh.tool()).collect(),
            others: named.iter().map(|peer| peer.tool()).collect(),
        }
    }
}

impl NamedPeer {
    fn tool(self) -> Tool {
        match self {
            Self::Ekstazi => Tool::Peer(Peer::Ekstazi),
            Self::Starts => Tool::Peer(Peer::Starts),
            Self::Hyrts => Tool::Peer(Peer::Hyrts),
            Self::Hyrtsf => Tool::Peer(Peer::Hyrtsf),
            Self::Openclover => Tool::Peer(Peer::OpenClover),
            Self::Jacoco => Tool::Jacoco,
        }
    }
}

impl NamedMesh {
    fn tool(self) -> Tool {
        Tool::Tamis(match self {
            Self::File => Mesh::File,
            Self::Method => Mesh::Method,
            Self::Dispatch => Mesh::Dispatch,
            Self::Block => Mesh::Block,
        })
    }
}
