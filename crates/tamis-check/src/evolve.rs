//! What the operators of [`Operator`] make of a base program: one evolution for each place.
//!
//! An operator works on constructs that the generator makes, or, where there are none, first grafts
//! a small *gadget* onto the base program; see [`graft`].

mod access;
mod annotation;
mod background;
mod bridge;
mod bundle;
mod cache;
mod catch_type;
mod class_data;
mod constant;
#[cfg(test)]
mod difference;
mod enable_test;
mod extends;
mod field;
mod file;
mod graft;
mod hide_static;
mod interface_default;
mod lambda;
mod library_class;
mod listener;
mod method;
mod move_class;
mod next_program;
mod optional_class;
mod overload;
mod overriding;
mod prepared_test;
mod property;
mod record;
mod rename;
mod reorder;
mod resource;
mod sealed;
mod service;
mod singleton;
mod static_initialiser;
mod surrounded;
mod thread;
mod used_by_initialiser;

use crate::constraint::Constraint;
use crate::evolving::Bounds;
use crate::generate::{Base, Space};
use crate::operator::Operator;
use crate::program::Program;

/// Two revisions of a program, and what the operator asks of the tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Evolution {
    pub(crate) before: Program,
    pub(crate) after: Program,
    /// What tests begin with in both revisions.
    pub(crate) test_grafts: Vec<TestGraft>,
    /// The test that is switched on by the change.
    pub(crate) enabled: Option<EnabledTest>,
    /// What both revisions offer to the framework.
    pub(crate) services: Vec<Service>,
}

/// A number that a test takes from a grafted type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TestGraft {
    pub(crate) class: usize,
    pub(crate) method: usize,
    pub(crate) java: String,
}

/// A grafted type that the framework finds by itself, since a file of the class path names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Service {
    /// The interface of the framework's.
    pub(crate) interface: &'static str,
    pub(crate) class: &'static str,
}

/// A test that is disabled in the first revision only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct EnabledTest {
    pub(crate) class: usize,
    pub(crate) method: usize,
    /// Whether it then fails.
    pub(crate) fails: bool,
}

impl Evolution {
    /// One in which only code changes.
    pub(crate) fn new(before: &Program, after: Program) -> Self {
        Self {
            before: before.clone(),
            after,
            test_grafts: Vec::new(),
            enabled: None,
            services: Vec::new(),
        }
    }

    /// Whether anything changes, both revisions should compile, and both come to an end.
    fn is_of_use(&self) -> bool {
        let changes = self.before != self.after || self.enabled.is_some();
        changes && self.before.is_sound() && self.after.is_sound() && self.after.terminates()
    }
}

/// What operators may know of a base program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) base: &'a Base,
    pub(crate) space: &'a Space,
    pub(crate) constraint: Constraint,
    pub(crate) bounds: &'a Bounds,
}

impl Source<'_> {
    fn program(&self) -> &Program {
        &self.base.program
    }

    /// Each change of the program as an evolution.
    fn changed(&self, changed: impl IntoIterator<Item = Program>) -> Vec<Evolution> {
        let evolutions = changed.into_iter();
        evolutions
            .map(|after| Evolution::new(self.program(), after))
            .collect()
    }
}

