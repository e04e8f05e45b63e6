//! The smart checksum, straight from the bytes of a class file (SPEC 2.1).
//!
//! This is asked of every class of a project, so it goes over the bytes once, without the model. All
//! that counts is copied into one stream, in an order that does not depend on the file's: members
//! and attributes sorted, constants numbered by their first use and written out by value behind
//! everything else. The stream tells everything that the finer checksums tell, so equal smart
//! checksums mean equal finer ones; the other way round, a constant that stands twice in the pool
//! may give another smart checksum to the same class.

mod attributes;
mod body;
mod constants;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use tamis_facts::Checksum;

use super::Digest;
use super::synthetic::without_number;
use crate::access_flags::AccessFlags;
use crate::attribute::{AttributeName, Place};
use crate::class_file::parse_versions;
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::pool_index::PoolIndex;
use attributes::FoundAttribute;
use constants::Constants;

/// The smart checksum of a class file, debug information left out.
pub(super) fn smart(bytes: &[u8], digest: &dyn Digest, buffers: &mut Buffers) -> Result<Checksum> {
    let mut stream = Stream::new(bytes, std::mem::take(buffers))?;
    stream.put_class()?;
    let checksum = digest.digest(&stream.out);
    *buffers = stream.into_buffers();
    Ok(checksum)
}

/// The memory of a stream, kept from class to class: allocating it takes a fifth of the time.
#[derive(Default)]
pub(super) struct Buffers {
    offsets: Vec<u32>,
    constants: Constants,
    methods: Vec<RawMethod>,
    order: Vec<Sorted>,
    found: Vec<FoundAttribute>,
    operands: Vec<u32>,
    loads: Vec<u16>,
    out: Vec<u8>,
}

struct Stream<'a> {
    file: &'a [u8],
    /// What is left to be read after the constant pool.
    rest: Cursor<'a>,
    pool: PoolIndex<'a>,
    constants: Constants,
    /// The name of the class, to know its own members by.
    this_name: &'a [u8],
    methods: Vec<RawMethod>,
    /// The methods that are known by name, in the order in which they are written.
    order: Vec<Sorted>,
    /// Private synthetic methods whose names only number them, by name and descriptor.
    numbered: BTreeMap<Key<'a>, Numbered>,
    /// Those that were named, in that order.
    named_methods: Vec<Key<'a>>,
    n_methods_written: usize,
    /// The attributes being written, those of nested things behind: a stack.
    found: Vec<FoundAttribute>,
    /// Where the code being written names constants, counted from its beginning in `out`.
    operands: Vec<u32>,
    /// The constants that it loads.
    loads: Vec<u16>,
    out: Vec<u8>,
}

/// A method as it lies in the file.
#[derive(Clone, Copy)]
struct RawMethod {
    access_flags: AccessFlags,
    name: u16,
    descriptor: u16,
    /// Where its attributes begin, with their count.
    attributes: u32,
}

/// A method among those to be sorted.
#[derive(Clone, Copy)]
struct Sorted {
    /// The first bytes of its name as a number that sorts like them; they nearly always decide.
    prefix: u64,
    /// The position in the file.
    position: u16,
}

/// A method that is known by what names it, not by its own name.
struct Numbered {
    /// The position in the file.
    position: u16,
    /// In which order it was first named, if it was.
    ordinal: Option<u32>,
}

/// Name and descriptor of a method.
type Key<'a> = (&'a [u8], &'a [u8]);

const HEADER: &str = "the class header";
const MEMBER: &str = "a member";
const ATTRIBUTE: &str = "an attribute";

impl Sorted {
    fn new(name: &[u8], position: u16) -> Self {
        let prefix = name.first_chunk().copied().unwrap_or_else(|| {
            let mut short = [0; 8];
            short[..name.len()].copy_from_slice(name);
            short
        });
        Self {
            prefix: u64::from_be_bytes(prefix),
            position,
        }
    }
}

