//! Code in directories of the class path that sets static fields of other classes.
//!
//! Hardly any class does. Of each package of a directory it is kept by the stamps of its files what they set, as one checksum, and together
//! these make another one: while that is as all records know it, nobody set any field anew. Else the packages are read that set something.
//! Archives are left out: their code changes with a release, and to take all of it apart would cost more than everything else.

use std::collections::{BTreeSet, HashMap};

use tamis_build::{ClassCandidate, PackageFiles, map_in_parallel};
use tamis_classfile::ClassFile;
use tamis_facts::{Checksum, ClassName, FieldId};
use tamis_select::{Classes as _, plain};
use tamis_store::{FileKey, SumKind};

use super::State;
use super::class_states::{ClassStates, file_stamp};
use super::class_sums::together;
use crate::setters::{Set, Sets, Setter, of_sets, of_setters};

/// The packages with code that sets something.
#[derive(Debug)]
pub(super) struct SettingPackages {
    /// Their places among all packages of directories.
    positions: Vec<usize>,
    /// One checksum over what they set.
    sum: Checksum,
}

/// What they set.
#[derive(Debug, Default)]
pub(super) struct SetElsewhere {
    /// With the class by which each names the field.
    by_field: HashMap<FieldId, Vec<(ClassName, Setter)>>,
    /// What may set any field.
    anything: Vec<Setter>,
}

/// What a file sets of other classes.
enum SetByFile {
    Fields(Vec<Set>),
    /// It cannot be understood.
    Anything(Setter),
}

impl ClassStates<'_> {
    /// One checksum over all that code in directories sets of static fields of other classes.
    pub fn all_setters_elsewhere(&self) -> State<Checksum> {
        match self.setting_packages() {
            Ok(packages) => State::Known(packages.sum),
            Err(place) => State::Unknown(place.clone()),
        }
    }

    /// The methods of other classes in directories that set a static field of a class, sorted. An error, for people, if that cannot be told.
    pub(crate) fn setters_elsewhere(
        &self,
        class: &ClassName,
        field: &FieldId,
    ) -> Result<Vec<Setter>, String> {
        let elsewhere = self
            .set_elsewhere
            .get_or_init(|| self.read_setting_packages());
        let elsewhere = elsewhere.as_ref().map_err(Clone::clone)?;
        let mut setters = elsewhere.anything.clone();
        for (owner, setter) in elsewhere.by_field.get(field).into_iter().flatten() {
            if self.is_at_or_below(owner, class)? {
                setters.push(setter.clone());
            }
        }
        setters.sort();
        Ok(setters)
    }

    /// Whether a class is this one, or has it above itself. Which field is hidden by another one does not matter: more
    /// setters than there are do no harm.
    fn is_at_or_below(&self, class: &ClassName, above: &ClassName) -> Result<bool, String> {
        let mut seen = BTreeSet::new();
        let mut next = vec![class.clone()];
        while let Some(class) = next.pop() {
            if class == *above {
                return Ok(true);
            }
            if let Some(declared) = self.declared(&class)? {
                next.extend(declared.supertypes().cloned());
            }
            next.retain(|class| !seen.contains(class));
            seen.insert(class);
        }
        Ok(false)
    }

    fn setting_packages(&self) -> Result<&SettingPackages, &String> {
        let packages = self.setting_packages.get_or_init(|| {
            let packages = self.listing().in_directories()?;
            let sums = map_in_parallel(&packages, |package| self.sum_set_by(package));
            let sums = sums.into_iter().collect::<Result<Vec<_>, String>>()?;
            let setting = sums.into_iter().enumerate();
            let setting = setting.filter(|(_, sum)| *sum != NOTHING);
            let (positions, sums): (_, Vec<_>) = setting.unzip();
            let sum = together(&sums);
            Ok(SettingPackages { positions, sum })
        });
        packages.as_ref()
    }

    /// One checksum over what the code of a package sets, by the stamps of its files if these are known.
    fn sum_set_by(&self, package: &PackageFiles<'_>) -> Result<Checksum, String> {
        let key = FileKey {
            place: package.place(),
            path: package.path(),
            stamp: file_stamp(&package.stamp()),
        };
        if let Some(known) = self.cache.get(SumKind::SetElsewhere, &key) {
            return Ok(known);
        }
        let files = read_package(package)?;
        let sums = files.iter().filter_map(SetByFile::sum);
        let sums: Vec<Checksum> = sums.collect();
        let sum = match sums[..] {
            [] => NOTHING,
            _ => together(&sums),
        };
        let since = self.listing().since();
        self.cache.put(SumKind::SetElsewhere, &key, since, sum);
        Ok(sum)
    }

    fn read_setting_packages(&self) -> Result<SetElsewhere, String> {
        let SettingPackages { positions, .. } = self.setting_packages().map_err(Clone::clone)?;
        let packages = self.listing().in_directories()?;
        let read = map_in_parallel(positions, |position| read_package(&packages[*position]));
        let mut elsewhere = SetElsewhere::default();
        for file in read
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
        {
            match file {
                SetByFile::Anything(setter) => elsewhere.anything.push(setter),
                SetByFile::Fields(sets) => {
                    for set in sets {
                        let setters = elsewhere.by_field.entry(set.field).or_default();
                        setters.push((set.owner, set.setter));
                    }
                }
            }
        }
        Ok(elsewhere)
    }
}

/// The checksum of a package that sets nothing.
const NOTHING: Checksum = Checksum([0; 16]);

/// What the files of a package set.
fn read_package(package: &PackageFiles<'_>) -> Result<Vec<SetByFile>, String> {
    package.files().map(|file| SetByFile::read(&file)).collect()
}

impl SetByFile {
    fn read(file: &ClassCandidate) -> Result<Self, String> {
        let bytes = file.read().map_err(|error| error.location)?;
        let sets = ClassFile::parse(&bytes).and_then(|class| Sets::of(&class));
        Ok(match sets {
            Ok(sets) => Self::Fields(sets.foreign),
            Err(_) => Self::Anything(Setter::unseen(file.path(), plain(&bytes))),
        })
    }

    /// One checksum over what it sets; none if that is nothing.
    fn sum(&self) -> Option<Checksum> {
        match self {
            Self::Fields(sets) => of_sets(sets),
            Self::Anything(setter) => of_setters(std::slice::from_ref(setter)),
        }
    }
}
