//! Equal smart checksums mean equal parts, and a difference in a part shows in everything coarser:
//! what makes a finer mesh select no less than it must. Over the versions of libraries that users
//! update, and over mutants of their classes. Seeds are printed; more than 100,000 mutants by
//! default, those of every small class with `TAMIS_CORPUS=whole`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the whole crate is tests, and tells its numbers"
)]

mod explained;
mod meaningless;
mod mutation;
mod numbered;
#[path = "../../../tamis-classfile/tests/round_trip/permutation.rs"]
mod permutation;
mod property;
#[path = "../../../tamis-classfile/tests/round_trip/random.rs"]
mod random;
mod text_use;

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use tamis_build::ClassSource;
use tamis_classfile::ClassFile;
use tamis_classfile::checksum::DebugInfo;
use tamis_select::{ClassState, diff};
use tamis_testkit::corpus::{CORPUS, VERSION_PAIRS};
use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::maven::{artifact, artifacts};
use tamis_testkit::server::JavaServer;

use meaningless::Meaningless;
use mutation::Mutation;
use property::{Summed, differing_part, violation};
use random::Random;

/// All mutants come from this number and the bytes of their classes.
const SEED: u64 = 20_260_317;

/// Mutants are made of classes up to this size, so that there can be many of them.
const LARGEST: usize = 12_000;

#[test]
fn versions_of_libraries() {
    let (mut n_pairs, mut n_changed, mut n_equal) = (0, 0, 0);
    let mut equal_but_for_smart = Vec::new();
    let mut found = Vec::new();
    for (old, new) in VERSION_PAIRS {
        let mut new = classes(&artifact(new).unwrap());
        for (name, old) in classes(&artifact(old).unwrap()) {
            let Some(new) = new.remove(&name) else {
                continue;
            };
            n_pairs += 1;
            n_changed += usize::from(old != new);
            match compare_versions(&old, &new) {
                Ok(compared) => {
                    n_equal += usize::from(compared.is_smart_equal);
                    if compared.is_every_part_equal && !compared.is_smart_equal {
                        equal_but_for_smart.push(name);
                    }
                }
                Err(violation) => found.push(format!("{name}: {violation}")),
            }
        }
    }
    println!("{n_pairs} pairs, {n_changed} with other bytes, {n_equal} with equal smart checksums");
    println!(
        "{} with equal parts and other smart checksums, as {:?}",
        equal_but_for_smart.len(),
        equal_but_for_smart.first()
    );
    assert_eq!(found, [""; 0]);
    assert!(n_changed > 1000 && n_equal > n_pairs - n_changed);
}

/// What two versions of a class have in common.
struct Compared {
    is_smart_equal: bool,
    is_every_part_equal: bool,
}

/// Compares two versions, or tells what contradicts the property.
fn compare_versions(old: &[u8], new: &[u8]) -> Result<Compared, String> {
    let parse = |bytes| ClassFile::parse(bytes).map_err(|error| error.to_string());
    let (old_class, new_class) = (parse(old)?, parse(new)?);
    let sum = |class| Summed::of(class).map_err(|error| error.to_string());
    let (a, b) = (sum(&old_class)?, sum(&new_class)?);
    let compared = Compared {
        is_smart_equal: a.sums.smart == b.sums.smart,
        is_every_part_equal: differing_part(&a.sums, &b.sums).is_none(),
    };
    let states = [old, new].map(|bytes| ClassState::of(bytes, DebugInfo::Ignored));
    let changes = diff(Some(&states[0]), Some(&states[1]));
    if changes.is_empty() != compared.is_every_part_equal {
        return Err("the changes do not say what the checksums of the parts say".to_owned());
    }
    violation(&a, &b).map_or(Ok(compared), Err)
}

