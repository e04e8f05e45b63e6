//! Renumbering constants: every index in a class file, wherever it stands, can be visited.
//!
//! That is what shows that the model understands each attribute instead of carrying its bytes. An
//! attribute of unknown layout may hold indices that nobody can find, so it is refused by name.

use tamis_facts::ModifiedUtf8;

use crate::attribute::{Attribute, AttributeContent};
use crate::class_file::{ClassFile, Method};
use crate::constant_pool::ConstantPool;
use crate::error::{Error, Result};
use crate::instruction::{instructions, opcode};
use crate::table::{Row, Table};

/// Something that holds indices into the constant pool.
pub trait VisitConstants {
    /// Calls `visit` on every index; 0 stands for none and is visited too.
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16));
}

impl<T: VisitConstants> VisitConstants for Vec<T> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        for item in self.iter_mut() {
            item.visit_constants(visit);
        }
    }
}

impl<R: Row + VisitConstants> VisitConstants for Table<'_, R> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        self.update(|row| row.visit_constants(visit));
    }
}

impl ClassFile<'_> {
    /// Moves the constant at each index `i` to the index `places[i]`.
    ///
    /// `places` is a permutation that leaves 0 where it is, keeps the two halves of longs and
    /// doubles together, and keeps below 256 what an `ldc` names. On an error nothing has changed.
    pub fn permute_constants(&mut self, places: &[u16]) -> Result<()> {
        check_permutation(&self.constant_pool, places)?;
        self.check_layouts_known()?;
        let place = |index: u16| {
            places
                .get(usize::from(index))
                .copied()
                .ok_or_else(|| Error::malformed(None, format!("there is no constant #{index}")))
        };
        let mut renumbered = self.clone();
        let mut failure = None;
        let mut visit = |index: &mut u16| match place(*index) {
            Ok(place) => *index = place,
            Err(error) => failure = Some(error),
        };
        renumbered.visit_indices(&mut visit);
        for method in &mut renumbered.methods {
            renumber_instructions(method, &place)?;
        }
        if let Some(error) = failure {
            return Err(error);
        }
        renumbered.constant_pool = permuted(&self.constant_pool, places);
        *self = renumbered;
        Ok(())
    }

    /// Visits all indices but those in instructions.
    fn visit_indices(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.this_class);
        visit(&mut self.super_class);
        self.interfaces.iter_mut().for_each(&mut *visit);
        for field in &mut self.fields {
            visit(&mut field.name);
            visit(&mut field.descriptor);
            field.attributes.visit_constants(visit);
        }
        for method in &mut self.methods {
            visit(&mut method.name);
            visit(&mut method.descriptor);
            method.attributes.visit_constants(visit);
        }
        self.attributes.visit_constants(visit);
    }

    fn check_layouts_known(&self) -> Result<()> {
        let of_fields = self.fields.iter().flat_map(|field| &field.attributes);
        let of_methods = self.methods.iter().flat_map(|method| &method.attributes);
        let mut unknown = None;
        for attribute in self.attributes.iter().chain(of_fields).chain(of_methods) {
            find_unknown(attribute, &self.constant_pool, &mut unknown);
        }
        match unknown {
            None => Ok(()),
            Some(name) => Err(Error::unsupported(
                None,
                format!("the attribute {name} may hold constant indices that cannot be found"),
            )),
        }
    }
}

/// Attributes of compilers that are known to hold no indices.
const WITHOUT_INDICES: [&[u8]; 3] = [b"Scala", b"ScalaSig", b"TASTY"];

fn find_unknown(
    attribute: &Attribute<'_>,
    pool: &ConstantPool<'_>,
    unknown: &mut Option<ModifiedUtf8>,
) {
    let inner = match &attribute.content {
        AttributeContent::Unknown(bytes) => {
            let name = pool.utf8(attribute.name).unwrap_or_default();
            if !bytes.is_empty() && !WITHOUT_INDICES.contains(&name) {
                *unknown = Some(name.into());
            }
            return;
        }
        AttributeContent::Code(code) => code.attributes.iter().collect::<Vec<_>>(),
        AttributeContent::Record(components) => components
            .iter()
            .flat_map(|component| &component.attributes)
            .collect(),
        _ => return,
    };
    for attribute in inner {
        find_unknown(attribute, pool, unknown);
    }
}

fn check_permutation(pool: &ConstantPool<'_>, places: &[u16]) -> Result<()> {
    let mut taken = vec![false; pool.len()];
    let is_permutation = places.len() == pool.len()
        && places.first() == Some(&0)
        && places.iter().all(|place| {
            taken
                .get_mut(usize::from(*place))
                .is_some_and(|seen| !std::mem::replace(seen, true))
        });
    let keeps_pairs = pool.iter().all(|(index, constant)| {
        let index = usize::from(index);
        !constant.is_wide() || places.get(index + 1) == places.get(index).map(|p| p + 1).as_ref()
    });
    if is_permutation && keeps_pairs {
        return Ok(());
    }
    Err(Error::unsupported(
        None,
        "this is no permutation of the constant pool",
    ))
}

fn permuted<'a>(pool: &ConstantPool<'a>, places: &[u16]) -> ConstantPool<'a> {
    let mut result = pool.clone();
    for (index, constant) in pool.iter() {
        let mut constant = constant.clone();
        constant.visit_constants(&mut |reference| *reference = places[usize::from(*reference)]);
        result.slots_mut()[usize::from(places[usize::from(index)])] = constant;
    }
    result
}

fn renumber_instructions(
    method: &mut Method<'_>,
    place: &impl Fn(u16) -> Result<u16>,
) -> Result<()> {
    let Some(code) = method.code_mut() else {
        return Ok(());
    };
    let mut bytes = code.instructions.to_vec();
    for instruction in instructions(&code.instructions) {
        let instruction = instruction?;
        let Some(index) = instruction.constant() else {
            continue;
        };
        let at = instruction.offset as usize + 1;
        let place = place(index)?;
        if instruction.opcode == opcode::LDC {
            bytes[at] = u8::try_from(place).map_err(|_| {
                Error::too_large(format!("an ldc cannot name the constant #{place}"))
            })?;
        } else {
            bytes[at..at + 2].copy_from_slice(&place.to_be_bytes());
        }
    }
    code.instructions = bytes.into();
    Ok(())
}
