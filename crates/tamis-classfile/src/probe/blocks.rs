//! Block probes: `holder.C[id] = 1` at the start of every basic block but the first of a method.
//!
//! The first block is where a method begins, and its entry probe marks it. Blocks are those of
//! `flow`, with the numbers that checksums and comparisons use. Probes go in front of whatever comes
//! to a block, so that old frames stay where control arrives. Initialisers stay without: they count
//! as a whole. So does a method that the probes would make too large, or whose code cannot move; it
//! is left as it is.

use super::entry::{self, EntryPlan, Slots};
use super::{parse, push_class, push_utf8};
use crate::class_file::{ClassFile, Method};
use crate::constant_pool::{Constant, MemberIndex};
use crate::error::{Error, Result};
use crate::flow::FlowGraph;
use crate::relocate::{Insertion, Runs, relocate_method};

/// A class that can have block probes, before it is known which ids they get.
#[derive(Clone)]
pub struct BlockPlan<'a> {
    /// With moved code, and room where probes come to stand.
    class: ClassFile<'a>,
    methods: Vec<ProbedMethod>,
    n_entries: usize,
    n_units: usize,
}

/// The units of a method that has block probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodBlocks {
    /// The position among the methods of the class, those without code included.
    pub method: u16,
    /// The number of its blocks; two at least.
    pub n_blocks: u32,
    /// The position of the unit of its second block among those of the class: methods first, then
    /// the blocks but the first of each method, in the order of the file.
    pub second_block: u32,
}

#[derive(Clone)]
struct ProbedMethod {
    blocks: MethodBlocks,
    /// Where the probes of the second block and all others stand in the moved code.
    places: Vec<u32>,
}

/// A longer method is never compiled by HotSpot (`HugeMethodLimit`): probes that make it so would
/// make it slower by an order of magnitude.
const LONGEST_COMPILED: usize = 8000;
/// The longest code that a JVM accepts (JVMS 4.7.3).
const MAX_CODE_LENGTH: usize = 65535;
/// How many constants [`BlockPlan::write`] and the entry probes append to those there are.
const N_CONSTANTS: usize = 12;
/// What stands where a probe will be written.
const ROOM: [u8; entry::LENGTH as usize] = [0; entry::LENGTH as usize];

impl<'a> BlockPlan<'a> {
    /// Finds the methods that can have block probes; none if no method has more than one block.
    ///
    /// Refuses classes of which nothing can be told block by block.
    pub fn scan(bytes: &'a [u8]) -> Result<Option<Self>> {
        let mut class = parse(bytes)?;
        let n_entries = class.methods.iter().filter(|m| m.code().is_some()).count();
        let mut methods = Vec::new();
        let mut n_units = n_entries;
        for position in 0..class.methods.len() {
            // A method that is refused is left as it is.
            let Ok(Some(places)) = make_room(&mut class, position) else {
                continue;
            };
            let blocks = MethodBlocks {
                method: position as u16,
                n_blocks: places.len() as u32 + 1,
                second_block: n_units as u32,
            };
            n_units += places.len();
            methods.push(ProbedMethod { blocks, places });
        }
        if methods.is_empty() {
            return Ok(None);
        }
        if n_units > usize::from(Slots::LAST) + 1 {
            return Err(Error::too_large("a class has more blocks than marks"));
        }
        if class.constant_pool.len() + N_CONSTANTS > usize::from(u16::MAX) {
            return Err(Error::too_large("the constant pool is full"));
        }
        Ok(Some(Self {
            class,
            methods,
            n_entries,
            n_units,
        }))
    }

    /// The number of ids that [`write`](Self::write) will use: one for each method that has code,
    /// and one for each block but the first of each method that has block probes.
    pub fn n_units(&self) -> usize {
        self.n_units
    }

    /// The methods that have block probes, in the order of the file.
    pub fn methods(&self) -> impl Iterator<Item = MethodBlocks> {
        self.methods.iter().map(|method| method.blocks)
    }