#[test]
fn what_means_nothing_changes_no_checksum() {
    let mut changed: BTreeMap<Meaningless, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (name, bytes) in sample(MEANINGLESS_STEP) {
        let class = ClassFile::parse(&bytes).unwrap();
        let plain = Summed::of(&class).unwrap();
        let mut random = Random::for_bytes(SEED, &bytes);
        for edit in Meaningless::ALL {
            let mut edited = class.clone().into_owned();
            if !edit.apply(&mut edited, &plain.sums, &mut random) {
                continue;
            }
            *changed.entry(edit).or_default() += 1;
            let edited = reread(&edited).unwrap();
            let other = Summed::of(&edited).unwrap();
            let part = differing_part(&plain.sums, &other.sums).map(str::to_owned);
            let is_smart_equal = plain.sums.smart == other.sums.smart || edit.may_show_in_smart();
            let smart = (!is_smart_equal).then(|| "smart".to_owned());
            let violated = smart.or(part).or_else(|| violation(&plain, &other));
            found.extend(violated.map(|what| format!("{edit:?} of {name}: {what}")));
        }
    }
    println!("seed {SEED}, {changed:?}");
    assert_eq!(found, [""; 0]);
    assert_eq!(changed.len(), Meaningless::ALL.len(), "{changed:?}");
}

/// A pool that grows past index 255 makes code longer: every `ldc` becomes an `ldc_w`, and branches,
/// switches, handlers and frames move.
#[test]
fn a_longer_constant_pool_changes_no_checksum() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let sample = sample(MEANINGLESS_STEP);
    let classes: Vec<&[u8]> = sample.iter().map(|(_, bytes)| &bytes[..]).collect();
    let [short, long] = [0, 300].map(|n| server.filled(&classes, n).unwrap());
    let mut n_moved = 0;
    let mut found = Vec::new();
    for ((name, _), (short, long)) in sample.iter().zip(short.into_iter().zip(long)) {
        let (short, long) = (short.expect(name), long.expect(name));
        let [short, long] = [&short, &long].map(|bytes| ClassFile::parse(bytes).unwrap());
        n_moved += usize::from(code_length(&short) != code_length(&long));
        let (short, long) = (Summed::of(&short).unwrap(), Summed::of(&long).unwrap());
        let is_smart_equal = short.sums.smart == long.sums.smart;
        let smart = (!is_smart_equal).then(|| "smart".to_owned());
        let part = differing_part(&short.sums, &long.sums).map(str::to_owned);
        let violated = smart.or(part).or_else(|| violation(&short, &long));
        found.extend(violated.map(|what| format!("{name}: {what}")));
    }
    println!("{} classes, {n_moved} with other code", sample.len());
    assert_eq!(found, [""; 0]);
    assert!(n_moved > 100);
}

fn code_length(class: &ClassFile<'_>) -> usize {
    let codes = class.methods.iter().filter_map(|method| method.code());
    codes.map(|code| code.instructions.len()).sum()
}

/// What was seen of one kind of mutant.
#[derive(Default)]
struct Seen {
    n: usize,
    n_unreadable: usize,
    /// By what was hit: how many left the smart checksum as it was.
    equal: BTreeMap<String, usize>,
}

#[test]
fn mutants() {
    let mut seen: BTreeMap<Mutation, Seen> = BTreeMap::new();
    let mut found = Vec::new();
    for (name, bytes) in sample(MUTANT_STEP) {
        let class = ClassFile::parse(&bytes).unwrap();
        let plain = Summed::of(&class).unwrap();
        let mut random = Random::for_bytes(SEED, &bytes);
        for mutation in Mutation::ALL {
            let mut mutant = class.clone().into_owned();
            let Some(hit) = mutation.apply(&mut mutant, &mut random) else {
                continue;
            };
            if mutant == class {
                continue;
            }
            let seen = seen.entry(mutation).or_default();
            if let Err(violation) = seen.look(&plain, &mutant, hit) {
                found.push(format!("{mutation:?} of {name}: {violation}"));
            }
        }
    }
    let n_pairs = report(&seen);
    assert_eq!(found, [""; 0]);
    assert!(n_pairs >= 100_000, "{n_pairs} pairs are too few");
    assert_eq!(seen.len(), Mutation::ALL.len());
    for (mutation, seen) in &seen {
        for hit in seen.equal.keys() {
            let is_explained = explained::is_explained(*mutation, hit);
            assert!(
                is_explained,
                "{mutation:?} of `{hit}` should have changed the checksum"
            );
        }
    }
}

