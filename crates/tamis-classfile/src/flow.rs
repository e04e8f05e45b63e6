//! The flow graph of a method: its basic blocks, numbered once for everybody.
//!
//! Probes, checksums and the comparison of two bodies all take their block numbers from here, so
//! that numbers cannot drift apart. A block begins where control can arrive from elsewhere and
//! where the set of handlers changes; blocks are numbered in the order of the code.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::vec;

use crate::attribute::{Code, ExceptionHandler};
use crate::constant_pool::ConstantPool;
use crate::error::{Error, Result};
use crate::instruction::{Instruction, Operands, instructions};

/// The blocks of a method; block 0 is where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowGraph<'p> {
    /// The blocks in the order of the code.
    pub blocks: Vec<Block<'p>>,
}

/// Instructions that run one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'p> {
    /// The offset of the first instruction.
    pub start: u32,
    /// The offset after the last instruction.
    pub end: u32,
    /// Where control can go from here: branches first, handlers in the order of the table after.
    pub edges: Vec<Edge<'p>>,
}

/// A way from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<'p> {
    /// What makes control go this way.
    pub label: EdgeLabel<'p>,
    /// The number of the block it goes to.
    pub target: u32,
}

/// What makes control go one way rather than another (SPEC 3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeLabel<'p> {
    /// Nothing does: it is the next instruction.
    FallThrough,
    /// A branch is taken.
    Taken,
    /// A switch finds this value.
    Case(i32),
    /// A switch finds no value.
    Default,
    /// An exception is caught.
    Caught {
        /// The position among the handlers of the block.
        position: u16,
        /// The class caught; none catches everything.
        class: Option<&'p [u8]>,
    },
}

/// Exception edges are blocks times handlers: a class made to hurt has billions of them, the
/// densest method seen in 100,000 real classes a few thousand.
const MAX_EXCEPTION_EDGES: usize = 1 << 20;

impl<'p> FlowGraph<'p> {
    /// Finds the blocks of a method; subroutines (`jsr`, `ret`) are refused by name.
    pub fn of(code: &Code<'_>, pool: &'p ConstantPool<'_>) -> Result<Self> {
        let leaders = Leaders::find(code)?;
        let mut blocks = leaders.blocks();
        let block_at = |offset: u32| leaders.number[offset as usize];
        let mut current = 0;
        for instruction in instructions(&code.instructions) {
            let instruction = instruction?;
            let block: &mut Block<'p> = &mut blocks[current];
            if instruction.end() < block.end {
                continue;
            }
            let length = code.instructions.len();
            block.edges = edges_of(&instruction, length, &block_at)?;
            current += 1;
        }
        add_exception_edges(&mut blocks, code, pool, &block_at)?;
        Ok(Self { blocks })
    }
}

/// Where blocks begin.
struct Leaders {
    /// By offset: the number of the block that begins there, or [`NONE`].
    number: Vec<u32>,
    n_blocks: u32,
}

const NONE: u32 = u32::MAX;

/// What is known of an offset before blocks are numbered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Offset {
    Inside,
    Instruction,
}

impl Leaders {
    fn find(code: &Code<'_>) -> Result<Self> {
        let bytes = &code.instructions;
        if bytes.is_empty() {
            return Err(Error::malformed(0, "a method has no code"));
        }
        let mut offsets = vec![Offset::Inside; bytes.len()];
        let mut is_leader = vec![false; bytes.len()];
        is_leader[0] = true;
        for instruction in instructions(bytes) {
            let instruction = instruction?;
            offsets[instruction.offset as usize] = Offset::Instruction;
            if instruction.is_subroutine() {
                let message = "the code has subroutines (jsr, ret)";
                return Err(Error::unsupported(instruction.offset as usize, message));
            }
            instruction.targets(bytes.len(), |target| is_leader[target as usize] = true)?;
            if ends_block(&instruction)
                && let Some(next) = is_leader.get_mut(instruction.end() as usize)
            {
                *next = true;
            }
        }
        for handler in code.exception_table.iter() {
            mark_handler(handler, &mut is_leader)?;
        }
        Self::number(&is_leader, &offsets)
    }

    fn number(is_leader: &[bool], offsets: &[Offset]) -> Result<Self> {
        let mut number = vec![NONE; is_leader.len()];
        let mut n_blocks = 0;
        for (offset, _) in is_leader
            .iter()
            .enumerate()
            .filter(|(_, is_leader)| **is_leader)
        {
            if offsets[offset] == Offset::Inside {
                let message = "control goes into the middle of an instruction of the code";
                return Err(Error::malformed(offset, message));
            }
            number[offset] = n_blocks;
            n_blocks += 1;
        }
        Ok(Self { number, n_blocks })
    }

