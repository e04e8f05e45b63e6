//! Constants by the order of their first use, and their values.

use super::{Key, Stream, marker, missing, put_length};
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::pool_index::PoolIndex;

/// Which constants, bootstrap methods and numbered methods were named, in which order.
pub(super) struct Constants<'a> {
    /// By index: the position in `named` plus one; 0 if not named yet.
    ordinals: Vec<u16>,
    named: Vec<u16>,
    /// By index of a Utf8 constant: the ordinal of the Class constant with that name; 0 if none was
    /// named yet. Older javacs write one for the code and another for its frames.
    class_ordinals: Vec<u16>,
    n_written: usize,
    /// The bootstrap methods as they lie in the file, and the same for them.
    pub(super) bootstrap_methods: Vec<Cursor<'a>>,
    bootstrap_ordinals: Vec<u16>,
    named_bootstraps: Vec<u16>,
    n_bootstraps_written: usize,
    named_methods: Vec<Key<'a>>,
    n_methods_written: usize,
}

const POOL: &str = "the constant pool";
const BOOTSTRAP: &str = "BootstrapMethods";

impl<'a> Constants<'a> {
    pub(super) fn new(n_constants: u16) -> Self {
        Self {
            ordinals: vec![0; usize::from(n_constants)],
            named: Vec::with_capacity(usize::from(n_constants)),
            class_ordinals: vec![0; usize::from(n_constants)],
            n_written: 0,
            bootstrap_methods: Vec::new(),
            bootstrap_ordinals: Vec::new(),
            named_bootstraps: Vec::new(),
            n_bootstraps_written: 0,
            named_methods: Vec::new(),
            n_methods_written: 0,
        }
    }

    /// The ordinal of a constant's first use.
    #[inline]
    pub(super) fn ordinal(&mut self, index: u16, pool: &PoolIndex<'a>) -> Result<u16> {
        if index == 0 {
            return Ok(0);
        }
        match self.ordinals.get(usize::from(index)) {
            None => Err(missing("constant", index)),
            Some(0) => Ok(self.first_ordinal(index, pool)),
            Some(ordinal) => Ok(*ordinal),
        }
    }

    /// The ordinal of a constant that was not named yet; a class may have been, by another constant.
    fn first_ordinal(&mut self, index: u16, pool: &PoolIndex<'a>) -> u16 {
        let next = self.named.len() as u16 + 1;
        let name = pool.class_name_index(index).map(usize::from);
        let ordinal = match name.and_then(|name| self.class_ordinals.get_mut(name)) {
            Some(known) if *known != 0 => *known,
            Some(unknown) => {
                *unknown = next;
                next
            }
            None => next,
        };
        if ordinal == next {
            self.named.push(index);
        }
        self.ordinals[usize::from(index)] = ordinal;
        ordinal
    }

    fn bootstrap_ordinal(&mut self, position: u16) -> Result<u16> {
        let Some(ordinal) = self.bootstrap_ordinals.get_mut(usize::from(position)) else {
            return Err(missing("bootstrap method", position));
        };
        if *ordinal == 0 {
            self.named_bootstraps.push(position);
            *ordinal = self.named_bootstraps.len() as u16;
        }
        Ok(*ordinal)
    }

    /// Takes the content of the `BootstrapMethods` attribute.
    pub(super) fn set_bootstrap_methods(&mut self, mut c: Cursor<'a>) -> Result<()> {
        for _ in 0..c.u16(BOOTSTRAP)? {
            self.bootstrap_methods.push(c);
            c.u16(BOOTSTRAP)?;
            let n_arguments = c.u16(BOOTSTRAP)?;
            c.take(usize::from(n_arguments) * 2, BOOTSTRAP)?;
        }
        self.bootstrap_ordinals = vec![0; self.bootstrap_methods.len()];
        Ok(())
    }

    pub(super) fn next_numbered_method(&mut self) -> Option<Key<'a>> {
        let next = self.named_methods.get(self.n_methods_written).copied()?;
        self.n_methods_written += 1;
        Some(next)
    }
}

impl<'a> Stream<'a> {
    /// The ordinal of a constant's first use; 0 for none.
    #[inline]
    pub(super) fn ordinal(&mut self, index: u16) -> Result<u16> {
        self.constants.ordinal(index, &self.pool)
    }

