//! Checksums of a class and of its parts (SPEC 2.1, 2.3; DESIGN 2).
//!
//! Each part is written out as *canonical bytes*, in which constants stand by value, jumps by the
//! ordinal of the instruction they go to, and what does not count as behaviour is left out; a
//! [`Digest`] makes a checksum of them. The smart checksum is taken over the canonical bytes of all
//! parts, so that equal smart checksums mean equal parts: that property holds all meshes together.

mod code;
mod constant;
mod context;
mod declaration;
mod head;
mod members;
mod smart;
mod synthetic;

use std::ops::Range;

use tamis_facts::{Checksum, ClassName, FieldId, MethodId};

use crate::access_flags::AccessFlags;
use crate::class_file::{ClassFile, Field, Method};
use crate::error::{Error, Result};
use crate::flow::FlowGraph;
use context::Context;

/// A hash function; outside the JVM that is BLAKE3 cut to 128 bits.
pub trait Digest {
    /// The checksum of these bytes.
    fn digest(&self, bytes: &[u8]) -> Checksum;
}

/// Whether line numbers, variable names, source file and the numbers in synthetic names count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DebugInfo {
    /// They do not: a comment added above a method changes nothing.
    #[default]
    Ignored,
    /// They do, because stack traces and messages show them.
    Counted,
}

/// All checksums of one class but those of its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassChecksums {
    /// The class.
    pub name: ClassName,
    /// The whole class, less what does not count as behaviour.
    pub smart: Checksum,
    /// What the class declares of itself (DESIGN 2, *Head*).
    pub head: Checksum,
    /// The signatures of what can be overridden or hidden; with the head, the head of mesh `method`.
    pub signatures: Checksum,
    /// What reflection lists (DESIGN 2, `members`).
    pub members: Checksum,
    /// The part of `members` that belongs to no member: member classes and nest members.
    pub listing: Checksum,
    /// Each field, in the order of the class.
    pub fields: Vec<FieldChecksum>,
    /// Each method, in the order of the class.
    pub methods: Vec<MethodChecksum>,
}

/// A field with its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChecksum {
    /// Name and descriptor.
    pub id: FieldId,
    /// Its flags.
    pub access_flags: AccessFlags,
    /// Its declaration; constant and annotations are part of the head.
    pub checksum: Checksum,
}

/// A method with its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodChecksum {
    /// Name and descriptor, as they stand in this class file.
    pub id: MethodId,
    /// Its flags.
    pub access_flags: AccessFlags,
    /// Whether the number in its name means nothing, so that the checksum identifies it.
    pub is_known_by_content: bool,
    /// Declaration and code.
    pub checksum: Checksum,
}

/// The blocks of a method with their checksums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockChecksums<'c> {
    /// The blocks and the ways between them.
    pub graph: FlowGraph<'c>,
    /// By block number: its instructions, jumps without their targets.
    pub checksums: Vec<Checksum>,
}

/// So many bytes of names and descriptors of members are enough for any class but one made to hurt.
const MAX_NAMES: usize = 1 << 24;

/// Computes checksums of one class.
pub struct Checksummer<'c> {
    context: Context<'c>,
}

impl<'c> Checksummer<'c> {
    /// Prepares a class; fails for what cannot be understood, which then has to count as a whole.
    pub fn new(
        class: &'c ClassFile<'c>,
        digest: &'c dyn Digest,
        debug_info: DebugInfo,
    ) -> Result<Self> {
        Ok(Self {
            context: Context::new(class, digest, debug_info)?,
        })
    }

    /// All checksums.
    pub fn all(&self) -> Result<ClassChecksums> {
        self.check_names()?;
        let mut parts = Parts::default();
        self.put_parts(&mut parts)?;
        let class = self.context.class;
        let smart = smart(
            &class.encode()?,
            self.context.digest,
            self.context.debug_info,
        )?;
        let mut sums = parts
            .ranges
            .iter()
            .map(|range| self.digest(&parts.bytes[range.clone()]));
        let mut next = || {
            sums.next()
                .ok_or_else(|| Error::malformed(None, "a part is missing"))
        };
        let (head, listing) = (next()?, next()?);
        Ok(ClassChecksums {
            name: class.constant_pool.class_name(class.this_class)?,
            smart,
            head,
            signatures: self.part(Context::put_signatures)?,
            members: self.part(Context::put_members)?,
            listing,
            fields: self.each_field(&mut next)?,
            methods: self.each_method(&mut next)?,
        })
    }

