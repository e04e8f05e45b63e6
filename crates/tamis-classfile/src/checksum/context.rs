//! What writing canonical bytes needs to know of the class.

use std::cell::RefCell;
use std::collections::HashMap;

use tamis_facts::Checksum;

use super::synthetic::Contents;
use super::{DebugInfo, Digest};
use crate::attribute::BootstrapMethod;
use crate::class_file::ClassFile;
use crate::constant_pool::{Constant, ConstantPool};
use crate::cursor::PutBytes;
use crate::error::{Error, Result};

pub(super) struct Context<'c> {
    pub(super) class: &'c ClassFile<'c>,
    pub(super) digest: &'c dyn Digest,
    pub(super) debug_info: DebugInfo,
    /// The name of the class, to know its own members by.
    pub(super) name: &'c [u8],
    pub(super) bootstrap_methods: &'c [BootstrapMethod<'c>],
    /// By position: the checksums of the bootstrap methods, once known.
    pub(super) bootstrap_checksums: RefCell<Vec<Option<Checksum>>>,
    /// By index: the checksums of long texts, once known.
    text_checksums: RefCell<HashMap<u16, Checksum>>,
    /// The methods that are known by their content.
    pub(super) contents: Contents<'c>,
}

impl<'c> Context<'c> {
    pub(super) fn new(
        class: &'c ClassFile<'c>,
        digest: &'c dyn Digest,
        debug_info: DebugInfo,
    ) -> Result<Self> {
        let bootstrap_methods = class.bootstrap_methods();
        let mut context = Self {
            class,
            digest,
            debug_info,
            name: class.name()?,
            bootstrap_methods,
            bootstrap_checksums: RefCell::new(vec![None; bootstrap_methods.len()]),
            text_checksums: RefCell::default(),
            contents: Contents::default(),
        };
        // The numbers in synthetic names show where debug information shows: in stack traces.
        if debug_info == DebugInfo::Ignored {
            context.find_contents()?;
        }
        Ok(context)
    }

    pub(super) fn pool(&self) -> &'c ConstantPool<'c> {
        &self.class.constant_pool
    }

    pub(super) fn bootstrap_method(&self, position: u16) -> Result<&'c BootstrapMethod<'c>> {
        self.bootstrap_methods
            .get(usize::from(position))
            .ok_or_else(|| {
                Error::malformed(None, format!("there is no bootstrap method {position}"))
            })
    }

    /// A text; a long one stands by its checksum, or two bytes of code could stand for 64 KB.
    #[inline]
    pub(super) fn put_utf8(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        let text = self.pool().utf8(index)?;
        if text.len() <= LONGEST_TEXT {
            put_bytes(text, out);
        } else {
            let mut checksums = self.text_checksums.borrow_mut();
            let checksum = checksums
                .entry(index)
                .or_insert_with(|| self.digest.digest(text));
            out.put_u32(u32::MAX);
            out.extend_from_slice(&checksum.0);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn put_class(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        match self.pool().get(index)? {
            Constant::Class(name) => self.put_utf8(*name, out),
            _ => Err(Error::malformed(
                None,
                format!("constant #{index} is no Class"),
            )),
        }
    }

    /// A Utf8 constant, or nothing for index 0.
    pub(super) fn put_optional_utf8(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        put_optional(index, out, |index, out| self.put_utf8(index, out))
    }

    /// A Class constant, or nothing for index 0.
    pub(super) fn put_optional_class(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        put_optional(index, out, |index, out| self.put_class(index, out))
    }

    /// A name and type, or nothing for index 0.
    pub(super) fn put_optional_name_and_type(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        put_optional(index, out, |index, out| self.put_name_and_type(index, out))
    }

    pub(super) fn put_name_and_type(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        match self.pool().get(index)? {
            Constant::NameAndType { name, descriptor } => {
                self.put_utf8(*name, out)?;
                self.put_utf8(*descriptor, out)
            }
            _ => Err(Error::malformed(
                None,
                format!("constant #{index} is no NameAndType"),
            )),
        }
    }
}

/// Up to this many bytes a text stands as it is.
const LONGEST_TEXT: usize = 128;

/// The bytes, after their number, so that no two lists of them run into each other.
#[inline]
pub(super) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.put_u32(bytes.len() as u32);
    out.extend_from_slice(bytes);
}

/// A number of things, before them.
pub(super) fn put_length(length: usize, out: &mut Vec<u8>) {
    out.put_u32(length as u32);
}

fn put_optional(
    index: u16,
    out: &mut Vec<u8>,
    put: impl FnOnce(u16, &mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    out.put_u8(u8::from(index != 0));
    if index == 0 { Ok(()) } else { put(index, out) }
}
