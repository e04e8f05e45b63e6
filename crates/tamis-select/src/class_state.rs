//! One state of a class: its bytes understood, or named as not understood.

use tamis_classfile::checksum::{BlockChecksums, Checksummer, ClassChecksums, DebugInfo};
use tamis_classfile::{ClassFile, Error, Method};
use tamis_facts::Checksum;

use crate::digest::{Blake3, plain};

/// A class file at some moment.
#[derive(Clone, Debug)]
pub struct ClassState<'a> {
    /// The checksum of the bytes.
    pub plain: Checksum,
    /// What the bytes hold.
    pub parts: Result<Parts<'a>, Opaque>,
    /// Whether the checksums count debug information.
    pub debug_info: DebugInfo,
}

/// What an understood class file holds.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// The class file.
    pub class: ClassFile<'a>,
    /// The checksums of its parts.
    pub checksums: ClassChecksums,
}

/// Why a class file cannot be taken apart. Any difference of its bytes then counts as a change of
/// the whole: unknown means run.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// What could not be understood.
    pub reason: String,
}

impl<'a> ClassState<'a> {
    /// Takes a class file apart as far as it can be understood.
    pub fn of(bytes: &'a [u8], debug_info: DebugInfo) -> Self {
        let opaque = |error: Error| Opaque {
            reason: error.to_string(),
        };
        Self {
            plain: plain(bytes),
            parts: Parts::of(bytes, debug_info).map_err(opaque),
            debug_info,
        }
    }

    /// The smart checksum; of what is not understood, the plain one.
    pub fn smart(&self) -> Checksum {
        self.parts
            .as_ref()
            .map_or(self.plain, |parts| parts.checksums.smart)
    }
}

impl<'a> Parts<'a> {
    fn of(bytes: &'a [u8], debug_info: DebugInfo) -> Result<Self, Error> {
        let class = ClassFile::parse(bytes)?;
        let checksums = Checksummer::new(&class, &Blake3, debug_info)?.all()?;
        Ok(Self { class, checksums })
    }

    /// The checksum of what the method at a position declares, its body aside.
    pub fn declaration(&self, position: usize) -> Result<Option<Checksum>, Error> {
        let Some(method) = self.class.methods.get(position) else {
            return Ok(None);
        };
        let checksummer = Checksummer::new(&self.class, &Blake3, DebugInfo::Ignored)?;
        checksummer.declaration(method).map(Some)
    }

    /// The blocks of the method at a position, or why it has none to compare.
    pub fn blocks(&self, position: usize) -> Result<Option<BlockChecksums<'_>>, Error> {
        let Some(method) = self.class.methods.get(position) else {
            return Ok(None);
        };
        self.blocks_of(method)
    }

    fn blocks_of<'s>(
        &'s self,
        method: &'s Method<'a>,
    ) -> Result<Option<BlockChecksums<'s>>, Error> {
        Checksummer::new(&self.class, &Blake3, DebugInfo::Ignored)?.blocks(method)
    }
}