    /// The blocks of a method; none if it has no code.
    pub fn blocks(&self, method: &'c Method<'c>) -> Result<Option<BlockChecksums<'c>>> {
        let Some(code) = method.code() else {
            return Ok(None);
        };
        let graph = FlowGraph::of(code, &self.context.class.constant_pool)?;
        let checksums = graph
            .blocks
            .iter()
            .map(|block| self.part(|context, out| context.put_block(code, block, out)))
            .collect::<Result<_>>()?;
        Ok(Some(BlockChecksums { graph, checksums }))
    }

    /// Each member comes with its whole name, which many may share in the class file.
    fn check_names(&self) -> Result<()> {
        let class = self.context.class;
        let of_fields = class.fields.iter().map(|f| [f.name, f.descriptor]);
        let of_methods = class.methods.iter().map(|m| [m.name, m.descriptor]);
        let mut n_bytes = 0;
        for index in of_fields.chain(of_methods).flatten() {
            n_bytes += class.constant_pool.utf8(index)?.len();
        }
        if n_bytes > MAX_NAMES {
            let message = "the names of all members together are too long";
            return Err(Error::unsupported(None, message));
        }
        Ok(())
    }

    fn each_field(&self, sum: &mut impl FnMut() -> Result<Checksum>) -> Result<Vec<FieldChecksum>> {
        let pool = &self.context.class.constant_pool;
        let with_sum = |field: &Field<'_>| {
            let id = FieldId {
                name: pool.name(field.name)?,
                descriptor: pool.name(field.descriptor)?,
            };
            Ok(FieldChecksum {
                id,
                access_flags: field.access_flags,
                checksum: sum()?,
            })
        };
        self.context.class.fields.iter().map(with_sum).collect()
    }

    fn each_method(
        &self,
        sum: &mut impl FnMut() -> Result<Checksum>,
    ) -> Result<Vec<MethodChecksum>> {
        let pool = &self.context.class.constant_pool;
        let with_sum = |method: &Method<'_>| {
            let name = pool.name(method.name)?;
            let id = MethodId {
                name,
                descriptor: pool.name(method.descriptor)?,
            };
            Ok(MethodChecksum {
                is_known_by_content: self.context.content_of(method)?.is_some(),
                id,
                access_flags: method.access_flags,
                checksum: sum()?,
            })
        };
        self.context.class.methods.iter().map(with_sum).collect()
    }

    /// Head, listing, fields, methods, in this order, each a part of its own.
    fn put_parts(&self, parts: &mut Parts) -> Result<()> {
        let context = &self.context;
        parts.add(|out| context.put_head(out))?;
        parts.add(|out| context.put_listing(out))?;
        for field in &context.class.fields {
            parts.add(|out| context.put_field(field, out))?;
        }
        for method in &context.class.methods {
            parts.add(|out| context.put_method(method, out))?;
        }
        Ok(())
    }

    /// Everything in one stream, the methods in an order that does not depend on the file's.
    fn whole(&self) -> Result<Checksum> {
        let mut parts = Parts::default();
        self.put_parts(&mut parts)?;
        let n_before_methods = 2 + self.context.class.fields.len();
        let (before, methods) = parts.ranges.split_at(n_before_methods);
        let part = |range: &Range<usize>| &parts.bytes[range.clone()];
        let order = self
            .context
            .order_of_methods(|position| part(&methods[position]))?;
        let methods = order.into_iter().map(|position| &methods[position]);
        let mut stream = Vec::with_capacity(parts.bytes.len() + 4 * parts.ranges.len() + 4);
        stream.extend((n_before_methods as u32).to_le_bytes());
        for range in before.iter().chain(methods) {
            stream.extend((range.len() as u32).to_le_bytes());
            stream.extend_from_slice(part(range));
        }
        Ok(self.digest(&stream))
    }

    fn part(&self, put: impl FnOnce(&Context<'c>, &mut Vec<u8>) -> Result<()>) -> Result<Checksum> {
        let mut bytes = Vec::new();
        put(&self.context, &mut bytes)?;
        Ok(self.digest(&bytes))
    }

    fn digest(&self, bytes: &[u8]) -> Checksum {
        self.context.digest.digest(bytes)
    }
}

/// The smart checksum of a class file: the one that nearly every class is asked for.
///
/// Whoever has many classes uses a [`SmartChecksummer`].
pub fn smart(bytes: &[u8], digest: &dyn Digest, debug_info: DebugInfo) -> Result<Checksum> {
    SmartChecksummer::default().smart(bytes, digest, debug_info)
}

/// Computes smart checksums of one class after the other, in memory that it keeps.
#[derive(Default)]
pub struct SmartChecksummer {
    buffers: smart::Buffers,
}

impl SmartChecksummer {
    /// The smart checksum of a class file.
    pub fn smart(
        &mut self,
        bytes: &[u8],
        digest: &dyn Digest,
        debug_info: DebugInfo,
    ) -> Result<Checksum> {
        match debug_info {
            DebugInfo::Ignored => smart::smart(bytes, digest, &mut self.buffers),
            DebugInfo::Counted => {
                let class = ClassFile::parse(bytes)?;
                Checksummer::new(&class, digest, debug_info)?.whole()
            }
        }
    }
}

/// Canonical bytes of several parts, one behind the other.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

impl Parts {
    fn add(&mut self, put: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        let start = self.bytes.len();
        put(&mut self.bytes)?;
        self.ranges.push(start..self.bytes.len());
        Ok(())
    }
}