    /// The blocks, without edges.
    fn blocks<'p>(&self) -> Vec<Block<'p>> {
        let mut blocks: Vec<Block<'p>> = Vec::with_capacity(self.n_blocks as usize);
        for (offset, number) in (0..).zip(&self.number) {
            if *number != NONE {
                if let Some(previous) = blocks.last_mut() {
                    previous.end = offset;
                }
                let end = self.number.len() as u32;
                blocks.push(Block {
                    start: offset,
                    end,
                    edges: Vec::new(),
                });
            }
        }
        blocks
    }
}

fn ends_block(instruction: &Instruction<'_>) -> bool {
    instruction.is_unconditional() || matches!(instruction.operands, Operands::Branch(_))
}

fn mark_handler(handler: ExceptionHandler, is_leader: &mut [bool]) -> Result<()> {
    let code_length = is_leader.len();
    let mut mark = |offset: u16| match is_leader.get_mut(usize::from(offset)) {
        Some(leader) => {
            *leader = true;
            Ok(())
        }
        None => Err(Error::malformed(
            usize::from(offset),
            "the exception table leaves the code",
        )),
    };
    mark(handler.start)?;
    mark(handler.handler)?;
    // What is covered up to the end of the code ends with it.
    if usize::from(handler.end) == code_length {
        Ok(())
    } else {
        mark(handler.end)
    }
}

/// The edges that the last instruction of a block makes.
fn edges_of<'p>(
    last: &Instruction<'_>,
    code_length: usize,
    block_at: &impl Fn(u32) -> u32,
) -> Result<Vec<Edge<'p>>> {
    let edge = |label, offset| Edge {
        label,
        target: block_at(offset),
    };
    let mut edges = Vec::new();
    match last.operands {
        Operands::Branch(target) => edges.push(edge(EdgeLabel::Taken, target)),
        Operands::Switch(switch) => {
            edges.push(edge(
                EdgeLabel::Default,
                switch.default_target(code_length)?,
            ));
            for case in switch.cases(code_length) {
                let (value, target) = case?;
                edges.push(edge(EdgeLabel::Case(value), target));
            }
        }
        _ => {}
    }
    if !last.is_unconditional() {
        if last.end() as usize >= code_length {
            return Err(Error::malformed(
                last.offset as usize,
                "control runs off the code",
            ));
        }
        edges.push(edge(EdgeLabel::FallThrough, last.end()));
    }
    Ok(edges)
}

/// Adds the edges to handlers: a sweep over the code with the set of handlers that cover it.
fn add_exception_edges<'p>(
    blocks: &mut [Block<'p>],
    code: &Code<'_>,
    pool: &'p ConstantPool<'_>,
    block_at: &impl Fn(u32) -> u32,
) -> Result<()> {
    let handlers: Vec<_> = code
        .exception_table
        .iter()
        .filter(|h| h.start < h.end)
        .collect();
    let mut starting = in_order_of(&handlers, |handler| handler.start);
    let mut ending = in_order_of(&handlers, |handler| handler.end);
    let mut active = BTreeSet::new();
    let mut n_edges = 0;
    for block in blocks {
        let start = block.start;
        while let Some(position) = starting.next_if(|p| u32::from(handlers[*p].start) <= start) {
            active.insert(position);
        }
        while let Some(position) = ending.next_if(|p| u32::from(handlers[*p].end) <= start) {
            active.remove(&position);
        }
        for (position, handler) in (0..).zip(active.iter().map(|p| &handlers[*p])) {
            let class = match handler.catch_type {
                0 => None,
                index => Some(pool.class(index)?),
            };
            let label = EdgeLabel::Caught { position, class };
            block.edges.push(Edge {
                label,
                target: block_at(u32::from(handler.handler)),
            });
            n_edges += 1;
            // Whatever stands behind a handler of everything is never asked.
            if class.is_none() {
                break;
            }
        }
        if n_edges > MAX_EXCEPTION_EDGES {
            let message = "the exception table has too many handlers for too many blocks";
            return Err(Error::unsupported(start as usize, message));
        }
    }
    Ok(())
}

