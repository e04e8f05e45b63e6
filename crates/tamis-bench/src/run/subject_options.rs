//! Which projects are measured, as the command line says it.

use std::path::PathBuf;

use anyhow::Result;
use tamis_build::Jdk;

use super::generated::Profile;
use super::library::KnownLibrary;
use super::subject::{Change, Subject};

#[derive(Debug, clap::Args)]
pub(crate) struct SubjectOptions {
    /// Measure on a generated project; may be given several times
    #[arg(long, value_enum)]
    profile: Vec<Profile>,
    /// Measure on a library from Maven Central, `commons-codec` or `commons-csv`; may be given several times
    #[arg(long, value_name = "NAME")]
    library: Vec<String>,
    /// Measure on copies of this checkout of a Maven project
    #[arg(long, value_name = "DIRECTORY")]
    subject: Option<PathBuf>,
    /// The source file to change in it; without it no change is measured
    #[arg(long, value_name = "FILE", requires_all = ["subject", "literal"])]
    change: Option<PathBuf>,
    /// The number to change: the first place in the file that has this text
    #[arg(long, value_name = "TEXT", requires = "change")]
    literal: Option<String>,
}

/// Where a subject comes from.
#[derive(Debug)]
pub(crate) enum Source {
    Generated(Profile),
    Library(KnownLibrary),
    Checkout {
        directory: PathBuf,
        /// The file, and the number in it.
        change: Option<(PathBuf, String)>,
    },
}

impl SubjectOptions {
    /// What was named, or what is measured otherwise.
    pub(crate) fn sources(&self, otherwise: fn() -> Vec<Source>) -> Result<Vec<Source>> {
        let mut sources: Vec<Source> = self
            .profile
            .iter()
            .copied()
            .map(Source::Generated)
            .collect();
        for name in &self.library {
            sources.push(Source::Library(KnownLibrary::named(name)?));
        }
        if let Some(directory) = self.subject.clone() {
            let change = self.change.clone().zip(self.literal.clone());
            sources.push(Source::Checkout { directory, change });
        }
        if sources.is_empty() {
            sources = otherwise();
        }
        Ok(sources)
    }
}

impl Source {
    pub(crate) fn all() -> Vec<Self> {
        let profiles = Profile::ALL.into_iter().map(Self::Generated);
        profiles.chain(Self::libraries()).collect()
    }

    pub(crate) fn libraries() -> Vec<Self> {
        KnownLibrary::all().map(Self::Library).collect()
    }

    pub(crate) fn make(&self, jdk: &Jdk, surefire: &str) -> Result<Subject> {
        match self {
            Self::Generated(profile) => profile.make(surefire),
            Self::Library(library) => library.make(jdk, surefire),
            Self::Checkout { directory, change } => {
                let change = change
                    .as_ref()
                    .map(|(file, literal)| Change::find(directory, file, literal));
                Subject::checkout(directory, change.transpose()?)
            }
        }
    }
}
