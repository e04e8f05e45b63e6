//! Code before and after insertions, as listings.

use std::fmt::Write as _;

use super::*;
use crate::attribute::{
    Annotation, Attribute, AttributeContent, ExceptionHandler, LineNumber, LocalRange,
    LocalVariable, StackMapFrame, Target, TypeAnnotation, VerificationType,
};
use crate::constant_pool::Constant;
use crate::cursor::Cursor;
use crate::instruction::{Operands, instructions, opcode};

const NOP: u8 = opcode::NOP;
const RETURN: u8 = opcode::RETURN;
const ICONST_0: u8 = 3;
const POP: u8 = 87;

/// A static method `f(int, long)` of a class `A` with this code and nothing else.
fn code(instructions: &[u8]) -> Code<'static> {
    Code {
        max_stack: 1,
        max_locals: 3,
        instructions: Cow::Owned(instructions.to_vec()),
        exception_table: std::iter::empty().collect(),
        attributes: Vec::new(),
    }
}

fn with(mut code: Code<'static>, content: AttributeContent<'static>) -> Code<'static> {
    code.attributes.push(Attribute { name: 1, content });
    code
}

fn with_frames(code: Code<'static>, frames: &[(u16, FrameKind)]) -> Code<'static> {
    let frame = |(offset_delta, kind): &(u16, FrameKind)| StackMapFrame {
        offset_delta: *offset_delta,
        kind: kind.clone(),
    };
    with(
        code,
        AttributeContent::StackMapTable(frames.iter().map(frame).collect()),
    )
}

fn with_handler(mut code: Code<'static>, start: u16, end: u16, handler: u16) -> Code<'static> {
    code.exception_table.push(&ExceptionHandler {
        start,
        end,
        handler,
        catch_type: 0,
    });
    code
}

fn relocated(code: &Code<'static>, version: u16, insertions: &[Insertion<'_>]) -> String {
    let mut pool = ConstantPool::parse(&mut Cursor::new(&[0, 1])).unwrap();
    let name = pool.push(Constant::Utf8(b"A".into())).unwrap();
    let this_class = pool.push(Constant::Class(name)).unwrap();
    let name = pool.push(Constant::Utf8(b"f".into())).unwrap();
    let descriptor = pool.push(Constant::Utf8(b"(IJ)V".into())).unwrap();
    let mut surroundings = Surroundings {
        major_version: version,
        this_class,
        access_flags: AccessFlags::STATIC,
        name,
        descriptor,
        pool: &mut pool,
    };
    match relocate(code, insertions, &mut surroundings) {
        Ok((moved, _)) => listing(&moved),
        Err(error) => format!("{error}\n"),
    }
}

/// Two bytes that can stand anywhere.
const PROBE: &[u8] = &[ICONST_0, POP];

fn always(at: u32) -> Insertion<'static> {
    Insertion::new(at, Runs::Always, PROBE)
}

fn on_fall_through(at: u32) -> Insertion<'static> {
    Insertion::new(at, Runs::OnFallThrough, PROBE)
}

/// The code as text, runs of `nop` in one line.
fn listing(code: &Code<'_>) -> String {
    let mut text = String::new();
    let mut n_nops = 0;
    for instruction in instructions(&code.instructions) {
        let instruction = instruction.unwrap();
        if instruction.opcode == NOP {
            n_nops += 1;
            continue;
        }
        if n_nops > 0 {
            writeln!(text, "{} nop x {n_nops}", instruction.offset - n_nops).unwrap();
            n_nops = 0;
        }
        let target = match instruction.operands {
            Operands::Branch(target) => format!(" {target}"),
            Operands::Switch(switch) => {
                let length = code.instructions.len();
                let cases = switch.cases(length).map(Result::unwrap);
                let cases: Vec<_> = cases.map(|(value, to)| format!("{value}: {to}")).collect();
                format!(
                    " {} default: {}",
                    cases.join(", "),
                    switch.default_target(length).unwrap()
                )
            }
            _ => String::new(),
        };
        writeln!(
            text,
            "{} {}{target}",
            instruction.offset,
            mnemonic(instruction.opcode)
        )
        .unwrap();
    }
    for row in code.exception_table.iter() {
        writeln!(text, "catch {}..{} -> {}", row.start, row.end, row.handler).unwrap();
    }
    for attribute in &code.attributes {
        list_attribute(&mut text, &attribute.content);
    }
    text
}