impl<'a> Stream<'a> {
    fn new(bytes: &'a [u8], buffers: Buffers) -> Result<Self> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::too_large("a class file has more than 4 GB"));
        }
        let mut cursor = Cursor::new(bytes);
        let (minor, major) = parse_versions(&mut cursor)?;
        let pool = PoolIndex::scan_into(buffers.offsets, bytes, &mut cursor)?;
        let mut constants = buffers.constants;
        constants.reset(&pool);
        let mut out = buffers.out;
        out.clear();
        // The stream is rarely longer than the file.
        out.reserve(bytes.len());
        out.put_u16(major);
        out.put_u16(minor);
        Ok(Self {
            file: bytes,
            rest: cursor,
            pool,
            constants,
            this_name: &[],
            methods: buffers.methods,
            order: buffers.order,
            numbered: BTreeMap::new(),
            named_methods: Vec::new(),
            n_methods_written: 0,
            found: buffers.found,
            operands: buffers.operands,
            loads: buffers.loads,
            out,
        })
    }

    fn into_buffers(self) -> Buffers {
        Buffers {
            offsets: self.pool.into_buffer(),
            constants: self.constants,
            methods: self.methods,
            order: self.order,
            found: self.found,
            operands: self.operands,
            loads: self.loads,
            out: self.out,
        }
    }

    fn put_class(&mut self) -> Result<()> {
        let mut c = self.rest;
        let (flags, this_class) = (c.u16(HEADER)?, c.u16(HEADER)?);
        self.this_name = self.pool.class(this_class)?;
        self.refer(this_class)?;
        self.refer(c.u16(HEADER)?)?;
        self.put_references(&mut c, HEADER)?;
        self.put_fields(&mut c)?;
        self.find_methods(&mut c)?;
        self.put_attributes(AccessFlags(flags), &mut c, Place::Class)?;
        c.finish("the class file")?;
        self.sort_methods()?;
        self.put_named_methods()?;
        self.put_what_was_named()?;
        self.put_unnamed_methods()
    }

    fn put_fields(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        let count = c.u16(MEMBER)?;
        self.out.put_u16(count);
        for _ in 0..count {
            let flags = AccessFlags(c.u16(MEMBER)?);
            self.copy_reference(c)?;
            self.copy_reference(c)?;
            self.put_attributes(flags, c, Place::Field)?;
        }
        Ok(())
    }

    fn find_methods(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        self.methods.clear();
        for _ in 0..c.u16(MEMBER)? {
            let [f1, f0, n1, n0, d1, d0] = c.array(MEMBER)?;
            self.methods.push(RawMethod {
                access_flags: AccessFlags(u16::from_be_bytes([f1, f0])),
                name: u16::from_be_bytes([n1, n0]),
                descriptor: u16::from_be_bytes([d1, d0]),
                attributes: c.offset() as u32,
            });
            for _ in 0..c.u16(MEMBER)? {
                c.attribute()?;
            }
        }
        Ok(())
    }

    /// Sorts the methods that are known by name; the others are kept for when they are named.
    /// Those of one name stay in the order of the file, because reflection shows it.
    fn sort_methods(&mut self) -> Result<()> {
        self.order.clear();
        for (position, method) in (0..).zip(&self.methods) {
            let key = (self.text(method.name)?, self.text(method.descriptor)?);
            if self.is_numbered(method, key.0)? {
                let numbered = Numbered {
                    position,
                    ordinal: None,
                };
                if self.numbered.insert(key, numbered).is_some() {
                    let message = "two methods have one name and descriptor";
                    return Err(Error::malformed(None, message));
                }
            } else {
                self.order.push(Sorted::new(key.0, position));
            }
        }
        self.keep_visible_names();
        let (methods, pool) = (&self.methods, &self.pool);
        let name = |method: &Sorted| methods[usize::from(method.position)].name;
        let text = |index| pool.utf8(index).unwrap_or_default();
        self.order.sort_unstable_by(|a, b| {
            let by_name = || match (name(a), name(b)) {
                // Texts of one constant are equal, however long they are.
                (a, b) if a == b => Ordering::Equal,
                (a, b) => text(a).cmp(text(b)),
            };
            let by_prefix = a.prefix.cmp(&b.prefix);
            by_prefix
                .then_with(by_name)
                .then(a.position.cmp(&b.position))
        });
        Ok(())
    }

    fn is_numbered(&self, method: &RawMethod, name: &[u8]) -> Result<bool> {
        Ok(method.access_flags.contains(AccessFlags::PRIVATE)
            && without_number(name).is_some()
            && (method.access_flags.contains(AccessFlags::SYNTHETIC)
                || self.has_synthetic_attribute(method)?))
    }

    fn has_synthetic_attribute(&self, method: &RawMethod) -> Result<bool> {
        let mut c = self.attributes_of(method);
        let mut is_synthetic = false;
        for _ in 0..c.u16(ATTRIBUTE)? {
            let name = self.text(c.attribute()?.0)?;
            is_synthetic |= AttributeName::of(name) == Some(AttributeName::Synthetic);
        }
        Ok(is_synthetic)
    }

    /// A name that stands as a string in the class can be seen: it keeps its number.
    fn keep_visible_names(&mut self) {
        if self.numbered.is_empty() {
            return;
        }
        let strings = self.pool.strings();
        self.numbered.retain(|(name, _), numbered| {
            let is_visible = strings.contains(name);
            if is_visible {
                self.order.push(Sorted::new(name, numbered.position));
            }
            !is_visible
        });
    }

    fn put_named_methods(&mut self) -> Result<()> {
        self.out.put_u16(self.order.len() as u16);
        for place in 0..self.order.len() {
            let method = self.methods[usize::from(self.order[place].position)];
            self.refer(method.name)?;
            self.put_method(&method)?;
        }
        Ok(())
    }

    /// A method but for its name.
    fn put_method(&mut self, method: &RawMethod) -> Result<()> {
        self.refer(method.descriptor)?;
        let mut attributes = self.attributes_of(method);
        self.put_attributes(method.access_flags, &mut attributes, Place::Method)
    }

    /// Constants, bootstrap methods and numbered methods, in the order in which they were named,
    /// each of which may name more.
    fn put_what_was_named(&mut self) -> Result<()> {
        loop {
            self.put_named_constants()?;
            if !self.put_next_bootstrap_method()? && !self.put_next_numbered_method()? {
                return Ok(());
            }
        }
    }

    fn put_next_numbered_method(&mut self) -> Result<bool> {
        let Some(key) = self.named_methods.get(self.n_methods_written).copied() else {
            return Ok(false);
        };
        self.n_methods_written += 1;
        let prefix = without_number(key.0).unwrap_or(key.0);
        self.out.put_u8(marker::NUMBERED_METHOD);
        put_length(prefix.len(), &mut self.out);
        self.out.extend_from_slice(prefix);
        let method = self.methods[usize::from(self.numbered[&key].position)];
        self.put_method(&method)?;
        Ok(true)
    }

    /// Numbered methods that nothing names are told apart by their names after all.
    fn put_unnamed_methods(&mut self) -> Result<()> {
        let keys: Vec<_> = self.numbered.keys().copied().collect();
        for key in keys {
            // One of those before may have named it.
            if self.numbered[&key].ordinal.is_none()
                && let Some(numbered) = self.numbered.remove(&key)
            {
                let method = self.methods[usize::from(numbered.position)];
                self.refer(method.name)?;
                self.put_method(&method)?;
                self.put_what_was_named()?;
            }
        }
        Ok(())
    }

    fn attributes_of(&self, method: &RawMethod) -> Cursor<'a> {
        self.part(method.attributes, self.file.len() as u32)
    }

    /// The bytes of the file between two offsets.
    fn part(&self, start: u32, end: u32) -> Cursor<'a> {
        let bytes = self.file.get(start as usize..end as usize);
        Cursor::at(bytes.unwrap_or_default(), start as usize)
    }

    fn text(&self, index: u16) -> Result<&'a [u8]> {
        self.pool.utf8(index)
    }
}

/// What begins an item behind the members; constants begin with their tags, which are at most 20.
mod marker {
    pub(super) const NUMBERED_METHOD: u8 = 0xf0;
    pub(super) const BOOTSTRAP_METHOD: u8 = 0xf1;
    pub(super) const REFERENCE_TO_NUMBERED: u8 = 0xf2;
}

fn put_length(length: usize, out: &mut Vec<u8>) {
    out.put_u32(length as u32);
}

/// Nothing was found where something must be.
#[cold]
fn missing(what: &str, number: u16) -> Error {
    Error::malformed(None, format!("there is no {what} {number}"))
}
