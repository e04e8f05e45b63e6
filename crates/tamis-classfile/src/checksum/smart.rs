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
use constants::Constants;

/// The smart checksum of a class file, debug information left out.
pub(super) fn smart(bytes: &[u8], digest: &dyn Digest) -> Result<Checksum> {
    let mut stream = Stream::new(bytes)?;
    stream.put_class()?;
    Ok(digest.digest(&stream.out))
}

struct Stream<'a> {
    /// What is left to be read after the constant pool.
    rest: Cursor<'a>,
    pool: PoolIndex<'a>,
    constants: Constants<'a>,
    /// The name of the class, to know its own members by.
    this_name: &'a [u8],
    /// Private synthetic methods whose names only number them, by name and descriptor.
    numbered: BTreeMap<Key<'a>, Numbered<'a>>,
    /// The attributes being written, those of nested things behind: a stack, to allocate only once.
    found: Vec<(AttributeName, Cursor<'a>)>,
    /// The constants that the code being written loads.
    loads: Vec<u16>,
    out: Vec<u8>,
}

/// A member as it lies in the file.
#[derive(Clone, Copy)]
struct RawMember<'a> {
    access_flags: AccessFlags,
    name: u16,
    descriptor: u16,
    /// Its attributes, with their count.
    attributes: Cursor<'a>,
}

/// A method that is known by what names it, not by its own name.
struct Numbered<'a> {
    method: RawMember<'a>,
    /// In which order it was first named, if it was.
    ordinal: Option<u32>,
}

/// Name and descriptor of a method.
type Key<'a> = (&'a [u8], &'a [u8]);

const HEADER: &str = "the class header";
const MEMBER: &str = "a member";
const ATTRIBUTE: &str = "an attribute";

