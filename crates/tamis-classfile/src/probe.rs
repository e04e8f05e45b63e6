//! Probes: the bytes of a class in, the bytes of the probed class and the map of its units out.
//!
//! A class comes out whole or not at all: what cannot be probed is refused with an [`Error`] that
//! says why, and the caller lets the class run as it is. No probe adds a field or a method.
//! `docs/design/probes.md` shows the layout of each.

mod blocks;
mod bracket;
mod enclosure;
mod entry;
mod prologue;
mod splice;

pub use blocks::{BlockPlan, MethodBlocks};
pub use bracket::{Bracket, bracket};
pub use enclosure::{Enclosure, enclose};
pub use entry::{EntryPlan, Slots};
pub use prologue::{Argument, Call, call, skip};

use crate::class_file::ClassFile;
use crate::constant_pool::{Constant, ConstantPool, MemberIndex};
use crate::error::{Error, Result};

/// A probed class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed<'a> {
    /// The class file.
    pub bytes: Vec<u8>,
    /// What its probes stand for, in the order of the file.
    pub units: Vec<Unit<'a>>,
}

/// A method with a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit<'a> {
    /// The number that the probe reports.
    pub id: u32,
    /// The position among the methods of the class, those without code included.
    pub method: u16,
    /// The method's name.
    pub name: &'a [u8],
    /// The method's descriptor.
    pub descriptor: &'a [u8],
}

/// Code of a newer version may hold what must move and is not known to.
fn check_version((minor, major): (u16, u16)) -> Result<()> {
    if major <= ClassFile::NEWEST_VERSION {
        return Ok(());
    }
    let message = format!("class file version {major}.{minor} cannot be probed");
    Err(Error::unsupported(4, message))
}

/// Reads a class that is to be probed.
fn parse(bytes: &[u8]) -> Result<ClassFile<'_>> {
    let class = ClassFile::parse(bytes)?;
    check_version((class.minor_version, class.major_version))?;
    Ok(class)
}

fn push_utf8(pool: &mut ConstantPool<'_>, text: &str) -> Result<u16> {
    pool.push(Constant::Utf8(text.as_bytes().to_vec().into()))
}

fn push_class(pool: &mut ConstantPool<'_>, name: &str) -> Result<u16> {
    let name = push_utf8(pool, name)?;
    pool.push(Constant::Class(name))
}

fn push_method(
    pool: &mut ConstantPool<'_>,
    class: u16,
    name: &str,
    descriptor: &str,
) -> Result<u16> {
    let name = push_utf8(pool, name)?;
    let descriptor = push_utf8(pool, descriptor)?;
    let name_and_type = pool.push(Constant::NameAndType { name, descriptor })?;
    pool.push(Constant::MethodRef(MemberIndex {
        class,
        name_and_type,
    }))
}