    /// Names a constant; 0 names none.
    #[inline]
    pub(super) fn refer(&mut self, index: u16) -> Result<()> {
        let ordinal = self.ordinal(index)?;
        self.out.put_u16(ordinal);
        Ok(())
    }

    /// A count and that many constants.
    pub(super) fn put_references(&mut self, c: &mut Cursor<'a>, what: &str) -> Result<()> {
        let count = c.u16(what)?;
        self.out.put_u16(count);
        for _ in 0..count {
            self.refer(c.u16(what)?)?;
        }
        Ok(())
    }

    /// Writes the value of the next constant that was named; false if all are written.
    pub(super) fn put_next_constant(&mut self) -> Result<bool> {
        let Some(index) = self.constants.named.get(self.constants.n_written).copied() else {
            return Ok(false);
        };
        self.constants.n_written += 1;
        let mut c = self.pool.constant(index)?;
        let tag = c.u8(POOL)?;
        match tag {
            1 => {
                let text = self.text(index)?;
                self.out.put_u8(tag);
                put_length(text.len(), &mut self.out);
                self.out.extend_from_slice(text);
            }
            3 | 4 => self.put_raw(tag, c.take(4, POOL)?),
            5 | 6 => self.put_raw(tag, c.take(8, POOL)?),
            7 | 8 | 16 | 19 | 20 => {
                self.out.put_u8(tag);
                self.refer(c.u16(POOL)?)?;
            }
            10 | 11 if !self.numbered.is_empty() => self.put_method_reference(tag, c)?,
            9..=12 => self.put_pair(tag, &mut c)?,
            15 => {
                self.put_raw(tag, c.take(1, POOL)?);
                self.refer(c.u16(POOL)?)?;
            }
            17 | 18 => {
                let ordinal = self.constants.bootstrap_ordinal(c.u16(POOL)?)?;
                self.out.put_u8(tag);
                self.out.put_u16(ordinal);
                self.refer(c.u16(POOL)?)?;
            }
            _ => {
                let message = format!("a constant has the unknown tag {tag}");
                return Err(Error::unsupported(None, message));
            }
        }
        Ok(true)
    }

    fn put_raw(&mut self, tag: u8, bytes: &[u8]) {
        self.out.put_u8(tag);
        self.out.extend_from_slice(bytes);
    }

    fn put_pair(&mut self, tag: u8, c: &mut Cursor<'a>) -> Result<()> {
        self.out.put_u8(tag);
        self.refer(c.u16(POOL)?)?;
        self.refer(c.u16(POOL)?)
    }

    /// A method; if it is a numbered one of this class, by the order in which it was first named.
    fn put_method_reference(&mut self, tag: u8, mut c: Cursor<'a>) -> Result<()> {
        let mut ahead = c;
        let is_own = self.pool.class(ahead.u16(POOL)?)? == self.this_name;
        let key = self.pool.name_and_type(ahead.u16(POOL)?)?;
        let Some(numbered) = self.numbered.get_mut(&key).filter(|_| is_own) else {
            return self.put_pair(tag, &mut c);
        };
        let named_methods = &mut self.constants.named_methods;
        let ordinal = *numbered.ordinal.get_or_insert_with(|| {
            named_methods.push(key);
            named_methods.len() as u32
        });
        self.out.extend([marker::REFERENCE_TO_NUMBERED, tag]);
        self.out.put_u32(ordinal);
        Ok(())
    }

    /// Writes the next bootstrap method that was named; false if all are written.
    pub(super) fn put_next_bootstrap_method(&mut self) -> Result<bool> {
        let constants = &mut self.constants;
        let next = constants
            .named_bootstraps
            .get(constants.n_bootstraps_written)
            .copied();
        let Some(position) = next else {
            return Ok(false);
        };
        constants.n_bootstraps_written += 1;
        let mut c = constants.bootstrap_methods[usize::from(position)];
        self.out.put_u8(marker::BOOTSTRAP_METHOD);
        self.refer(c.u16(BOOTSTRAP)?)?;
        self.put_references(&mut c, BOOTSTRAP)?;
        Ok(true)
    }
}