impl<'a> Stream<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes);
        let (minor, major) = parse_versions(&mut cursor)?;
        let pool = PoolIndex::scan(bytes, &mut cursor)?;
        let mut out = Vec::with_capacity(bytes.len());
        out.put_u16(major);
        out.put_u16(minor);
        let constants = Constants::new(pool.n_constants());
        Ok(Self {
            rest: cursor,
            pool,
            constants,
            this_name: &[],
            numbered: BTreeMap::new(),
            found: Vec::new(),
            loads: Vec::new(),
            out,
        })
    }

    fn put_class(&mut self) -> Result<()> {
        let mut c = self.rest;
        let (flags, this_class) = (c.u16(HEADER)?, c.u16(HEADER)?);
        self.this_name = self.pool.class(this_class)?;
        self.refer(this_class)?;
        self.refer(c.u16(HEADER)?)?;
        self.put_references(&mut c, HEADER)?;
        let fields = raw_members(&mut c)?;
        let methods = raw_members(&mut c)?;
        self.put_attributes(AccessFlags(flags), &mut c, Place::Class)?;
        c.finish("the class file")?;
        put_length(fields.len(), &mut self.out);
        for field in fields {
            self.refer(field.name)?;
            self.put_member(field, Place::Field)?;
        }
        for method in self.sorted(methods)? {
            self.refer(method.name)?;
            self.put_member(method, Place::Method)?;
        }
        self.put_what_was_named()?;
        self.put_unnamed_methods()
    }

    /// A member but for its name.
    fn put_member(&mut self, mut member: RawMember<'a>, place: Place) -> Result<()> {
        self.refer(member.descriptor)?;
        self.put_attributes(member.access_flags, &mut member.attributes, place)
    }

    /// The methods that are known by name, sorted by it; the others are kept for when they are named.
    /// Those of one name stay in the order of the file, because reflection shows it.
    fn sorted(&mut self, methods: Vec<RawMember<'a>>) -> Result<Vec<RawMember<'a>>> {
        let mut named = Vec::with_capacity(methods.len());
        for method in methods {
            let key = (self.text(method.name)?, self.text(method.descriptor)?);
            if self.is_numbered(&method, key.0)? {
                let numbered = Numbered {
                    method,
                    ordinal: None,
                };
                if self.numbered.insert(key, numbered).is_some() {
                    let message = "two methods have one name and descriptor";
                    return Err(Error::malformed(None, message));
                }
            } else {
                named.push((key, method));
            }
        }
        self.keep_visible_names(&mut named);
        named.sort_by(|(a, _), (b, _)| compare(a.0, b.0));
        put_length(named.len(), &mut self.out);
        Ok(named.into_iter().map(|(_, method)| method).collect())
    }

    fn is_numbered(&self, method: &RawMember<'a>, name: &[u8]) -> Result<bool> {
        Ok(method.access_flags.contains(AccessFlags::PRIVATE)
            && without_number(name).is_some()
            && (method.access_flags.contains(AccessFlags::SYNTHETIC)
                || self.has_synthetic_attribute(method.attributes)?))
    }

    fn has_synthetic_attribute(&self, mut c: Cursor<'a>) -> Result<bool> {
        let mut is_synthetic = false;
        for _ in 0..c.u16(ATTRIBUTE)? {
            let name = self.text(c.u16(ATTRIBUTE)?)?;
            let length = c.u32(ATTRIBUTE)? as usize;
            c.take(length, ATTRIBUTE)?;
            is_synthetic |= AttributeName::of(name) == Some(AttributeName::Synthetic);
        }
        Ok(is_synthetic)
    }

    /// A name that stands as a string in the class can be seen: it keeps its number.
    fn keep_visible_names(&mut self, named: &mut Vec<(Key<'a>, RawMember<'a>)>) {
        if self.numbered.is_empty() {
            return;
        }
        let strings = self.pool.strings();
        self.numbered.retain(|key, numbered| {
            let is_visible = strings.contains(key.0);
            if is_visible {
                named.push((*key, numbered.method));
            }
            !is_visible
        });
    }

    /// Constants, bootstrap methods and numbered methods, in the order in which they were named,
    /// each of which may name more.
    fn put_what_was_named(&mut self) -> Result<()> {
        while self.put_next_constant()?
            || self.put_next_bootstrap_method()?
            || self.put_next_numbered_method()?
        {}
        Ok(())
    }

    fn put_next_numbered_method(&mut self) -> Result<bool> {
        let Some(key) = self.constants.next_numbered_method() else {
            return Ok(false);
        };
        let prefix = without_number(key.0).unwrap_or(key.0);
        self.out.put_u8(marker::NUMBERED_METHOD);
        put_length(prefix.len(), &mut self.out);
        self.out.extend_from_slice(prefix);
        let method = self.numbered[&key].method;
        self.put_member(method, Place::Method)?;
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
                self.refer(numbered.method.name)?;
                self.put_member(numbered.method, Place::Method)?;
                self.put_what_was_named()?;
            }
        }
        Ok(())
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

fn raw_members<'a>(c: &mut Cursor<'a>) -> Result<Vec<RawMember<'a>>> {
    let count = usize::from(c.u16(MEMBER)?);
    let mut members = Vec::with_capacity(count.min(c.remaining() / 8));
    for _ in 0..count {
        let access_flags = AccessFlags(c.u16(MEMBER)?);
        let (name, descriptor) = (c.u16(MEMBER)?, c.u16(MEMBER)?);
        members.push(RawMember {
            access_flags,
            name,
            descriptor,
            attributes: *c,
        });
        for _ in 0..c.u16(MEMBER)? {
            c.u16(ATTRIBUTE)?;
            let length = c.u32(ATTRIBUTE)? as usize;
            c.take(length, ATTRIBUTE)?;
        }
    }
    Ok(members)
}

/// Compares texts; those of one constant at once, however long they are.
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    if std::ptr::eq(a, b) {
        Ordering::Equal
    } else {
        a.cmp(b)
    }
}

fn put_length(length: usize, out: &mut Vec<u8>) {
    out.put_u32(length as u32);
}

/// Nothing was found where something must be.
#[cold]
fn missing(what: &str, number: u16) -> Error {
    Error::malformed(None, format!("there is no {what} {number}"))
}
