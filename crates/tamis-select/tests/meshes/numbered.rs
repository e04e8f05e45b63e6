//! Classes whose private methods are made to look like numbered ones (`lambda$f$3`), whatever they
//! call: themselves, each other in circles, or others.

use std::collections::BTreeSet;

use tamis_classfile::{AccessFlags, ClassFile, Constant};

/// The class with `$number` behind the names of its private methods; none if it has no such.
pub(crate) fn with_number(class: &ClassFile<'_>, number: usize) -> Option<ClassFile<'static>> {
    let mut class = class.clone().into_owned();
    let mut names = BTreeSet::new();
    for method in &mut class.methods {
        let name = class.constant_pool.utf8(method.name).ok()?;
        if method.access_flags.contains(AccessFlags::PRIVATE) && !name.starts_with(b"<") {
            method.access_flags.0 |= AccessFlags::SYNTHETIC.0;
            names.insert(method.name);
        }
    }
    for index in &names {
        let name = class.constant_pool.utf8(*index).ok()?;
        let numbered = [name, format!("${number}").as_bytes()].concat();
        class
            .constant_pool
            .set(*index, Constant::Utf8(numbered.into()))
            .ok()?;
    }
    (!names.is_empty()).then_some(class)
}
