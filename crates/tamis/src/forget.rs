//! `tamis forget`: drops records, so that tests run next time.

use std::cell::RefCell;
use std::collections::BTreeSet;

use clap::Args;
use tamis_facts::EntityId;

use crate::cli_error::{CliError, Known, Outcome};
use crate::options::{OutputOptions, StoreOptions};
use crate::printer::Printer;
use crate::similar::similar;
use crate::test_name::TestName;
use crate::text;
use crate::view::ForgetReport;

/// Drop what is known of tests, so that they run next time
///
/// Without names, what is known of all tests is dropped. Nothing is asked; the next run records anew.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ForgetCommand {
    /// Names of tests, without their packages if you like; `*` stands for anything
    #[arg(value_name = "TEST")]
    tests: Vec<String>,

    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis forget CartTest 'shop.slow.*'
  tamis forget                           everything

Exit status:
  0    done
  2    wrong use
  64   no record knows such a test, or nothing is known yet; the others were dropped
  66   what is known cannot be read
  74   the report cannot be written
  78   a setting cannot be used";

/// What was found while dropping.
#[derive(Debug, Default)]
struct Found {
    dropped: Vec<EntityId>,
    kept: BTreeSet<String>,
    /// The names that meant something, by position.
    used: BTreeSet<usize>,
}

impl ForgetCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.store.surroundings()?;
        let mut knowledge = surroundings.knowledge()?;
        let names: Vec<TestName> = self.tests.iter().map(|name| TestName::new(name)).collect();
        let found = RefCell::new(Found::default());
        let n_entities = knowledge.forget(&|id| found.borrow_mut().is_dropped(id, &names))?;
        let found = found.into_inner();
        let report = ForgetReport::new(n_entities, &found.dropped);
        self.output
            .write(&report, |_| text::forget(&report), printer)?;
        Ok(Outcome {
            errors: found.unused(&names),
            ..Outcome::default()
        })
    }
}

impl Found {
    fn is_dropped(&mut self, id: &EntityId, names: &[TestName]) -> bool {
        let entity = id.to_string();
        let used = names.iter().enumerate();
        let used: Vec<usize> = used
            .filter(|(_, name)| name.matches(&entity))
            .map(|(position, _)| position)
            .collect();
        let is_dropped = names.is_empty() || !used.is_empty();
        self.used.extend(used);
        if is_dropped {
            self.dropped.push(id.clone());
        } else {
            self.kept.insert(entity);
        }
        is_dropped
    }

    /// Names that meant nothing.
    fn unused(&self, names: &[TestName]) -> Vec<CliError> {
        let unused = names.iter().enumerate();
        let unused = unused.filter(|(position, _)| !self.used.contains(position));
        let unused = unused.map(|(_, name)| CliError::NotKnown {
            what: Known::Test,
            name: name.as_str().to_owned(),
            similar: similar(name.as_str(), self.kept.iter().map(String::as_str)),
        });
        unused.collect()
    }
}
