//! `tamis what`: which tests depend on something.

mod wanted;

use std::cell::RefCell;
use std::collections::BTreeSet;

use clap::Args;
use tamis_engine::Knowledge;
use tamis_facts::Subject;

use crate::cli_error::{CliError, Known, Outcome};
use crate::escape;
use crate::options::{OutputOptions, StoreOptions};
use crate::printer::{self, Printer};
use crate::similar::similar;
use crate::text;
use crate::view::WhatReport;
use wanted::{Wanted, WantedFile};

/// Show which tests depend on a file, a class or a method
///
/// Answers from the newest record of each test; nothing is compiled or compared. This command only looks.
///
/// A source file stands for the classes of its name, nested ones included, by the package that its path
/// ends in, and for itself. Of any other file those tests are shown that read it, asked whether it is there,
/// or listed its directory; a file in a folder `resources` is known by the copy beside the classes.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct WhatCommand {
    /// A path, a class (`shop.Cart`, `Cart`, `shop.*`), or a method or field of one (`shop.Cart#add`)
    #[arg(value_name = "PATH|CLASS|CLASS#METHOD")]
    wanted: String,

    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis what src/main/java/shop/Cart.java
  tamis what src/test/resources/prices.csv
  tamis what shop.Cart
  tamis what 'Cart#add(int)'               parameters may be left out
  tamis what 'shop.Cart#<init>'            its constructors
  tamis what Cart --format json            with each fact, for a program

Exit status:
  0    shown
  2    wrong use
  64   no record names such a thing, or nothing is known yet
  66   what is known cannot be read
  74   the report cannot be written
  78   a setting cannot be used";

impl WhatCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.store.surroundings()?;
        let waiting = printer::wait("reading what is known");
        let knowledge = surroundings.knowledge()?;
        let report = self.report(&Wanted::new(&self.wanted), &knowledge)?;
        drop(waiting);
        let text = |palette: &_| text::what(&report, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome::default())
    }

    fn report(&self, wanted: &Wanted, knowledge: &Knowledge) -> Result<WhatReport, CliError> {
        let file = WantedFile::new(&self.wanted, knowledge.root());
        if wanted.is_other_file() {
            let dependents = knowledge.dependents(&|subject| {
                // Where it was not seen which files a test read, it may be any.
                file.is_subject(subject) || *subject == Subject::Files
            })?;
            return Ok(WhatReport::new(&self.wanted, Vec::new(), &dependents));
        }
        let names = names_of_classes(knowledge)?;
        let classes = wanted.classes(&names);
        if classes.is_empty() {
            // It may be a file that is gone.
            let dependents = knowledge.dependents(&|subject| file.is_subject(subject))?;
            if !dependents.is_empty() {
                return Ok(WhatReport::new(&self.wanted, Vec::new(), &dependents));
            }
            return Err(self.not_known(Known::Class, wanted.class_name(), &names));
        }
        let members = RefCell::new(BTreeSet::new());
        let dependents = knowledge.dependents(&|subject| {
            let is_of_class = subject
                .class()
                .is_some_and(|class| classes.contains(&escape::name(class.as_bytes())));
            if is_of_class {
                members.borrow_mut().extend(wanted::member_name(subject));
            }
            let is_telling = wanted::is_telling(subject) && wanted.is_member(subject);
            is_of_class && is_telling || file.is_subject(subject)
        })?;
        if dependents.is_empty() && wanted.has_member() {
            return Err(self.not_known(Known::Member, &self.wanted, &members.into_inner()));
        }
        Ok(WhatReport::new(
            &self.wanted,
            classes.into_iter().collect(),
            &dependents,
        ))
    }

    fn not_known(&self, what: Known, name: &str, names: &BTreeSet<String>) -> CliError {
        let names: Vec<String> = names.iter().map(|name| name.replace('/', ".")).collect();
        let wanted = name.rsplit('#').next().unwrap_or(name);
        CliError::NotKnown {
            what,
            name: self.wanted.clone(),
            similar: similar(wanted, names.iter().map(String::as_str)),
        }
    }
}

/// The classes that records name, with slashes.
fn names_of_classes(knowledge: &Knowledge) -> Result<BTreeSet<String>, CliError> {
    let names = RefCell::new(BTreeSet::new());
    knowledge.dependents(&|subject| {
        let class = subject.class();
        let name = class.map(|class| escape::name(class.as_bytes()));
        names.borrow_mut().extend(name);
        false
    })?;
    Ok(names.into_inner())
}
