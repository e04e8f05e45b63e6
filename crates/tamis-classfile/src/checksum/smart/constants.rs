//! Constants by the order of their first use, and their values.

use super::{Stream, marker, missing};
use crate::attribute::AttributeName;
use crate::checksum::declaration::WITHOUT_BEHAVIOUR;
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::pool_index::PoolIndex;

/// Which constants and bootstrap methods were named, in which order.
#[derive(Default)]
pub(super) struct Constants {
    /// What is known of each constant, by index.
    uses: Vec<Use>,
    /// The constants that were named, and room for those that were not.
    named: Vec<u16>,
    n_named: usize,
    n_written: usize,
    /// Where the bootstrap methods lie in the file, and the same for them.
    bootstrap_methods: Vec<u32>,
    bootstrap_ordinals: Vec<u16>,
    named_bootstraps: Vec<u16>,
    n_bootstraps_written: usize,
}

/// What is known of a constant.
#[derive(Clone, Copy)]
struct Use {
    /// Of a Class constant: the index of an earlier one of the same name, which stands for it; 0 if
    /// there is none. Older javacs write one for the code and another for its frames.
    same_as: u16,
    /// The position in `named` plus one; 0 if not named yet.
    ordinal: u16,
    /// Of a text: the first Class constant of that name; 0 if there is none.
    class: u16,
    /// Of a text: what it means as the name of an attribute.
    meaning: Meaning,
}

/// What a text means as the name of an attribute.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    NotLookedUp,
    Known(AttributeName),
    /// Read by compilers only.
    WithoutBehaviour,
    Unknown,
}

impl Use {
    const NONE: Self = Self {
        same_as: 0,
        ordinal: 0,
        class: 0,
        meaning: Meaning::NotLookedUp,
    };
}

const POOL: &str = "the constant pool";
const BOOTSTRAP: &str = "BootstrapMethods";

/// What index 0, which names no constant, stands as. No ordinal is that great.
const NO_CONSTANT: u16 = u16::MAX;

impl Constants {
    /// Forgets the last class and prepares for the constants of another one.
    pub(super) fn reset(&mut self, pool: &PoolIndex<'_>) {
        self.uses.clear();
        self.uses.resize(usize::from(pool.n_constants()), Use::NONE);
        if let Some(none) = self.uses.first_mut() {
            none.ordinal = NO_CONSTANT;
        }
        let uses = &mut self.uses;
        pool.each_class(&mut self.named, |class, name| {
            match uses.get_mut(usize::from(name)).map(|name| &mut name.class) {
                Some(first @ 0) => *first = class,
                Some(first) => uses[usize::from(class)].same_as = *first,
                // Whoever names the class finds that out.
                None => {}
            }
        });
        self.n_named = 0;
        self.n_written = 0;
        self.bootstrap_methods.clear();
        self.bootstrap_ordinals.clear();
        self.named_bootstraps.clear();
        self.n_bootstraps_written = 0;
    }

    /// The ordinal of a constant's first use.
    ///
    /// Whether this is the first use is as good as random, so it is computed without a branch.
    #[inline]
    pub(super) fn ordinal(&mut self, mut index: u16) -> Result<u16> {
        match self.uses.get(usize::from(index)) {
            Some(Use { same_as: 0, .. }) => {}
            Some(Use { same_as, .. }) => index = *same_as,
            None => return Err(missing("constant", index)),
        }
        let known = &mut self.uses[usize::from(index)].ordinal;
        self.named[self.n_named] = index;
        let is_first = *known == 0;
        self.n_named += usize::from(is_first);
        let ordinal = if is_first {
            self.n_named as u16
        } else {
            *known
        };
        *known = ordinal;
        Ok(ordinal)
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
    pub(super) fn set_bootstrap_methods(&mut self, c: &mut Cursor<'_>) -> Result<()> {
        for _ in 0..c.u16(BOOTSTRAP)? {
            self.bootstrap_methods.push(c.offset() as u32);
            self.bootstrap_ordinals.push(0);
            c.u16(BOOTSTRAP)?;
            let n_arguments = c.u16(BOOTSTRAP)?;
            c.take(usize::from(n_arguments) * 2, BOOTSTRAP)?;
        }
        Ok(())
    }
}

impl<'a> Stream<'a> {
    /// What an attribute of that name is.
    #[inline]
    pub(super) fn meaning(&mut self, name: u16) -> Result<Meaning> {
        match self.constants.uses.get(usize::from(name)) {
            Some(Use {
                meaning: Meaning::NotLookedUp,
                ..
            })
            | None => self.look_up(name),
            Some(known) => Ok(known.meaning),
        }
    }

