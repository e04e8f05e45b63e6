//! Copying a class file while eight bytes are put in front of the code of its methods.
//!
//! Everything is copied in long stretches and then patched where it points into the code. What the
//! debug tables say about the start of a method (offset 0) stays at the start, in front of the
//! probe; branches, exception ranges and frames at offset 0 go with the first instruction.

use super::entry::{LENGTH, MAX_STACK};
use crate::attribute::{frame_tag, skip_annotation};
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::pool_index::PoolIndex;

/// A class file half copied.
pub(super) struct Splice<'a> {
    input: &'a [u8],
    out: Vec<u8>,
    /// Up to where the input has been copied.
    copied: usize,
}

const CODE: &str = "Code";

impl<'a> Splice<'a> {
    pub(super) fn new(input: &'a [u8], room: usize) -> Self {
        Self {
            input,
            out: Vec::with_capacity(room),
            copied: 0,
        }
    }

    /// Copies everything in front of byte `end` of the input.
    #[inline]
    pub(super) fn copy_to(&mut self, end: usize) {
        self.out.extend_from_slice(&self.input[self.copied..end]);
        self.copied = end;
    }

    /// Where something of one's own can be put behind what was copied.
    pub(super) fn out(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Changes the copy of the two bytes at `offset` of the input, which lie in the last stretch.
    pub(super) fn patch_u16(&mut self, offset: usize, value: u16) {
        let at = self.out.len() - (self.copied - offset);
        self.out[at..at + 2].copy_from_slice(&value.to_be_bytes());
    }

    /// Copies what is left.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.copy_to(self.input.len());
        self.out
    }

    /// Copies everything up to the end of a `Code` attribute, given its content, with the probe.
    pub(super) fn code(
        &mut self,
        mut c: Cursor<'a>,
        pool: &PoolIndex<'_>,
        probe: [u8; LENGTH as usize],
    ) -> Result<()> {
        let start = c.offset();
        let max_stack = c.u16(CODE)?;
        c.u16(CODE)?;
        let code_length = c.u32(CODE)?;
        self.copy_to(c.offset());
        let length_at = self.out.len() - 12;
        self.patch_u16(start, max_stack.max(MAX_STACK));
        let code_length_at = self.out.len() - 4;
        put_u32_at(
            &mut self.out,
            code_length_at,
            code_length + u32::from(LENGTH),
        );
        self.out.extend_from_slice(&probe);

        c.take(code_length as usize, CODE)?;
        // The plan holds only code whose length has 16 bits.
        let moves = Moves {
            code_length: code_length as u16,
        };
        self.exception_table(&mut c, moves)?;
        self.attributes(&mut c, pool, moves)?;
        c.finish(CODE)?;
        self.copy_to(c.offset());
        self.set_length(length_at)
    }

    /// Writes the length of an attribute that ends here.
    fn set_length(&mut self, length_at: usize) -> Result<()> {
        let length = self.out.len() - length_at - 4;
        let length = u32::try_from(length)
            .map_err(|_| Error::too_large("an attribute has more than 4294967295 bytes"))?;
        put_u32_at(&mut self.out, length_at, length);
        Ok(())
    }

    fn exception_table(&mut self, c: &mut Cursor<'a>, moves: Moves) -> Result<()> {
        let n_rows = c.u16(CODE)?;
        self.rows::<8>(c, n_rows, "the exception table", |row| {
            moves.instruction(row, 0) && moves.instruction(row, 2) && moves.instruction(row, 4)
        })
    }

    fn attributes(&mut self, c: &mut Cursor<'a>, pool: &PoolIndex<'_>, moves: Moves) -> Result<()> {
        let n_attributes = c.u16(CODE)?;
        for _ in 0..n_attributes {
            let offset = c.offset();
            let name = c.u16(CODE)?;
            let length = c.u32(CODE)? as usize;
            let content = c.split(length, CODE)?;
            self.attribute(pool.utf8_named_at(name, offset)?, content, moves)?;
        }
        Ok(())
    }