/// The evolutions of a base program by an operator, one for each place; those that our own check
/// sees not to compile are left out.
pub(crate) fn evolutions(operator: Operator, source: Source<'_>) -> Vec<Evolution> {
    let program = source.program();
    let mut all = match operator {
        Operator::AddExtends => source.changed(extends::add(program)),
        Operator::CopyField => source.changed(field::copy(program)),
        Operator::CopyFieldAndReplace => source.changed(field::copy_and_replace(program)),
        Operator::CopyMethod => source.changed(method::copy(program)),
        Operator::CopyMethodAndReplace => source.changed(method::copy_and_replace(program)),
        Operator::NextProgram => source.changed(next_program::next(source)),
        Operator::IncreaseConstant => source.changed(constant::increase(program)),
        Operator::RemoveExtends => source.changed(extends::remove(program)),
        Operator::RemoveMethod => source.changed(method::remove(program)),
        Operator::AddOverride => source.changed(overriding::add(program)),
        Operator::RemoveOverride => source.changed(overriding::remove(program)),
        Operator::AddOverload => both(
            source.changed(overload::add(program)),
            graft::evolutions(source, overload::ADDED),
        ),
        Operator::RemoveOverload => both(
            source.changed(overload::remove(program)),
            graft::evolutions(source, overload::REMOVED),
        ),
        Operator::AddInterfaceDefault => both(
            source.changed(interface_default::add(program)),
            graft::evolutions(source, interface_default::GADGETS),
        ),
        Operator::MoveClass => source.changed(move_class::to_other_package(program)),
        Operator::Rename => source.changed(rename::all(program)),
        Operator::AddStaticInitialiser => source.changed(static_initialiser::add(program)),
        Operator::ChangeStaticInitialiser => source.changed(static_initialiser::change(program)),
        Operator::AddAnnotation => graft::evolutions(source, annotation::ADDED),
        Operator::InsertLambda => source.changed(lambda::insert(program)),
        Operator::AddBridge => graft::evolutions(source, bridge::GADGETS),
        Operator::AddRecordComponent => graft::evolutions(source, record::GADGETS),
        Operator::ExtendPermits => graft::evolutions(source, sealed::GADGETS),
        Operator::HideStatic => source.changed(hide_static::add(program)),
        Operator::ChangeAccess => both(
            source.changed(access::change(program)),
            graft::evolutions(source, access::GADGETS),
        ),
        Operator::ReorderFields => reorder::fields(source),
        Operator::ReorderAnnotations => graft::evolutions(source, annotation::REORDERED),
        Operator::ChangeLazySingleton => graft::evolutions(source, singleton::GADGETS),
        Operator::ChangeCache => graft::evolutions(source, cache::GADGETS),
        Operator::EnableTest => enable_test::evolutions(source),
        Operator::ChangeCatchType => graft::evolutions(source, catch_type::GADGETS),
        Operator::AddOptionalClass => graft::evolutions(source, optional_class::GADGETS),
        Operator::ChangeCodeInThread => graft::evolutions(source, thread::GADGETS),
        Operator::ChangeCodeInBackground => background::evolutions(source),
        Operator::ChangeCodeInListener => listener::evolutions(source),
        Operator::ChangeUsedByInitialiser => {
            graft::evolutions(source, used_by_initialiser::GADGETS)
        }
        Operator::ChangeResource => surrounded::evolutions(source, resource::ALL),
        Operator::ChangeService => surrounded::evolutions(source, service::ALL),
        Operator::ChangeLibraryClass => surrounded::evolutions(source, library_class::ALL),
        Operator::ChangeProperty => surrounded::evolutions(source, property::ALL),
        Operator::ChangeFile => surrounded::evolutions(source, file::ALL),
        Operator::ChangePreparedTest => prepared_test::evolutions(source),
        Operator::ChangeClassData => graft::evolutions(source, class_data::GADGETS),
        Operator::ChangeBundle => bundle::evolutions(source),
    };
    all.retain(Evolution::is_of_use);
    all
}

/// Places in the base program, then those in gadgets: what the base program has to offer is often
/// not seen by a test.
fn both(in_program: Vec<Evolution>, in_gadgets: Vec<Evolution>) -> Vec<Evolution> {
    in_program.into_iter().chain(in_gadgets).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::generate::Walk;
    use crate::random::Random;

    /// For each operator some base program has places, and what is made there is of use.
    #[test]
    fn every_operator_has_places() {
        let bounds = Bounds::default();
        let space = Arc::new(Space::new(&bounds));
        let constraint = Constraint::Unconstrained;
        let walk = Walk::new(Arc::clone(&space), constraint, Random::new(1));
        let bases: Vec<_> = walk.take(200).collect();
        for operator in Operator::ALL {
            let count = |base: &Base| {
                let source = Source {
                    base,
                    space: &space,
                    constraint,
                    bounds: &bounds,
                };
                let all = evolutions(*operator, source);
                assert!(all.iter().all(Evolution::is_of_use), "{operator}");
                all.len()
            };
            let n_places: usize = bases.iter().map(count).sum();
            assert!(n_places > 20, "{operator}: {n_places}");
        }
    }
}
