//! The entry probe: `holder.C[id] = 1` at the start of every method that has code.
//!
//! It is eight bytes long, `getstatic; sipush; iconst_1; bastore`, so that no switch changes its
//! padding and no instruction needs to be decoded: code moves as a whole, and what points into it
//! moves by eight. This runs for every class that a JVM under test loads, hence straight on the
//! bytes, without the model.

use tamis_facts::ModifiedUtf8;

use super::splice::Splice;
use super::{Probed, Unit, check_version};
use crate::class_file::parse_versions;
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::instruction::opcode;
use crate::pool_index::PoolIndex;

/// A class that can have entry probes, before it is known which ids they get.
#[derive(Clone)]
pub struct EntryPlan<'a> {
    bytes: &'a [u8],
    pool: PoolIndex<'a>,
    bodies: Vec<Body<'a>>,
}

/// The array elements that the probes of a class mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots<'h> {
    /// The class, in internal form, whose field `static byte[] C` they mark. Every class loader must
    /// be able to find it.
    pub holder: &'h str,
    /// The element of the first method; the others follow one by one.
    pub first: u16,
}

impl Slots<'_> {
    /// The last element that a probe can name: what `sipush` can push.
    pub const LAST: u16 = i16::MAX.cast_unsigned();
}

/// The number of bytes of the probe.
pub(super) const LENGTH: u16 = 8;
/// The operand stack that the probe needs: array, index, value.
pub(super) const MAX_STACK: u16 = 3;
/// The number of constants that are appended.
const N_CONSTANTS: u16 = 6;
/// The longest code that a JVM accepts (JVMS 4.7.3).
const MAX_CODE_LENGTH: u32 = 65535;
/// The longest class file that a JVM accepts: it counts in `int`.
const MAX_FILE_LENGTH: usize = i32::MAX as usize;

impl<'a> EntryPlan<'a> {
    /// Finds the methods that have code.
    ///
    /// Refuses classes that the probes would make too large. What is wrong inside a method's tables
    /// only [`write`](Self::write) finds.
    pub fn scan(bytes: &'a [u8]) -> Result<Self> {
        if bytes.len() > MAX_FILE_LENGTH {
            return Err(Error::too_large(
                "a class file has more bytes than a JVM counts",
            ));
        }
        let mut cursor = Cursor::new(bytes);
        let c = &mut cursor;
        check_version(parse_versions(c)?)?;
        let pool = PoolIndex::scan(bytes, c)?;
        c.take(6, HEADER)?;
        let n_interfaces = c.u16(HEADER)?;
        c.take(usize::from(n_interfaces) * 2, HEADER)?;
        let n_fields = c.u16(HEADER)?;
        for _ in 0..n_fields {
            c.take(6, "a field")?;
            skip_attributes(c)?;
        }
        let bodies = find_bodies(c, &pool)?;
        skip_attributes(c)?;
        cursor.finish("the class file")?;
        if !bodies.is_empty() && pool.n_constants() > u16::MAX - N_CONSTANTS {
            return Err(Error::too_large("the constant pool is full"));
        }
        Ok(Self {
            bytes,
            pool,
            bodies,
        })
    }

    /// The number of ids that [`write`](Self::write) will use: one for each method that has code.
    pub fn n_units(&self) -> usize {
        self.bodies.len()
    }