    fn look_up(&mut self, name: u16) -> Result<Meaning> {
        let text = self.text(name)?;
        let meaning = match AttributeName::of(text) {
            Some(name) => Meaning::Known(name),
            None if WITHOUT_BEHAVIOUR.contains(&text) => Meaning::WithoutBehaviour,
            None => Meaning::Unknown,
        };
        self.constants.uses[usize::from(name)].meaning = meaning;
        Ok(meaning)
    }

    /// Names a constant.
    #[inline]
    pub(super) fn refer(&mut self, index: u16) -> Result<()> {
        let ordinal = self.constants.ordinal(index)?;
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

    /// Writes the values of the constants that were named, which may name more.
    pub(super) fn put_named_constants(&mut self) -> Result<()> {
        while self.constants.n_written < self.constants.n_named {
            let index = self.constants.named[self.constants.n_written];
            self.constants.n_written += 1;
            match self.pool.offset(index) {
                0 => return Err(missing("constant", index)),
                offset => self.put_constant(offset)?,
            }
        }
        Ok(())
    }

    /// The value of the constant that lies there in the file.
    #[inline]
    fn put_constant(&mut self, offset: usize) -> Result<()> {
        let bytes = self.file.get(offset..).unwrap_or_default();
        let Some([tag, a1, a0, b1, b0]) = bytes.first_chunk().copied() else {
            return Err(Error::truncated(self.file.len(), POOL));
        };
        let (a, b) = (u16::from_be_bytes([a1, a0]), u16::from_be_bytes([b1, b0]));
        match tag {
            1 => self.put_part(offset, 3 + usize::from(a))?,
            3 | 4 => self.out.extend_from_slice(&[tag, a1, a0, b1, b0]),
            5 | 6 => self.put_part(offset, 9)?,
            7 | 8 | 16 | 19 | 20 => {
                let [a1, a0] = self.constants.ordinal(a)?.to_be_bytes();
                self.out.extend_from_slice(&[tag, a1, a0]);
            }
            10 | 11 if !self.numbered.is_empty() => self.put_method_reference(tag, a, b)?,
            9..=12 => self.put_pair(tag, a, b)?,
            15 => {
                let [r1, r0] = self
                    .constants
                    .ordinal(u16::from_be_bytes([a0, b1]))?
                    .to_be_bytes();
                self.out.extend_from_slice(&[tag, a1, r1, r0]);
            }
            17 | 18 => {
                let [a1, a0] = self.constants.bootstrap_ordinal(a)?.to_be_bytes();
                let [b1, b0] = self.constants.ordinal(b)?.to_be_bytes();
                self.out.extend_from_slice(&[tag, a1, a0, b1, b0]);
            }
            _ => {
                let message = format!("a constant has the unknown tag {tag}");
                return Err(Error::unsupported(None, message));
            }
        }
        Ok(())
    }

    /// So many bytes of the file. A fixed number of them is copied first and what is too much taken
    /// back: for most texts and methods that is quicker than copying them by their length.
    #[inline]
    pub(super) fn put_part(&mut self, offset: usize, length: usize) -> Result<()> {
        let bytes = self.file.get(offset..).unwrap_or_default();
        match bytes.first_chunk::<64>() {
            Some(chunk) if length <= chunk.len() => {
                let end = self.out.len() + length;
                self.out.extend_from_slice(chunk);
                self.out.truncate(end);
            }
            _ => match bytes.get(..length) {
                Some(part) => self.out.extend_from_slice(part),
                None => return Err(Error::truncated(self.file.len(), POOL)),
            },
        }
        Ok(())
    }

    #[inline]
    fn put_pair(&mut self, tag: u8, a: u16, b: u16) -> Result<()> {
        let [a1, a0] = self.constants.ordinal(a)?.to_be_bytes();
        let [b1, b0] = self.constants.ordinal(b)?.to_be_bytes();
        self.out.extend_from_slice(&[tag, a1, a0, b1, b0]);
        Ok(())
    }

    /// A method; if it is a numbered one of this class, by the order in which it was first named.
    fn put_method_reference(&mut self, tag: u8, class: u16, name_and_type: u16) -> Result<()> {
        let is_own = self.pool.class(class)? == self.this_name;
        let key = self.pool.name_and_type(name_and_type)?;
        let Some(numbered) = self.numbered.get_mut(&key).filter(|_| is_own) else {
            return self.put_pair(tag, class, name_and_type);
        };
        let named_methods = &mut self.named_methods;
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
        let offset = constants.bootstrap_methods[usize::from(position)];
        let mut c = self.part(offset, self.file.len() as u32);
        self.out.put_u8(marker::BOOTSTRAP_METHOD);
        self.refer(c.u16(BOOTSTRAP)?)?;
        self.put_references(&mut c, BOOTSTRAP)?;
        Ok(true)
    }
}