    /// The class with entry probes and block probes.
    ///
    /// On an error no id has been used.
    pub fn write(mut self, slots: &Slots<'_>) -> Result<Vec<u8>> {
        let last = usize::from(slots.first) + self.n_units;
        if last > usize::from(Slots::LAST) + 1 {
            let message = format!("the last id would be {}, over {}", last - 1, Slots::LAST);
            return Err(Error::too_large(message));
        }
        let field = add_constants(&mut self.class, slots.holder)?;
        let mut id = slots.first + self.n_entries as u16;
        for method in &self.methods {
            let position = usize::from(method.blocks.method);
            let Some(code) = self.class.methods[position].code_mut() else {
                continue;
            };
            let instructions = code.instructions.to_mut();
            for place in &method.places {
                let place = *place as usize;
                instructions[place..place + ROOM.len()].copy_from_slice(&entry::probe(field, id));
                id += 1;
            }
        }
        let bytes = self.class.encode()?;
        Ok(EntryPlan::scan(&bytes)?.write(slots)?.bytes)
    }
}

/// Moves the code of a method so that there is room for a probe in front of each block but the first;
/// gives the places. Nothing where there is no such block or no such method.
fn make_room(class: &mut ClassFile<'_>, position: usize) -> Result<Option<Vec<u32>>> {
    let Some(starts) = block_starts(class, position)? else {
        return Ok(None);
    };
    let insertions: Vec<_> = starts
        .iter()
        .map(|start| Insertion::new(*start, Runs::Always, &ROOM))
        .collect();
    let mut places = Vec::with_capacity(starts.len());
    let old_length = class.methods[position]
        .code()
        .map_or(0, |code| code.instructions.len());
    relocate_method(class, position, &insertions, |code, layout| {
        for start in &starts {
            places.extend(layout.insertions(*start));
        }
        check_length(old_length, code.instructions.len())?;
        // Whatever is on the stack where a block begins, the probe comes on top of it.
        let max_stack = code.max_stack.checked_add(entry::MAX_STACK);
        code.max_stack = max_stack.ok_or_else(|| Error::too_large("the operand stack"))?;
        Ok(())
    })?;
    Ok(Some(places))
}

/// Where the blocks but the first begin.
fn block_starts(class: &ClassFile<'_>, position: usize) -> Result<Option<Vec<u32>>> {
    let method = &class.methods[position];
    let Some(code) = method.code().filter(|_| !is_initialiser(class, method)) else {
        return Ok(None);
    };
    let graph = FlowGraph::of(code, &class.constant_pool)?;
    let starts: Vec<u32> = graph.blocks.iter().skip(1).map(|b| b.start).collect();
    Ok((!starts.is_empty()).then_some(starts))
}

fn is_initialiser(class: &ClassFile<'_>, method: &Method<'_>) -> bool {
    let name = class.constant_pool.utf8(method.name).unwrap_or_default();
    name.starts_with(b"<")
}

fn check_length(old: usize, new: usize) -> Result<()> {
    let limit = if old <= LONGEST_COMPILED {
        LONGEST_COMPILED
    } else {
        MAX_CODE_LENGTH
    };
    // The entry probe comes in front.
    let probed = new + ROOM.len();
    if probed > limit {
        return Err(Error::too_large(format!(
            "the code would have {probed} bytes"
        )));
    }
    Ok(())
}

/// Appends what the probes name; gives the index of the field.
fn add_constants(class: &mut ClassFile<'_>, holder: &str) -> Result<u16> {
    let pool = &mut class.constant_pool;
    let holder = push_class(pool, holder)?;
    let (name, descriptor) = (push_utf8(pool, "C")?, push_utf8(pool, "[B")?);
    let name_and_type = pool.push(Constant::NameAndType { name, descriptor })?;
    pool.push(Constant::FieldRef(MemberIndex {
        class: holder,
        name_and_type,
    }))
}
