//! Random permutations of a constant pool that its class allows.

use std::collections::BTreeSet;

use tamis_classfile::instruction::{instructions, opcode};
use tamis_classfile::{ClassFile, Result};

use crate::random::Random;

/// What an `ldc` names stays below this index.
const LDC_LIMIT: usize = 256;

/// New places for all constants, as [`ClassFile::permute_constants`] takes them.
pub(crate) fn random_places(class: &ClassFile<'_>, random: &mut Random) -> Result<Vec<u16>> {
    let named_by_ldc = named_by_ldc(class)?;
    let (mut low, mut high): (Vec<_>, Vec<_>) = constants(class)
        .into_iter()
        .partition(|(index, _)| named_by_ldc.contains(index));
    random.shuffle(&mut high);
    let mut room = (LDC_LIMIT - 1).saturating_sub(width(&low));
    high.retain(|constant| {
        let fits = width(&[*constant]) <= room;
        if fits {
            room -= width(&[*constant]);
            low.push(*constant);
        }
        !fits
    });
    random.shuffle(&mut low);
    let mut places = vec![0; class.constant_pool.len()];
    let mut next = 1;
    for (index, is_wide) in low.into_iter().chain(high) {
        let index = usize::from(index);
        places[index] = next;
        next += 1;
        if is_wide {
            places[index + 1] = next;
            next += 1;
        }
    }
    Ok(places)
}

/// The constants, and whether they take two indices.
fn constants(class: &ClassFile<'_>) -> Vec<(u16, bool)> {
    let pool = &class.constant_pool;
    let usable = pool.iter().filter(|(index, _)| pool.get(*index).is_ok());
    usable
        .map(|(index, constant)| (index, constant.is_wide()))
        .collect()
}

fn width(constants: &[(u16, bool)]) -> usize {
    let one = |(_, is_wide): &(u16, bool)| if *is_wide { 2 } else { 1 };
    constants.iter().map(one).sum()
}

fn named_by_ldc(class: &ClassFile<'_>) -> Result<BTreeSet<u16>> {
    let mut named = BTreeSet::new();
    for code in class.methods.iter().filter_map(|method| method.code()) {
        for instruction in instructions(&code.instructions) {
            let instruction = instruction?;
            if instruction.opcode == opcode::LDC {
                named.extend(instruction.constant());
            }
        }
    }
    Ok(named)
}
