//! The entry probe: `holder.C[id] = 1` at the start of every method that has code.
//!
//! It is eight bytes long, `getstatic; sipush; iconst_1; bastore`, so that no switch changes its
//! padding and no instruction needs to be decoded: code moves as a whole, and what points into it
//! moves by eight. This runs for every class that a JVM under test loads, hence straight on the
//! bytes, without the model.

use tamis_facts::{MethodId, ModifiedUtf8};

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

    /// The methods that have code, in the order of their ids.
    pub fn methods(&self) -> impl Iterator<Item = MethodId> {
        self.bodies.iter().map(|body| MethodId {
            name: body.name.into(),
            descriptor: body.descriptor.into(),
        })
    }

    /// Whether a method with code has this name and descriptor.
    pub fn has_method(&self, name: &[u8], descriptor: &[u8]) -> bool {
        let mut bodies = self.bodies.iter();
        bodies.any(|body| body.name == name && body.descriptor == descriptor)
    }

    /// The classes that its constants name, in internal form; arrays as descriptors.
    pub fn class_names(&self) -> Vec<&'a [u8]> {
        let mut names = Vec::new();
        self.pool.each_class(&mut Vec::new(), |_, name| {
            names.extend(self.pool.utf8(name));
        });
        names
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

pub(super) fn probe(field: u16, id: u16) -> [u8; LENGTH as usize] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access_flags::AccessFlags;
    use crate::attribute::{
        Attribute, AttributeContent, Code, FrameKind, LineNumber, LocalVariable, StackMapFrame,
    };
    use crate::class_file::{ClassFile, Field, Method};
    use crate::constant_pool::{Constant, ConstantPool};
    use crate::error::ErrorKind;

    const SLOTS: Slots<'_> = Slots {
        holder: "tamis/H0",
        first: 7,
    };

    /// The indices of the texts in the pool of [`class`].
    const F: u16 = 1;
    const DESCRIPTOR: u16 = 2;
    const CODE: u16 = 3;
    const FRAMES: u16 = 4;
    const LINES: u16 = 5;
    const VARIABLES: u16 = 6;

    /// A class with a method for each list of attributes.
    fn class(version: u16, methods: Vec<Vec<Attribute<'static>>>) -> ClassFile<'static> {
        let mut pool = ConstantPool::parse(&mut Cursor::new(&[0, 1])).unwrap();
        for text in [
            "f",
            "()V",
            "Code",
            "StackMapTable",
            "LineNumberTable",
            "LocalVariableTable",
        ] {
            pool.push(Constant::Utf8(text.as_bytes().into())).unwrap();
        }
        let this_class = pool.push(Constant::Class(F)).unwrap();
        let method = |attributes| Method {
            access_flags: AccessFlags::STATIC,
            name: F,
            descriptor: DESCRIPTOR,
            attributes,
        };
        ClassFile {
            minor_version: 0,
            major_version: version,
            constant_pool: pool,
            access_flags: AccessFlags(0),
            this_class,
            super_class: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: methods.into_iter().map(method).collect(),
            attributes: Vec::new(),
        }
    }

    fn code(length: usize, attributes: Vec<Attribute<'static>>) -> Attribute<'static> {
        let mut instructions = vec![opcode::NOP; length - 1];
        instructions.push(opcode::RETURN);
        let content = AttributeContent::Code(Box::new(Code {
            max_stack: 0,
            max_locals: 0,
            instructions: instructions.into(),
            exception_table: std::iter::empty().collect(),
            attributes,
        }));
        Attribute {
            name: CODE,
            content,
        }
    }

    fn write(class: &ClassFile<'_>) -> Result<ClassFile<'static>> {
        let bytes = class.encode().unwrap();
        let probed = EntryPlan::scan(&bytes)?.write(&SLOTS)?.bytes;
        Ok(ClassFile::parse(&probed).unwrap().into_owned())
    }

    /// The refusal of a class.
    fn check(class: &ClassFile<'_>, kind: ErrorKind, message: &str) {
        let error = write(class).unwrap_err();
        assert_eq!((error.kind(), error.message()), (kind, message));
    }

    /// The attributes of the code after the probe was put in front of it.
    fn probed_attributes(attributes: Vec<Attribute<'static>>) -> Vec<AttributeContent<'static>> {
        let probed = write(&class(52, vec![vec![code(100, attributes)]])).unwrap();
        let code = probed.methods[0].code().unwrap();
        assert_eq!(code.instructions.len(), 108);
        let attributes = code.attributes.iter();
        attributes
            .map(|attribute| attribute.content.clone())
            .collect()
    }

    #[test]
    fn the_probe_marks_the_element_of_its_method() {
        let class = class(
            52,
            vec![vec![], vec![code(1, vec![])], vec![code(2, vec![])]],
        );
        let bytes = class.encode().unwrap();
        let plan = EntryPlan::scan(&bytes).unwrap();
        assert_eq!(plan.n_units(), 2);
        let methods: Vec<_> = plan.methods().map(|method| method.to_string()).collect();
        assert_eq!(methods, ["f()V", "f()V"]);
        let probed = plan.write(&SLOTS).unwrap();
        let units: Vec<_> = probed.units.iter().map(|u| (u.id, u.method)).collect();
        assert_eq!(units, [(7, 1), (8, 2)]);
        assert_eq!(
            (probed.units[0].name, probed.units[0].descriptor),
            (&b"f"[..], &b"()V"[..])
        );
        let read = ClassFile::parse(&probed.bytes).unwrap();
        let code = read.methods[2].code().unwrap();
        assert_eq!(code.max_stack, 3);
        let [178, f1, f0, 17, 0, 8, 4, 84, 0, 177] = code.instructions[..] else {
            panic!("{:?}", code.instructions);
        };
        let member = read
            .constant_pool
            .member(u16::from_be_bytes([f1, f0]))
            .unwrap();
        assert_eq!(member.owner, b"tamis/H0");
        assert_eq!((member.name, member.descriptor), (&b"C"[..], &b"[B"[..]));
    }

    #[test]
    fn a_class_without_code_stays_as_it_is() {
        let plain = class(52, vec![vec![]]);
        assert_eq!(write(&plain).unwrap(), plain);
    }

    #[test]
    fn code_of_a_field_is_no_code() {
        let mut plain = class(52, vec![vec![]]);
        let content = AttributeContent::Unknown(vec![1, 2].into());
        plain.fields.push(Field {
            access_flags: AccessFlags(0),
            name: F,
            descriptor: F,
            attributes: vec![Attribute {
                name: CODE,
                content,
            }],
        });
        assert_eq!(write(&plain).unwrap(), plain);
    }

    #[test]
    fn the_first_frame_grows_when_its_distance_does() {
        let frames = |first, second, kind: FrameKind| {
            let frame = |offset_delta, kind| StackMapFrame { offset_delta, kind };
            let list = vec![frame(first, kind), frame(second, FrameKind::Same)];
            AttributeContent::StackMapTable(list)
        };
        let check = |before, kind, after, kind_after| {
            let content = frames(before, 9, kind);
            let attribute = Attribute {
                name: FRAMES,
                content,
            };
            assert_eq!(
                probed_attributes(vec![attribute]),
                [frames(after, 9, kind_after)]
            );
        };
        check(55, FrameKind::Same, 63, FrameKind::Same);
        check(56, FrameKind::Same, 64, FrameKind::SameExtended);
        check(56, FrameKind::Chop(1), 64, FrameKind::Chop(1));
        let one = crate::attribute::VerificationType::Uninitialized;
        check(
            0,
            FrameKind::SameLocals1(one(4)),
            8,
            FrameKind::SameLocals1(one(12)),
        );
        check(
            60,
            FrameKind::SameLocals1(one(4)),
            68,
            FrameKind::SameLocals1Extended(one(12)),
        );
    }

    #[test]
    fn debug_tables_keep_the_start_of_the_method() {
        let lines = |starts: [u16; 2]| {
            let rows = starts.map(|start| LineNumber { start, line: 1 });
            AttributeContent::LineNumberTable(rows.into_iter().collect())
        };
        let variables = |ranges: [(u16, u16); 2]| {
            let rows = ranges.map(|(start, length)| LocalVariable {
                start,
                length,
                name: F,
                descriptor: F,
                slot: 0,
            });
            AttributeContent::LocalVariableTable(rows.into_iter().collect())
        };
        let before = vec![
            Attribute {
                name: LINES,
                content: lines([0, 3]),
            },
            Attribute {
                name: VARIABLES,
                content: variables([(0, 100), (3, 97)]),
            },
            // Some compilers split the table.
            Attribute {
                name: LINES,
                content: lines([9, 0]),
            },
        ];
        let after = [
            lines([0, 11]),
            variables([(0, 108), (11, 97)]),
            lines([17, 0]),
        ];
        assert_eq!(probed_attributes(before), after);
    }

    #[test]
    fn tables_that_leave_the_code_are_refused() {
        let rows = [LineNumber {
            start: 101,
            line: 1,
        }];
        let content = AttributeContent::LineNumberTable(rows.into_iter().collect());
        let attributes = vec![Attribute {
            name: LINES,
            content,
        }];
        let plain = class(52, vec![vec![code(100, attributes)]]);
        check(
            &plain,
            ErrorKind::Malformed,
            "LineNumberTable leaves the code",
        );
    }

    #[test]
    fn two_bodies_are_refused() {
        let plain = class(52, vec![vec![code(1, vec![]), code(1, vec![])]]);
        check(
            &plain,
            ErrorKind::Malformed,
            "a method has two Code attributes",
        );
    }

    #[test]
    fn what_would_be_too_large_is_refused() {
        let long = |length| class(52, vec![vec![code(length, vec![])]]);
        assert!(write(&long(65527)).is_ok());
        let message = "f()V has 65528 bytes of code: a probe does not fit";
        check(&long(65528), ErrorKind::TooLarge, message);

        let mut full = long(1);
        while full.constant_pool.len() < 65529 {
            full.constant_pool.push(Constant::Integer(0)).unwrap();
        }
        assert!(write(&full).is_ok());
        full.constant_pool.push(Constant::Integer(0)).unwrap();
        check(&full, ErrorKind::TooLarge, "the constant pool is full");
    }

    #[test]
    fn an_element_that_the_probe_cannot_name_is_refused() {
        let bytes = class(52, vec![vec![code(1, vec![])]]).encode().unwrap();
        let plan = EntryPlan::scan(&bytes).unwrap();
        let at = |first| plan.write(&Slots { first, ..SLOTS });
        assert!(at(32767).is_ok());
        let error = at(32768).unwrap_err();
        assert_eq!(error.to_string(), "the last id would be 32768, over 32767");
    }

    #[test]
    fn unknown_versions_are_refused() {
        let message = "class file version 70.0 cannot be probed";
        check(&class(70, vec![]), ErrorKind::Unsupported, message);
        let message = "class file version 45.0 lays out code as before 45.3";
        check(&class(45, vec![]), ErrorKind::Unsupported, message);
    }
}