    fn attribute(&mut self, name: &[u8], mut c: Cursor<'a>, moves: Moves) -> Result<()> {
        let c = &mut c;
        match name {
            b"LineNumberTable" => {
                let n_rows = c.u16(CODE)?;
                self.rows::<4>(c, n_rows, "LineNumberTable", |row| moves.start(row, 0))?;
            }
            b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                let n_rows = c.u16(CODE)?;
                self.rows::<10>(c, n_rows, "a local variable table", |row| moves.range(row))?;
            }
            b"StackMapTable" => self.frames(c, moves)?,
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                self.type_annotations(c)?;
            }
            // What nobody knows does not move; a JVM does not read it.
            _ => return Ok(()),
        }
        c.finish("an attribute of Code")
    }

    /// Copies and changes rows of `WIDTH` bytes; `change` says whether the row lies in the code.
    #[inline]
    fn rows<const WIDTH: usize>(
        &mut self,
        c: &mut Cursor<'a>,
        n_rows: u16,
        what: &str,
        change: impl Fn(&mut [u8; WIDTH]) -> bool,
    ) -> Result<()> {
        let offset = c.offset();
        let length = usize::from(n_rows) * WIDTH;
        c.take(length, what)?;
        self.copy_to(c.offset());
        let start = self.out.len() - length;
        let (rows, _) = self.out[start..].as_chunks_mut();
        if rows.iter_mut().all(change) {
            return Ok(());
        }
        Err(Error::malformed(offset, format!("{what} leaves the code")))
    }

    /// Moves the first frame, to which all others are relative, and the offsets of `new`.
    fn frames(&mut self, c: &mut Cursor<'a>, moves: Moves) -> Result<()> {
        self.copy_to(c.offset());
        let length_at = self.out.len() - 4;
        let n_frames = c.u16(FRAMES)?;
        if n_frames == 0 {
            return Ok(());
        }
        self.first_frame(*c, moves)?;
        self.copy_to(c.offset() + c.remaining());
        self.set_length(length_at)?;
        for _ in 0..n_frames {
            walk_frame(c, &mut |offset, value| {
                let moved = moves.checked(value, offset, FRAMES)?;
                self.patch_u16(offset, moved);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Copies up to the types of the first frame and adds to its distance, for which a short form
    /// may be too short.
    fn first_frame(&mut self, mut c: Cursor<'a>, moves: Moves) -> Result<()> {
        let offset = c.offset();
        let tag = c.u8(FRAMES)?;
        if tag >= frame_tag::SAME_LOCALS_1_EXTENDED {
            let at = c.offset();
            let distance = moves.checked(c.u16(FRAMES)?, at, FRAMES)?;
            self.copy_to(c.offset());
            self.patch_u16(at, distance);
            return Ok(());
        }
        let (base, long_form) = if tag < frame_tag::SAME_LOCALS_1 {
            (0, frame_tag::SAME_EXTENDED)
        } else if tag < frame_tag::RESERVED {
            (frame_tag::SAME_LOCALS_1, frame_tag::SAME_LOCALS_1_EXTENDED)
        } else {
            return Err(reserved_frame(offset, tag));
        };
        let distance = moves.checked(u16::from(tag - base), offset, FRAMES)?;
        self.copy_to(offset);
        if distance < u16::from(frame_tag::SAME_LOCALS_1) {
            self.out.put_u8(base + distance as u8);
        } else {
            self.out.put_u8(long_form);
            self.out.put_u16(distance);
        }
        self.copied = c.offset();
        Ok(())
    }

    fn type_annotations(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        let n_annotations = c.u16(TYPE_ANNOTATIONS)?;
        self.copy_to(c.offset() + c.remaining());
        for _ in 0..n_annotations {
            self.type_annotation_target(c)?;
            let n_steps = c.u8(TYPE_ANNOTATIONS)?;
            c.take(usize::from(n_steps) * 2, TYPE_ANNOTATIONS)?;
            skip_annotation(c)?;
        }
        Ok(())
    }

    /// A JVM does not read these, and compilers were seen to write offsets out of the code: such
    /// ones stay out of it.
    fn type_annotation_target(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        let offset = c.offset();
        let n_more = match c.u8(TYPE_ANNOTATIONS)? {
            0x00..=0x01 | 0x16 => 1,
            0x10..=0x12 | 0x17 | 0x42 => 2,
            0x13..=0x15 => 0,
            0x40..=0x41 => return self.annotated_variable(c),
            kind @ 0x43..=0x4b => {
                let at = c.offset();
                let value = c.u16(TYPE_ANNOTATIONS)?;
                self.patch_u16(at, value.saturating_add(LENGTH));
                usize::from(kind >= 0x47)
            }
            kind => {
                let message = format!("a type annotation has the unknown target {kind}");
                return Err(Error::unsupported(offset, message));
            }
        };
        c.take(n_more, TYPE_ANNOTATIONS)?;
        Ok(())
    }

    fn annotated_variable(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        let n_ranges = c.u16(TYPE_ANNOTATIONS)?;
        for _ in 0..n_ranges {
            let at = c.offset();
            let (start, length) = (c.u16(TYPE_ANNOTATIONS)?, c.u16(TYPE_ANNOTATIONS)?);
            c.u16(TYPE_ANNOTATIONS)?;
            let (start, length) = moved_range(start, length);
            self.patch_u16(at, start);
            self.patch_u16(at + 2, length);
        }
        Ok(())
    }
}

const FRAMES: &str = "StackMapTable";
const TYPE_ANNOTATIONS: &str = "type annotations";

/// How offsets into code of a certain length move. They do not overflow, because the code with its
/// probe still has 16 bits of length.
#[derive(Clone, Copy)]
struct Moves {
    code_length: u16,
}

impl Moves {
    fn checked(self, offset: u16, at: usize, what: &str) -> Result<u16> {
        if offset > self.code_length {
            return Err(Error::malformed(at, format!("{what} leaves the code")));
        }
        Ok(offset + LENGTH)
    }

    /// Moves the offset of an instruction, or of the end of the code.
    #[inline]
    fn instruction(self, row: &mut [u8], at: usize) -> bool {
        let offset = get_u16(row, at);
        put_u16(row, at, offset.saturating_add(LENGTH));
        offset <= self.code_length
    }

    /// Moves an offset of which 0 stands for the start of the method.
    #[inline]
    fn start(self, row: &mut [u8], at: usize) -> bool {
        let offset = get_u16(row, at);
        put_u16(row, at, moved_start(offset));
        offset <= self.code_length
    }

    /// Moves a row that begins with offset and length.
    #[inline]
    fn range(self, row: &mut [u8]) -> bool {
        let (start, length) = (get_u16(row, 0), get_u16(row, 2));
        let (moved, longer) = moved_range(start, length);
        put_u16(row, 0, moved);
        put_u16(row, 2, longer);
        u32::from(start) + u32::from(length) <= u32::from(self.code_length)
    }
}

#[inline]
fn moved_start(offset: u16) -> u16 {
    if offset == 0 {
        0
    } else {
        offset.saturating_add(LENGTH)
    }
}

/// What begins at the start of the method covers the probe too.
#[inline]
fn moved_range(start: u16, length: u16) -> (u16, u16) {
    let longer = if start == 0 {
        length.saturating_add(LENGTH)
    } else {
        length
    };
    (moved_start(start), longer)
}

/// Passes over a frame and visits the operands of its `Uninitialized` types, with where they are.
#[inline]
fn walk_frame(c: &mut Cursor<'_>, visit: &mut impl FnMut(usize, u16) -> Result<()>) -> Result<()> {
    let offset = c.offset();
    let tag = c.u8(FRAMES)?;
    if tag < frame_tag::SAME_LOCALS_1 {
        return Ok(());
    }
    if tag < frame_tag::RESERVED {
        return walk_types(c, 1, visit);
    }
    if tag < frame_tag::SAME_LOCALS_1_EXTENDED {
        return Err(reserved_frame(offset, tag));
    }
    c.u16(FRAMES)?;
    match tag {
        frame_tag::SAME_LOCALS_1_EXTENDED => walk_types(c, 1, visit),
        ..=frame_tag::SAME_EXTENDED => Ok(()),
        frame_tag::FULL => {
            let n_locals = c.u16(FRAMES)?;
            walk_types(c, n_locals, visit)?;
            let n_stack = c.u16(FRAMES)?;
            walk_types(c, n_stack, visit)
        }
        _ => walk_types(c, u16::from(tag - frame_tag::SAME_EXTENDED), visit),
    }
}

#[inline]
fn walk_types(
    c: &mut Cursor<'_>,
    count: u16,
    visit: &mut impl FnMut(usize, u16) -> Result<()>,
) -> Result<()> {
    for _ in 0..count {
        let offset = c.offset();
        match c.u8(FRAMES)? {
            ..frame_tag::OBJECT => {}
            frame_tag::OBJECT => drop(c.u16(FRAMES)?),
            frame_tag::UNINITIALIZED => {
                let at = c.offset();
                visit(at, c.u16(FRAMES)?)?;
            }
            tag => {
                let message = format!("a stack map frame has the unknown type {tag}");
                return Err(Error::unsupported(offset, message));
            }
        }
    }
    Ok(())
}

#[cold]
fn reserved_frame(offset: usize, tag: u8) -> Error {
    Error::unsupported(
        offset,
        format!("a stack map frame has the reserved tag {tag}"),
    )
}

#[inline]
fn get_u16(row: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([row[at], row[at + 1]])
}

#[inline]
fn put_u16(row: &mut [u8], at: usize, value: u16) {
    row[at..at + 2].copy_from_slice(&value.to_be_bytes());
}

fn put_u32_at(out: &mut [u8], at: usize, value: u32) {
    out[at..at + 4].copy_from_slice(&value.to_be_bytes());
}