fn mnemonic(code: u8) -> String {
    match code {
        ICONST_0 => "iconst_0".into(),
        POP => "pop".into(),
        RETURN => "return".into(),
        opcode::IFEQ => "ifeq".into(),
        opcode::GOTO => "goto".into(),
        opcode::GOTO_W => "goto_w".into(),
        opcode::TABLESWITCH => "tableswitch".into(),
        opcode::LOOKUPSWITCH => "lookupswitch".into(),
        opcode::NEW => "new".into(),
        opcode::ATHROW => "athrow".into(),
        other => format!("instruction {other}"),
    }
}

fn list_attribute(text: &mut String, content: &AttributeContent<'_>) {
    match content {
        AttributeContent::StackMapTable(frames) => {
            let mut next = 0;
            for frame in frames {
                let at = next + u32::from(frame.offset_delta);
                next = at + 1;
                writeln!(text, "frame {at} {:?}", frame.kind).unwrap();
            }
        }
        AttributeContent::LineNumberTable(table) => {
            let mut show = |row: LineNumber| writeln!(text, "line {}: {}", row.start, row.line);
            table.iter().for_each(|row| show(row).unwrap());
        }
        AttributeContent::LocalVariableTable(table) => {
            for row in table.iter() {
                writeln!(text, "variable {}+{}", row.start, row.length).unwrap();
            }
        }
        AttributeContent::RuntimeVisibleTypeAnnotations(list) => {
            for annotation in list {
                writeln!(text, "annotation {:?}", annotation.target).unwrap();
            }
        }
        other => writeln!(text, "{other:?}").unwrap(),
    }
}