/// Methods that name each other in circles have no content of their own to be known by.
#[test]
fn numbered_methods_of_any_shape() {
    let (mut n_pairs, mut n_equal) = (0, 0);
    let mut found = Vec::new();
    for (name, bytes) in sample(MEANINGLESS_STEP) {
        let class = ClassFile::parse(&bytes).unwrap();
        let states = [1, 2].map(|number| numbered::with_number(&class, number));
        let [Some(one), Some(two)] = &states else {
            continue;
        };
        let (one, two) = (Summed::of(one).unwrap(), Summed::of(two).unwrap());
        n_pairs += 1;
        n_equal += usize::from(one.sums.smart == two.sums.smart);
        found.extend(violation(&one, &two).map(|what| format!("{name}: {what}")));
    }
    println!("{n_pairs} pairs, {n_equal} with equal smart checksums");
    assert_eq!(found, [""; 0]);
    assert!(n_equal > 0);
}

impl Seen {
    fn look(
        &mut self,
        plain: &Summed<'_>,
        mutant: &ClassFile<'static>,
        hit: String,
    ) -> Result<(), String> {
        let Some(mutant) = reread(mutant) else {
            self.n_unreadable += 1;
            return Ok(());
        };
        // What cannot be understood counts as a whole: any difference of bytes is one.
        let Ok(mutant) = Summed::of(&mutant) else {
            self.n_unreadable += 1;
            return Ok(());
        };
        self.n += 1;
        if plain.sums.smart == mutant.sums.smart {
            *self.equal.entry(hit).or_default() += 1;
        }
        violation(plain, &mutant).map_or(Ok(()), Err)
    }
}

/// Prints the numbers; gives that of all pairs.
fn report(seen: &BTreeMap<Mutation, Seen>) -> usize {
    let n_pairs = seen.values().map(|seen| seen.n).sum();
    println!("seed {SEED}, {n_pairs} pairs");
    for (mutation, seen) in seen {
        let n_equal: usize = seen.equal.values().sum();
        let Seen {
            n, n_unreadable, ..
        } = seen;
        println!("{mutation:?}: {n} pairs, {n_equal} equal, {n_unreadable} not understood");
        for (hit, n_equal) in &seen.equal {
            println!("  {n_equal} equal: {hit}");
        }
    }
    n_pairs
}

/// The class as its bytes say it, if it can be written and read.
fn reread(class: &ClassFile<'static>) -> Option<ClassFile<'static>> {
    let bytes = class.encode().ok()?;
    Some(ClassFile::parse(&bytes).ok()?.into_owned())
}

const MUTANT_STEP: usize = 5;
const MEANINGLESS_STEP: usize = 16;

/// Small classes of the corpus: one in `step`, or all.
fn sample(step: usize) -> Vec<(String, Vec<u8>)> {
    let step = match env::var("TAMIS_CORPUS").as_deref() {
        Ok("whole") => 1,
        _ => step,
    };
    let jars = artifacts(CORPUS).unwrap();
    let all = jars.iter().flat_map(|jar| classes(jar));
    let small = all.filter(|(_, bytes)| bytes.len() <= LARGEST);
    small.step_by(step).collect()
}

fn classes(jar: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = ClassSource::open(jar).unwrap();
    let named = entries.read_all().map(|entry| {
        let entry = entry.unwrap();
        (entry.path, entry.bytes)
    });
    named.collect()
}