    /// The class with its probes; a class without code comes back as it is.
    ///
    /// On an error no id has been used.
    pub fn write(&self, slots: &Slots<'_>) -> Result<Probed<'a>> {
        let last = usize::from(slots.first) + self.bodies.len();
        if last > usize::from(Slots::LAST) + 1 {
            let message = format!("the last id would be {}, over {}", last - 1, Slots::LAST);
            return Err(Error::too_large(message));
        }
        if slots.holder.len() > usize::from(u16::MAX) {
            return Err(Error::too_large(
                "the name of the holder does not fit a constant",
            ));
        }
        let Some(room) = self.room(slots) else {
            return Ok(Probed {
                bytes: self.bytes.to_vec(),
                units: Vec::new(),
            });
        };
        let mut splice = Splice::new(self.bytes, room);
        let field = self.add_constants(slots, &mut splice);
        let mut units = Vec::with_capacity(self.bodies.len());
        for (body, id) in self.bodies.iter().zip(slots.first..) {
            splice.code(body.code, &self.pool, probe(field, id))?;
            units.push(body.unit(id));
        }
        Ok(Probed {
            bytes: splice.finish(),
            units,
        })
    }

    /// The size of the result, or a little more; none if nothing is to be probed.
    fn room(&self, slots: &Slots<'_>) -> Option<usize> {
        // The first frame of a method may grow by two bytes.
        let per_method = usize::from(LENGTH) + 2;
        let constants = 32 + slots.holder.len();
        let n_methods = (!self.bodies.is_empty()).then_some(self.bodies.len())?;
        Some(self.bytes.len() + constants + per_method * n_methods)
    }

    /// Appends what the probe names to the constant pool; gives the index of the field.
    fn add_constants(&self, slots: &Slots<'_>, splice: &mut Splice<'a>) -> u16 {
        let first = self.pool.n_constants();
        splice.copy_to(self.pool.end);
        splice.patch_u16(self.pool.start, first + N_CONSTANTS);
        let out = splice.out();
        let [holder, class, name, descriptor, name_and_type, field] =
            [0, 1, 2, 3, 4, 5].map(|position| first + position);
        put_utf8(out, slots.holder.as_bytes());
        out.put_u8(7);
        out.put_u16(holder);
        put_utf8(out, b"C");
        put_utf8(out, b"[B");
        out.put_u8(12);
        out.put_u16(name);
        out.put_u16(descriptor);
        out.put_u8(9);
        out.put_u16(class);
        out.put_u16(name_and_type);
        field
    }
}

fn put_utf8(out: &mut Vec<u8>, text: &[u8]) {
    out.put_u8(1);
    out.put_u16(text.len() as u16);
    out.extend_from_slice(text);
}

fn probe(field: u16, id: u16) -> [u8; LENGTH as usize] {
    let ([f1, f0], [i1, i0]) = (field.to_be_bytes(), id.to_be_bytes());
    [
        opcode::GETSTATIC,
        f1,
        f0,
        opcode::SIPUSH,
        i1,
        i0,
        opcode::ICONST_1,
        opcode::BASTORE,
    ]
}

/// A method that has code.
#[derive(Clone)]
struct Body<'a> {
    /// The position among the methods.
    method: u16,
    name: &'a [u8],
    descriptor: &'a [u8],
    /// The content of its `Code` attribute.
    code: Cursor<'a>,
}

impl<'a> Body<'a> {
    fn unit(&self, id: u16) -> Unit<'a> {
        Unit {
            id: u32::from(id),
            method: self.method,
            name: self.name,
            descriptor: self.descriptor,
        }
    }
}

const HEADER: &str = "the class header";
const METHOD: &str = "a method";
const ATTRIBUTE: &str = "an attribute";

fn find_bodies<'a>(c: &mut Cursor<'a>, pool: &PoolIndex<'a>) -> Result<Vec<Body<'a>>> {
    let n_methods = c.u16(HEADER)?;
    // A method has eight bytes at least: a count alone reserves no more than the input.
    let mut bodies = Vec::with_capacity(usize::from(n_methods).min(c.remaining() / 8));
    for method in 0..n_methods {
        c.u16(METHOD)?;
        let offset = c.offset();
        let (name, descriptor) = (c.u16(METHOD)?, c.u16(METHOD)?);
        let Some(code) = find_code(c, pool)? else {
            continue;
        };
        let name = pool.utf8_named_at(name, offset)?;
        let descriptor = pool.utf8_named_at(descriptor, offset + 2)?;
        let body = Body {
            method,
            name,
            descriptor,
            code,
        };
        check_length(&body)?;
        bodies.push(body);
    }
    Ok(bodies)
}

/// The content of the `Code` attribute, if there is one, among the attributes of a method.
fn find_code<'a>(c: &mut Cursor<'a>, pool: &PoolIndex<'a>) -> Result<Option<Cursor<'a>>> {
    let mut code = None;
    let n_attributes = c.u16(METHOD)?;
    for _ in 0..n_attributes {
        let offset = c.offset();
        let name = c.u16(ATTRIBUTE)?;
        let length = c.u32(ATTRIBUTE)? as usize;
        let content = c.split(length, ATTRIBUTE)?;
        if pool.utf8_named_at(name, offset)? == b"Code" && code.replace(content).is_some() {
            return Err(Error::malformed(offset, "a method has two Code attributes"));
        }
    }
    Ok(code)
}

fn check_length(body: &Body<'_>) -> Result<()> {
    let mut c = body.code;
    c.take(4, "Code")?;
    let offset = c.offset();
    let length = c.u32("Code")?;
    if length == 0 || length > MAX_CODE_LENGTH {
        let message = format!("a method has {length} bytes of code");
        return Err(Error::malformed(offset, message));
    }
    if length + u32::from(LENGTH) > MAX_CODE_LENGTH {
        let (name, descriptor) = (
            ModifiedUtf8::from(body.name),
            ModifiedUtf8::from(body.descriptor),
        );
        let message =
            format!("{name}{descriptor} has {length} bytes of code: a probe does not fit");
        return Err(Error::too_large(message));
    }
    Ok(())
}

fn skip_attributes(c: &mut Cursor<'_>) -> Result<()> {
    let n_attributes = c.u16(ATTRIBUTE)?;
    for _ in 0..n_attributes {
        c.u16(ATTRIBUTE)?;
        let length = c.u32(ATTRIBUTE)? as usize;
        c.take(length, ATTRIBUTE)?;
    }
    Ok(())
}