#[test]
fn branches_come_to_inserted_code_or_to_the_instruction() {
    // iconst_0; ifeq 5; nop; return
    let code = code(&[ICONST_0, opcode::IFEQ, 0, 4, NOP, RETURN]);
    let code = with_frames(with_handler(code, 4, 5, 5), &[(5, FrameKind::Same)]);
    insta::assert_snapshot!(relocated(&code, 52, &[always(5)]), @r"
    0 iconst_0
    1 ifeq 5
    4 nop x 1
    5 iconst_0
    6 pop
    7 return
    catch 4..5 -> 5
    frame 5 Same
    ");
    insta::assert_snapshot!(relocated(&code, 52, &[on_fall_through(5)]), @r"
    0 iconst_0
    1 ifeq 7
    4 nop x 1
    5 iconst_0
    6 pop
    7 return
    catch 4..5 -> 7
    frame 7 Same
    ");
}

#[test]
fn what_only_falls_through_comes_first() {
    let code = code(&[RETURN]);
    insta::assert_snapshot!(relocated(&code, 52, &[
        Insertion::new(0, Runs::Always, &[NOP]),
        on_fall_through(0),
    ]), @r"
    0 iconst_0
    1 pop
    2 nop x 1
    3 return
    ");
}

#[test]
fn debug_tables_keep_the_start_of_the_method() {
    // nop; nop; goto 0
    let code = code(&[NOP, NOP, opcode::GOTO, 255, 254]);
    let lines = [
        LineNumber { start: 0, line: 7 },
        LineNumber { start: 1, line: 8 },
    ];
    let code = with(
        code,
        AttributeContent::LineNumberTable(lines.into_iter().collect()),
    );
    let row = |start, length| LocalVariable {
        start,
        length,
        name: 1,
        descriptor: 1,
        slot: 0,
    };
    // The last begins inside the goto: no JVM minds.
    let variables = [row(0, 0), row(0, 5), row(1, 4), row(3, 2)];
    let code = with(
        code,
        AttributeContent::LocalVariableTable(variables.into_iter().collect()),
    );
    insta::assert_snapshot!(relocated(&code, 52, &[on_fall_through(0), always(2)]), @r"
    0 iconst_0
    1 pop
    2 nop x 2
    4 iconst_0
    5 pop
    6 goto 2
    line 0: 7
    line 3: 8
    variable 0+2
    variable 0+9
    variable 3+6
    variable 9+0
    ");
}

#[test]
fn type_annotations_follow_their_instruction() {
    let annotation = |target| TypeAnnotation {
        target,
        path: Vec::new(),
        annotation: Annotation {
            type_descriptor: 1,
            elements: Vec::new(),
        },
    };
    let range = |start, length| LocalRange {
        start,
        length,
        slot: 0,
    };
    let ranges = vec![range(0, 2), range(1, 1), range(1, 99)];
    let list = vec![
        annotation(Target::LocalVariable { kind: 0x40, ranges }),
        annotation(Target::Instruction {
            kind: 0x44,
            offset: 1,
        }),
        annotation(Target::TypeArgument {
            kind: 0x47,
            offset: 77,
            argument: 0,
        }),
        annotation(Target::Catch(5)),
    ];
    let code = with(
        code(&[NOP, RETURN]),
        AttributeContent::RuntimeVisibleTypeAnnotations(list),
    );
    insta::assert_snapshot!(relocated(&code, 52, &[on_fall_through(0), always(1)]), @r"
    0 iconst_0
    1 pop
    2 nop x 1
    3 iconst_0
    4 pop
    5 return
    annotation LocalVariable { kind: 64, ranges: [LocalRange { start: 0, length: 6, slot: 0 }, LocalRange { start: 3, length: 3, slot: 0 }, LocalRange { start: 65535, length: 0, slot: 0 }] }
    annotation Instruction { kind: 68, offset: 5 }
    annotation TypeArgument { kind: 71, offset: 65535, argument: 0 }
    annotation Catch(65535)
    ");
}

#[test]
fn switches_are_padded_anew() {
    let mut bytes = vec![ICONST_0, opcode::LOOKUPSWITCH, 0, 0];
    for number in [21, 1, 7, 20] {
        bytes.extend(i32::to_be_bytes(number));
    }
    bytes.extend([ICONST_0, RETURN, RETURN]);
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &[on_fall_through(0), always(21)]), @r"
    0 iconst_0
    1 pop
    2 iconst_0
    3 lookupswitch 7: 21 default: 24
    20 iconst_0
    21 iconst_0
    22 pop
    23 return
    24 return
    ");
    let mut bytes = vec![ICONST_0, opcode::TABLESWITCH, 0, 0];
    for number in [23, -1, 0, 24, 23] {
        bytes.extend(i32::to_be_bytes(number));
    }
    bytes.extend([RETURN, RETURN]);
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &[always(0), always(24)]), @r"
    0 iconst_0
    1 pop
    2 iconst_0
    3 tableswitch -1: 27, 0: 24 default: 24
    24 iconst_0
    25 pop
    26 return
    27 return
    ");
}

#[test]
fn new_objects_are_named_by_the_instruction_itself() {
    // new #2; goto 6; return
    let code = code(&[opcode::NEW, 0, 2, opcode::GOTO, 0, 3, RETURN]);
    let stack = VerificationType::Uninitialized(0);
    let code = with_frames(code, &[(6, FrameKind::SameLocals1(stack))]);
    insta::assert_snapshot!(relocated(&code, 52, &[always(0)]), @r"
    0 iconst_0
    1 pop
    2 new
    5 goto 8
    8 return
    frame 8 SameLocals1(Uninitialized(2))
    ");
}

#[test]
fn frames_take_the_form_that_their_distance_needs() {
    let mut bytes = vec![opcode::GOTO, 0, 63];
    bytes.resize(63, NOP);
    bytes.push(RETURN);
    let same = with_frames(code(&bytes), &[(63, FrameKind::Same)]);
    insta::assert_snapshot!(relocated(&same, 52, &[on_fall_through(0)]), @r"
    0 iconst_0
    1 pop
    2 goto 65
    5 nop x 60
    65 return
    frame 65 SameExtended
    ");
    let one = FrameKind::SameLocals1Extended(VerificationType::Integer);
    let one = with_frames(code(&bytes), &[(63, one)]);
    insta::assert_snapshot!(relocated(&one, 52, &[]), @r"
    0 goto 63
    3 nop x 60
    63 return
    frame 63 SameLocals1(Integer)
    ");
}

#[test]
fn new_frames_stand_among_the_old_ones_and_count_from_version_50_on() {
    let bytes = [NOP, opcode::GOTO, 255, 255, RETURN];
    let mut handler = Insertion::new(5, Runs::Always, &[opcode::ATHROW]);
    let exception = vec![VerificationType::Null];
    handler.frames.push((
        0,
        FrameKind::Full {
            locals: Vec::new(),
            stack: exception,
        },
    ));
    let mut prologue = on_fall_through(0);
    prologue.frames.push((2, FrameKind::Same));
    let insertions = [prologue, handler];
    insta::assert_snapshot!(relocated(&code(&bytes), 52, &insertions), @r"
    0 iconst_0
    1 pop
    2 nop x 1
    3 goto 2
    6 return
    7 athrow
    frame 2 Same
    frame 7 Full { locals: [], stack: [Null] }
    ");
    // There is one at 0 already.
    let append = FrameKind::Append(vec![VerificationType::Null]);
    let framed = with_frames(code(&bytes), &[(0, append), (3, FrameKind::Chop(1))]);
    insta::assert_snapshot!(relocated(&framed, 52, &insertions), @r"
    0 iconst_0
    1 pop
    2 nop x 1
    3 goto 2
    6 return
    7 athrow
    frame 2 Append([Null])
    frame 6 Chop(1)
    frame 7 Full { locals: [], stack: [Null] }
    ");
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &insertions), @r"
    0 iconst_0
    1 pop
    2 nop x 1
    3 goto 2
    6 return
    7 athrow
    ");
}

/// `iconst_0; ifeq (behind n nops)`, n nops of which the first `shelter` end with a `goto 0`, return.
fn far_branch(n_nops: u16, shelter: usize) -> Vec<u8> {
    let [high, low] = (3 + n_nops).to_be_bytes();
    let mut bytes = vec![ICONST_0, opcode::IFEQ, high, low];
    bytes.resize(4 + usize::from(n_nops), NOP);
    let back = (shelter as u16 + 4).wrapping_neg().to_be_bytes();
    bytes[4 + shelter..7 + shelter].copy_from_slice(&[opcode::GOTO, back[0], back[1]]);
    bytes.push(RETURN);
    bytes
}

/// The most that a branch of three bytes can jump over.
const MOST: u16 = 32764;

#[test]
fn a_goto_becomes_longer() {
    let mut bytes = vec![opcode::GOTO, 0x7f, 0xff];
    bytes.resize(32767, NOP);
    bytes.push(RETURN);
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &[always(9)]), @r"
    0 goto_w 32771
    5 nop x 6
    11 iconst_0
    12 pop
    13 nop x 32758
    32771 return
    ");
}

#[test]
fn a_conditional_branch_goes_over_a_trampoline() {
    let bytes = far_branch(MOST, 10);
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &[always(20)]), @r"
    0 iconst_0
    1 ifeq 17
    4 nop x 10
    14 goto 0
    17 goto_w 32775
    22 nop x 3
    25 iconst_0
    26 pop
    27 nop x 32748
    32775 return
    ");
}

#[test]
fn a_trampoline_has_the_frame_of_its_target_and_the_next_frame_is_full() {
    let append = FrameKind::Append(vec![VerificationType::Null]);
    let frames = [
        (0, append),
        (16, FrameKind::Same),
        (MOST - 14, FrameKind::Chop(1)),
    ];
    let code = with_frames(code(&far_branch(MOST, 10)), &frames);
    insta::assert_snapshot!(relocated(&code, 52, &[always(20)]), @r"
    0 iconst_0
    1 ifeq 17
    4 nop x 10
    14 goto 0
    17 goto_w 32775
    22 nop x 3
    25 iconst_0
    26 pop
    27 nop x 32748
    32775 return
    frame 0 Append([Null])
    frame 17 Full { locals: [Integer, Long], stack: [] }
    frame 22 Full { locals: [Integer, Long, Null], stack: [] }
    frame 32775 Chop(1)
    ");
}

#[test]
fn a_trampoline_without_a_frame_at_its_target_is_refused() {
    let code = code(&far_branch(MOST, 10));
    insta::assert_snapshot!(relocated(&code, 52, &[always(20)]), @"the target of a branch of the code has no stack map frame (at byte 32768)");
}

#[test]
fn exception_ranges_are_cut_around_trampolines() {
    let code = with_handler(code(&far_branch(MOST, 10)), 0, 30, 40);
    let code = with_handler(with_handler(code, 0, 17, 40), 17, 30, 40);
    let annotation = |row| TypeAnnotation {
        target: Target::Catch(row),
        path: Vec::new(),
        annotation: Annotation {
            type_descriptor: 1,
            elements: Vec::new(),
        },
    };
    let list = (0..3).map(annotation).collect();
    let code = with(code, AttributeContent::RuntimeVisibleTypeAnnotations(list));
    insta::assert_snapshot!(relocated(&code, 49, &[always(20)]), @r"
    0 iconst_0
    1 ifeq 17
    4 nop x 10
    14 goto 0
    17 goto_w 32775
    22 nop x 3
    25 iconst_0
    26 pop
    27 nop x 32748
    32775 return
    catch 0..17 -> 47
    catch 22..37 -> 47
    catch 0..17 -> 47
    catch 22..37 -> 47
    annotation Catch(0)
    annotation Catch(2)
    annotation Catch(3)
    ");
}

#[test]
fn a_branch_without_room_is_refused() {
    let mut bytes = far_branch(MOST, 10);
    bytes[14..17].fill(NOP);
    bytes.pop();
    // The target and all that follows is out of reach, and control falls through all before.
    bytes.extend([NOP; 9]);
    bytes.push(RETURN);
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &[always(20)]), @"a branch of the code has no room for a longer way (at byte 1)");
}

#[test]
fn code_that_would_be_too_long_is_refused() {
    let mut bytes = vec![NOP; 65533];
    bytes.push(RETURN);
    insta::assert_snapshot!(relocated(&code(&bytes), 49, &[always(0)]), @"the code would have 65536 bytes");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |bytes: &[u8]| relocated(&code(bytes), 52, &[]);
    insta::assert_snapshot!(refused(&[]), @"a method has 0 bytes of code");
    insta::assert_snapshot!(refused(&[opcode::JSR, 0, 3, RETURN]), @"the code has subroutines (jsr, ret) (at byte 0)");
    insta::assert_snapshot!(refused(&[opcode::GOTO, 0, 1]), @"control goes into the middle of an instruction of the code (at byte 1)");
    let bytes = [opcode::GOTO, 0, 3, RETURN];
    insta::assert_snapshot!(relocated(&code(&bytes), 52, &[always(1)]), @"no instruction of the code stands where one is to be put in front (at byte 1)");
    let handler = with_handler(code(&bytes), 0, 5, 3);
    insta::assert_snapshot!(relocated(&handler, 52, &[]), @"the exception table leaves the code");
    let frames = with_frames(code(&bytes), &[(2, FrameKind::Same)]);
    insta::assert_snapshot!(relocated(&frames, 52, &[]), @"a stack map frame stands at no instruction of the code (at byte 2)");
    let value = VerificationType::Uninitialized(4);
    let frames = with_frames(code(&bytes), &[(3, FrameKind::SameLocals1(value))]);
    insta::assert_snapshot!(relocated(&frames, 52, &[]), @"a stack map frame names no instruction of the code (at byte 4)");
    let twice = with_frames(with_frames(code(&bytes), &[]), &[]);
    insta::assert_snapshot!(relocated(&twice, 52, &[]), @"a method has two StackMapTable attributes");
    let lines = [LineNumber { start: 5, line: 1 }];
    let lines = with(
        code(&bytes),
        AttributeContent::LineNumberTable(lines.into_iter().collect()),
    );
    insta::assert_snapshot!(relocated(&lines, 52, &[]), @"LineNumberTable leaves the code");
}
