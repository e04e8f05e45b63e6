//! What a JVM told, with the files of its classes, and what each of its entities relies on.

use std::collections::BTreeMap;

use tamis_build::FileMatch;
use tamis_facts::{ClassName, MethodId};
use tamis_wire::{ClassLoaded, ContentHash, Probing, UnitSet};

use crate::attribution::{Attributed, Classes, attribute};
use crate::class_files::{ClassFiles, RanMethod};
use crate::class_shape::ClassShape;
use crate::conversation::WatchedJvm;

/// A JVM whose words were compared with files.
#[derive(Debug)]
pub(crate) struct ExaminedJvm {
    pub(crate) jvm: WatchedJvm,
    /// Its classes by number.
    pub(crate) classes: BTreeMap<u32, ClassTrace>,
    /// What the entities that ran rely on, by number.
    pub(crate) entities: BTreeMap<u32, Attributed>,
}

/// What a JVM ran of a class.
#[derive(Debug)]
pub struct ClassTrace {
    /// The name.
    pub name: ClassName,
    /// The loaders that loaded it, by number.
    pub loaders: Vec<u32>,
    /// Where its file lies.
    pub file: FileMatch,
    /// Why it was not probed, if so.
    pub refused: Option<String>,
    /// Its methods that have code, in the order of the file; none where there is no such file.
    pub methods: Vec<RanMethod>,
    /// How many methods that have code it has, if it was probed.
    pub n_methods: usize,
    /// How many of them ran.
    pub n_ran: usize,
    /// What ran while it was initialised: its own methods and others.
    pub initialisation: Vec<(ClassName, MethodId)>,
    /// Of the bytes that were loaded; none where the agent never saw them.
    pub(crate) hash: Option<ContentHash>,
    pub(crate) first_unit: u32,
    n_units: u32,
    pub(crate) shape: ClassShape,
}

impl ExaminedJvm {
    pub(crate) fn new(jvm: WatchedJvm, files: &ClassFiles) -> Self {
        let ran = jvm.all_units();
        let mut classes: BTreeMap<u32, ClassTrace> = BTreeMap::new();
        for class in &jvm.classes {
            // The same class in another loader comes with the same number.
            let known = classes
                .entry(class.number)
                .or_insert_with(|| ClassTrace::new(class, files, &ran));
            known.loaders.push(class.loader);
            // A copy of it that marks other things would look as if it had run less.
            if known.n_units != n_units(class) {
                known.shape.forget_blocks();
            }
        }
        let shapes = jvm
            .classes
            .iter()
            .map(|class| (class, &classes[&class.number].shape));
        let entities = attribute(&jvm, &Classes::new(shapes, &jvm.sightings));
        Self {
            jvm,
            classes,
            entities,
        }
    }

    /// Without what its entities rely on, and without its classes: for a run of which nothing is kept.
    pub(crate) fn unattributed(jvm: WatchedJvm) -> Self {
        let entities = jvm.entities.iter();
        let ran = entities.filter(|(_, entity)| !entity.runs.is_empty() || entity.is_open);
        let ran = ran.map(|(number, _)| (*number, Attributed::default()));
        Self {
            entities: ran.collect(),
            classes: BTreeMap::new(),
            jvm,
        }
    }
}

impl ClassTrace {
    fn new(class: &ClassLoaded, files: &ClassFiles, ran: &UnitSet) -> Self {
        let n_units = n_units(class);
        let (first_unit, refused) = match &class.probing {
            Probing::Probed { first, .. } => (*first, None),
            Probing::Refused(reason) => (0, Some(String::from_utf8_lossy(reason).into_owned())),
        };
        let (file, shape) = files.find(&class.name, &class.origin, class.hash, n_units);
        let shape = shape.unwrap_or_else(|| ClassShape::of_names(&class.names, n_units));
        let n_methods = n_units.min(shape.uses.len() as u32);
        let units = first_unit..first_unit + n_methods;
        let methods = units
            .clone()
            .zip(&shape.methods)
            .map(|(unit, method)| RanMethod {
                method: method.clone(),
                ran: ran.contains(unit),
            });
        Self {
            name: class.name.clone(),
            loaders: Vec::new(),
            file,
            refused,
            methods: methods.collect(),
            n_methods: n_methods as usize,
            n_ran: units.filter(|unit| ran.contains(*unit)).count(),
            initialisation: Vec::new(),
            hash: class.hash,
            first_unit,
            n_units,
            shape,
        }
    }
}

fn n_units(class: &ClassLoaded) -> u32 {
    match class.probing {
        Probing::Probed { n_units, .. } => n_units,
        Probing::Refused(_) => 0,
    }
}