/// The positions of the handlers, sorted by one of their offsets.
fn in_order_of(
    handlers: &[ExceptionHandler],
    offset: impl Fn(&ExceptionHandler) -> u16,
) -> Peekable<vec::IntoIter<usize>> {
    let mut positions: Vec<usize> = (0..handlers.len()).collect();
    positions.sort_by_key(|position| offset(&handlers[*position]));
    positions.into_iter().peekable()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::constant_pool::Constant;
    use crate::table::Table;

    fn code(instructions: &[u8], handlers: &[ExceptionHandler]) -> Code<'static> {
        Code {
            max_stack: 9,
            max_locals: 9,
            instructions: Cow::Owned(instructions.to_vec()),
            exception_table: handlers.iter().copied().collect::<Table<'_, _>>(),
            attributes: Vec::new(),
        }
    }

    /// `start..end label->target, …` per block.
    fn shown(graph: &FlowGraph<'_>) -> String {
        let show_label = |label: &EdgeLabel<'_>| match label {
            EdgeLabel::FallThrough => "next".to_owned(),
            EdgeLabel::Taken => "taken".to_owned(),
            EdgeLabel::Case(value) => format!("case {value}"),
            EdgeLabel::Default => "default".to_owned(),
            EdgeLabel::Caught { position, class } => match class {
                Some(class) => format!("catch {position} {}", String::from_utf8_lossy(class)),
                None => format!("catch {position} all"),
            },
        };
        let show_block = |block: &Block<'_>| {
            let edges: Vec<_> = block
                .edges
                .iter()
                .map(|e| format!("{}->{}", show_label(&e.label), e.target))
                .collect();
            format!("{}..{} {}\n", block.start, block.end, edges.join(", "))
        };
        graph.blocks.iter().map(show_block).collect()
    }

    fn check(instructions: &[u8], handlers: &[ExceptionHandler], expected: &str) {
        let pool = pool();
        let shown = match FlowGraph::of(&code(instructions, handlers), &pool) {
            Ok(graph) => shown(&graph),
            Err(error) => format!("{error}\n"),
        };
        assert_eq!(shown, expected);
    }

    /// A pool with `Class E` at index 2.
    fn pool() -> ConstantPool<'static> {
        let mut bytes = vec![0, 3, 1, 0, 1, b'E'];
        bytes.extend([7, 0, 1]);
        let pool = ConstantPool::parse(&mut crate::cursor::Cursor::new(&bytes)).unwrap();
        assert_eq!(pool.get(2).unwrap(), &Constant::Class(1));
        pool.into_owned()
    }

    fn handler(start: u16, end: u16, handler: u16, catch_type: u16) -> ExceptionHandler {
        ExceptionHandler {
            start,
            end,
            handler,
            catch_type,
        }
    }

    #[test]
    fn a_straight_line_is_one_block() {
        check(&[3, 172], &[], "0..2 \n");
    }

    #[test]
    fn a_branch_ends_a_block_and_its_target_begins_one() {
        // iload_0; ifeq 6; iconst_1; ireturn; iconst_0; ireturn
        check(
            &[26, 153, 0, 5, 4, 172, 3, 172],
            &[],
            "0..4 taken->2, next->1\n4..6 \n6..8 \n",
        );
    }

    #[test]
    fn a_loop_goes_back_to_its_head() {
        // nop; goto 0
        check(&[0, 167, 255, 255], &[], "0..4 taken->0\n");
    }

    #[test]
    fn a_switch_has_an_edge_per_value() {
        // iload_0; lookupswitch {7: 20, default: 21}; return; return
        let mut bytes = vec![26, 171, 0, 0];
        for number in [20, 1, 7, 19] {
            bytes.extend(i32::to_be_bytes(number));
        }
        bytes.extend([177, 177]);
        check(
            &bytes,
            &[],
            "0..20 default->2, case 7->1\n20..21 \n21..22 \n",
        );
    }

    #[test]
    fn handlers_split_blocks_and_keep_the_order_of_the_table() {
        // nop; nop; return; athrow
        check(
            &[0, 0, 177, 191],
            &[handler(1, 2, 3, 2), handler(0, 3, 3, 0)],
            "0..1 next->1, catch 0 all->3\n\
             1..2 next->2, catch 0 E->3, catch 1 all->3\n\
             2..3 catch 0 all->3\n\
             3..4 \n",
        );
    }

    #[test]
    fn behind_a_handler_of_everything_nothing_is_asked() {
        check(
            &[177, 191],
            &[handler(0, 1, 1, 0), handler(0, 1, 1, 2)],
            "0..1 catch 0 all->1\n1..2 \n",
        );
    }

    #[test]
    fn subroutines_are_refused() {
        check(
            &[168, 0, 3, 177],
            &[],
            "the code has subroutines (jsr, ret) (at byte 0)\n",
        );
    }

    #[test]
    fn control_must_not_run_off_the_code() {
        check(&[0], &[], "control runs off the code (at byte 0)\n");
    }

    #[test]
    fn control_must_not_go_into_an_instruction() {
        check(
            &[167, 0, 1],
            &[],
            "control goes into the middle of an instruction of the code (at byte 1)\n",
        );
    }

    #[test]
    fn a_dense_exception_table_is_refused_not_followed() {
        let nops = [vec![0; 3000], vec![177]].concat();
        let handlers: Vec<_> = (0..1500).map(|n| handler(n, 3000 - n, 3000, 2)).collect();
        check(
            &nops,
            &handlers,
            "the exception table has too many handlers for too many blocks (at byte 1447)\n",
        );
    }
}
