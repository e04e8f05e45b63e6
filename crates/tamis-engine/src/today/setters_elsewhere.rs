//! Code in directories of the class path that sets static fields of other classes.
//!
//! Hardly any class does. Of each file it is kept by its stamp what it sets, as one checksum, and together they make another one: while
//! that is as all records know it, nobody set any field anew. Else the few files are read that set something. Archives are left
//! out: their code changes with a release, and to take all of it apart would cost more than everything else.

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

/// The files that set something.
#[derive(Debug)]
pub(super) struct SettingFiles {
    files: Vec<ClassCandidate>,
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
        match self.setting_files() {
            Ok(files) => State::Known(files.sum),
            Err(place) => State::Unknown(place.clone()),
        }
    }

    /// The methods of other classes in directories that set a static field of a class, sorted. An error, for people, if that cannot be told.
    pub(crate) fn setters_elsewhere(
        &self,
        class: &ClassName,
        field: &FieldId,
    ) -> Result<Vec<Setter>, String> {
        let elsewhere = self.set_elsewhere.get_or_init(|| self.read_setting_files());
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

    fn setting_files(&self) -> Result<&SettingFiles, &String> {
        let files = self.setting_files.get_or_init(|| {
            let packages = self.listing().in_directories()?;
            let found = map_in_parallel(&packages, |package| self.setting_in(package));
            let found = found.into_iter().collect::<Result<Vec<_>, String>>()?;
            let (files, mut sums): (Vec<_>, Vec<_>) = found.into_iter().flatten().unzip();
            // A class that moves from one directory to another makes no difference.
            sums.sort_unstable();
            let sum = together(&sums);
            Ok(SettingFiles { files, sum })
        });
        files.as_ref()
    }

    /// The files of a package that set something, each with the checksum of that.
    fn setting_in(
        &self,
        package: &PackageFiles<'_>,
    ) -> Result<Vec<(ClassCandidate, Checksum)>, String> {
        let mut setting = Vec::new();
        for (path, stamp) in package.files() {
            let key = FileKey {
                place: package.place(),
                path: &path,
                stamp: file_stamp(&stamp),
            };
            let known = self.cache.get(SumKind::SetElsewhere, &key);
            if known == Some(NOTHING) {
                continue;
            }
            // Nobody finds a class by a name that is no text.
            let Some(file) = package.candidate(&path, stamp) else {
                continue;
            };
            let sum = match known {
                Some(sum) => sum,
                None => SetByFile::read(&file)?.sum(),
            };
            if known.is_none() {
                let since = self.listing().since();
                self.cache.put(SumKind::SetElsewhere, &key, since, sum);
            }
            if sum != NOTHING {
                setting.push((file, sum));
            }
        }
        Ok(setting)
    }

    fn read_setting_files(&self) -> Result<SetElsewhere, String> {
        let SettingFiles { files, .. } = self.setting_files().map_err(Clone::clone)?;
        let mut elsewhere = SetElsewhere::default();
        for found in map_in_parallel(files, SetByFile::read) {
            match found? {
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

/// The checksum of a file that sets nothing.
const NOTHING: Checksum = Checksum([0; 16]);

impl SetByFile {
    fn read(file: &ClassCandidate) -> Result<Self, String> {
        let bytes = file.read().map_err(|error| error.location)?;
        let sets = ClassFile::parse(&bytes).and_then(|class| Sets::of(&class));
        Ok(match sets {
            Ok(sets) => Self::Fields(sets.foreign),
            Err(_) => Self::Anything(Setter::unseen(file.path(), plain(&bytes))),
        })
    }

    fn sum(&self) -> Checksum {
        let sum = match self {
            Self::Fields(sets) => of_sets(sets),
            Self::Anything(setter) => of_setters(std::slice::from_ref(setter)),
        };
        sum.unwrap_or(NOTHING)
    }
}
