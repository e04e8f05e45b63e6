//! Methods whose bodies are made at random and changed at random, with records that know which blocks ran: by blocks no more is
//! broken than by the coarser meshes, and whoever gets another result runs by each of them.
//!
//! A small machine runs the code before and after the change. What it went through before is what a record knows; it is
//! no part of Tamis.

use std::collections::BTreeSet;

use tamis_classfile::checksum::DebugInfo;
use tamis_engine::World;
use tamis_facts::{ClassName, Fact, Mesh, MethodId, Subject};
use tamis_select::ClassState;

use crate::class_bytes::{OBJECT, PUBLIC, Pool, STATIC, SUPER, assemble};
use crate::random::Random;
use crate::{Kept, class_initialiser, in_world, true_records, value_of};

const SEED: u64 = 20_261_118;

/// So many classes lie side by side on one class path, and so many records know something of each.
const AT_ONCE: usize = 100;
const N_RECORDS: usize = 10;
const N_ROUNDS: usize = 20;

/// From coarse to fine.
const MESHES: &[Mesh] = &[Mesh::File, Mesh::Method, Mesh::Dispatch, Mesh::Block];

/// The methods of each class: `static int`, of an `int`.
const METHODS: [&str; 2] = ["m", "n"];
const DESCRIPTOR: &str = "(I)I";

/// What a method is called with, and constants of its code: few, so that they meet.
const N_NUMBERS: usize = 6;

/// How deep bodies are, and how much deeper one gets when it changes.
const DEPTH: usize = 4;
const CHANGED_DEPTH: usize = 2;

#[test]
fn by_blocks_no_more_is_broken_and_no_changed_result_is_missed() {
    let mut random = Random::for_bytes(SEED, b"bodies");
    let mut n_broken = [0; MESHES.len()];
    let mut n_changed = 0;
    for round in 0..N_ROUNDS {
        let before: Vec<Class> = (0..AT_ONCE)
            .map(|number| Class::random(format!("p/R{round}N{number}"), &mut random))
            .collect();
        let after = before.iter().map(|class| class.changed(&mut random));
        let after: Vec<Class> = after.collect();
        let calls = before.iter().flat_map(|class| [class; N_RECORDS]);
        let calls: Vec<Vec<Call>> = calls.map(|_| Call::some(&mut random)).collect();
        let records = in_world(&files(&before), |world| {
            let records = calls.iter().enumerate().map(|(position, calls)| {
                record(&before[position / N_RECORDS], calls, &mut random, world)
            });
            records.collect::<Vec<Vec<Fact>>>()
        });
        let kept = Kept::of(before.iter().map(Class::bytes));
        let is_true = in_world(&files(&after), |world| {
            true_records(&records, &kept, world, MESHES)
        });
        for (position, calls) in calls.iter().enumerate() {
            let is_broken: Vec<bool> = is_true.iter().map(|by_mesh| !by_mesh[position]).collect();
            let [old, new] = [&before, &after].map(|classes| &classes[position / N_RECORDS]);
            let is_changed = calls
                .iter()
                .any(|call| old.result(call) != new.result(call));
            let is_right = is_broken.is_sorted_by(|coarse, fine| coarse >= fine)
                && (!is_changed || is_broken.iter().all(|is_broken| *is_broken));
            assert!(
                is_right,
                "{is_broken:?}, {calls:?}: {old:#?}, then {new:#?}"
            );
            n_changed += usize::from(is_changed);
            for (n_broken, is_broken) in n_broken.iter_mut().zip(is_broken) {
                *n_broken += usize::from(is_broken);
            }
        }
    }
    let n_records = N_ROUNDS * AT_ONCE * N_RECORDS;
    println!("{n_records} records, {n_broken:?} broken, {n_changed} with another result");
    // All that changes are bodies, which the two in the middle see alike.
    let [file, method, dispatch, block] = n_broken;
    assert!(file > method && method == dispatch);
    assert!(block < dispatch * 3 / 4 && n_changed < block && n_changed > n_records / 10);
}

/// A class with a body for each method.
#[derive(Debug, Clone)]
struct Class {
    name: String,
    bodies: [Body; 2],
}

/// One call of a method.
#[derive(Debug, Clone, Copy)]
struct Call {
    method: usize,
    argument: i32,
}

/// What a method does with its argument and a sum, which is 0 first. Each arm ends by returning.
#[derive(Debug, Clone)]
enum Body {
    /// Returns the sum and a number.
    Return(i8),
    /// Adds a number.
    Add(i8, Box<Body>),
    /// Adds a number so often.
    Repeat(i8, i8, Box<Body>),
    /// If the argument is less than a number adds one, else another.
    Either(i8, [i8; 2], Box<Body>),
    /// If the argument is less than a number goes one way, else the other.
    Branch(i8, Box<[Body; 2]>),
    /// Goes the way of the argument, by ascending numbers, or else the last.
    Switch(Vec<(i8, Body)>, Box<Body>),
    /// Divides the sum by the argument less a number; goes the other way if that is 0.
    Divide(i8, Box<[Body; 2]>),
}

impl Class {
    fn random(name: String, random: &mut Random) -> Self {
        let bodies = METHODS.map(|_| Body::random(DEPTH, random));
        Self { name, bodies }
    }

    /// The same with another body of one method, seldom of both, or of none.
    fn changed(&self, random: &mut Random) -> Self {
        let changed = random.below(8);
        let mut position = 0;
        let bodies = self.bodies.clone().map(|body| {
            position += 1;
            if changed == position || changed == 3 {
                body.changed(random)
            } else if changed > 3 && position == 1 {
                body.slightly_changed(random)
            } else {
                body
            }
        });
        Self {
            name: self.name.clone(),
            bodies,
        }
    }

    fn code(&self, method: usize) -> Code {
        // istore_1 of 0: the sum.
        let mut code = Code {
            bytes: vec![0x03, 0x3c],
            handlers: Vec::new(),
        };
        self.bodies[method].append_to(&mut code);
        code
    }

    fn result(&self, call: &Call) -> i32 {
        self.code(call.method).run(call.argument).0
    }

    /// Its class file.
    fn bytes(&self) -> Vec<u8> {
        let mut pool = Pool::default();
        let names = [pool.class(&self.name), pool.class(OBJECT)];
        let mut methods = Vec::new();
        for (position, name) in METHODS.iter().enumerate() {
            let info = [PUBLIC | STATIC, pool.utf8(name), pool.utf8(DESCRIPTOR), 1];
            let attribute = pool.utf8("Code");
            let content = self.code(position).attribute();
            let length = u32::try_from(content.len()).unwrap();
            let mut method = info.map(u16::to_be_bytes).concat();
            method.extend(attribute.to_be_bytes());
            method.extend(length.to_be_bytes());
            method.extend(content);
            methods.push(method);
        }
        assemble(&pool, PUBLIC | SUPER, names, &[], [&[], &methods])
    }
}

impl Call {
    /// One or two; seldom none at all.
    fn some(random: &mut Random) -> Vec<Self> {
        let n_calls = [1, 1, 1, 1, 2, 2, 2, 0][random.below(8)];
        let calls = (0..n_calls).map(|_| Self {
            method: random.below(METHODS.len()),
            argument: i32::from(number(random)),
        });
        calls.collect()
    }
}

fn number(random: &mut Random) -> i8 {
    i8::try_from(random.below(N_NUMBERS)).unwrap()
}

impl Body {
    fn random(depth: usize, random: &mut Random) -> Self {
        if depth == 0 {
            return Self::Return(number(random));
        }
        let constant = number(random);
        let kind = random.below(8);
        let mut next = || Self::random(depth - 1, random);
        match kind {
            0 => Self::Return(constant),
            1 => Self::Add(constant, Box::new(next())),
            2 => Self::Repeat(3, constant, Box::new(next())),
            3 => Self::Either(constant, [1, 2], Box::new(next())),
            4 | 5 => Self::Branch(constant, Box::new([next(), next()])),
            6 => {
                let cases = vec![(0, next()), (constant.max(1), next())];
                Self::Switch(cases, Box::new(next()))
            }
            _ => Self::Divide(constant, Box::new([next(), next()])),
        }
    }

    /// Another one in the place of this, or of one that it leads to.
    fn changed(self, random: &mut Random) -> Self {
        if random.below(4) == 0 {
            return match random.below(3) {
                0 => Self::random(CHANGED_DEPTH, random),
                1 => Self::Add(1, Box::new(self)),
                _ => Self::Branch(number(random), Box::new([self.clone(), self])),
            };
        }
        self.with_one(random, Self::changed)
    }

    /// Another number at the end of one way.
    fn slightly_changed(self, random: &mut Random) -> Self {
        match self {
            Self::Return(constant) => Self::Return(constant + 1),
            other => other.with_one(random, Self::slightly_changed),
        }
    }

    /// The same with one of those that it leads to changed; itself if it leads nowhere.
    fn with_one(self, random: &mut Random, change: fn(Self, &mut Random) -> Self) -> Self {
        let mut one = |[mut first, mut second]: [Self; 2]| {
            let chosen = if random.below(2) == 0 {
                &mut first
            } else {
                &mut second
            };
            *chosen = change(chosen.clone(), random);
            Box::new([first, second])
        };
        match self {
            Self::Return(_) => self,
            Self::Branch(constant, ways) => Self::Branch(constant, one(*ways)),
            Self::Divide(constant, ways) => Self::Divide(constant, one(*ways)),
            Self::Add(constant, next) => Self::Add(constant, Box::new(change(*next, random))),
            Self::Repeat(times, constant, next) => {
                Self::Repeat(times, constant, Box::new(change(*next, random)))
            }
            Self::Either(constant, sums, next) => {
                Self::Either(constant, sums, Box::new(change(*next, random)))
            }
            Self::Switch(mut cases, default) => {
                let position = random.below(cases.len() + 1);
                let Some((_, case)) = cases.get_mut(position) else {
                    return Self::Switch(cases, Box::new(change(*default, random)));
                };
                *case = change(case.clone(), random);
                Self::Switch(cases, default)
            }
        }
    }

    fn append_to(&self, code: &mut Code) {
        match self {
            // iload_1, bipush, iadd, ireturn
            Self::Return(constant) => code.extend(&[0x1b, 0x10, byte(*constant), 0x60, 0xac]),
            Self::Add(constant, next) => {
                code.add_to_sum(*constant);
                next.append_to(code);
            }
            Self::Repeat(times, constant, next) => {
                // bipush, istore_2; iinc 1; iinc 2 by -1, iload_2, ifgt
                code.extend(&[0x10, byte(*times), 0x3d]);
                let again = code.bytes.len();
                code.add_to_sum(*constant);
                code.extend(&[0x84, 2, 0xff, 0x1c]);
                let jump = code.jump(0x9d);
                code.land_at(jump, again);
                next.append_to(code);
            }
            Self::Either(constant, [less, other], next) => {
                let otherwise = code.jump_unless_less(*constant);
                code.add_to_sum(*less);
                let end = code.jump(0xa7);
                code.land(otherwise);
                code.add_to_sum(*other);
                code.land(end);
                next.append_to(code);
            }
            Self::Branch(constant, ways) => {
                let otherwise = code.jump_unless_less(*constant);
                ways[0].append_to(code);
                code.land(otherwise);
                ways[1].append_to(code);
            }
            Self::Switch(cases, default) => append_switch(cases, default, code),
            Self::Divide(constant, ways) => {
                let start = code.bytes.len();
                // iload_1, iload_0, bipush, isub, idiv, istore_1
                code.extend(&[0x1b, 0x1a, 0x10, byte(*constant), 0x64, 0x6c, 0x3c]);
                let end = code.bytes.len();
                ways[0].append_to(code);
                code.handlers.push([start, end, code.bytes.len()]);
                // pop
                code.extend(&[0x57]);
                ways[1].append_to(code);
            }
        }
    }
}

/// `lookupswitch`, with what it leads to behind it.
fn append_switch(cases: &[(i8, Body)], default: &Body, code: &mut Code) {
    code.extend(&[0x1a]);
    let start = code.bytes.len();
    code.extend(&[0xab]);
    while !code.bytes.len().is_multiple_of(4) {
        code.extend(&[0]);
    }
    let mut places = vec![code.bytes.len()];
    code.extend(&[0; 4]);
    code.extend(&u32::try_from(cases.len()).unwrap().to_be_bytes());
    for (number, _) in cases {
        code.extend(&i32::from(*number).to_be_bytes());
        places.push(code.bytes.len());
        code.extend(&[0; 4]);
    }
    let bodies = [default]
        .into_iter()
        .chain(cases.iter().map(|(_, body)| body));
    for (place, body) in places.into_iter().zip(bodies) {
        let distance = u32::try_from(code.bytes.len() - start).unwrap();
        code.bytes[place..place + 4].copy_from_slice(&distance.to_be_bytes());
        body.append_to(code);
    }
}

fn byte(constant: i8) -> u8 {
    constant.cast_unsigned()
}

/// Instructions, and where exceptions go: from, to, handler.
struct Code {
    bytes: Vec<u8>,
    handlers: Vec<[usize; 3]>,
}

impl Code {
    fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    fn add_to_sum(&mut self, constant: i8) {
        self.extend(&[0x84, 1, byte(constant)]);
    }

    /// Jumps if the argument is not less: `iload_0`, `bipush`, `if_icmpge`.
    fn jump_unless_less(&mut self, constant: i8) -> usize {
        self.extend(&[0x1a, 0x10, byte(constant)]);
        self.jump(0xa2)
    }

    /// A jump to where is not known yet.
    fn jump(&mut self, opcode: u8) -> usize {
        self.extend(&[opcode, 0, 0]);
        self.bytes.len() - 3
    }

    fn land(&mut self, jump: usize) {
        self.land_at(jump, self.bytes.len());
    }

    fn land_at(&mut self, jump: usize, target: usize) {
        let distance = target.cast_signed() - jump.cast_signed();
        let distance = i16::try_from(distance).unwrap().to_be_bytes();
        self.bytes[jump + 1..jump + 3].copy_from_slice(&distance);
    }

    fn attribute(&self) -> Vec<u8> {
        let short = |number: usize| u16::try_from(number).unwrap().to_be_bytes();
        let mut content = vec![0, 4, 0, 3];
        content.extend(u32::try_from(self.bytes.len()).unwrap().to_be_bytes());
        content.extend(&self.bytes);
        content.extend(short(self.handlers.len()));
        for [start, end, handler] in &self.handlers {
            content.extend([*start, *end, *handler, 0].map(short).concat());
        }
        content.extend([0, 0]);
        content
    }

    /// What it returns, and where it has been.
    fn run(&self, argument: i32) -> (i32, BTreeSet<usize>) {
        let mut locals = [argument, 0, 0];
        let mut stack: Vec<i32> = Vec::new();
        let mut visited = BTreeSet::new();
        let mut at = 0;
        loop {
            visited.insert(at);
            let operand = |place: usize| i32::from(self.bytes[at + place].cast_signed());
            let mut pop = || stack.pop().unwrap();
            let mut next = at + 1;
            match self.bytes[at] {
                0x03 => stack.push(0),
                0x10 => {
                    stack.push(operand(1));
                    next += 1;
                }
                load @ 0x1a..=0x1c => stack.push(locals[usize::from(load - 0x1a)]),
                store @ 0x3c..=0x3d => locals[usize::from(store - 0x3b)] = pop(),
                0x57 => {}
                0x60 => {
                    let sum = pop() + pop();
                    stack.push(sum);
                }
                0x64 => {
                    let [by, from] = [pop(), pop()];
                    stack.push(from - by);
                }
                0x6c => {
                    let [by, of] = [pop(), pop()];
                    match of.checked_div(by) {
                        Some(quotient) => stack.push(quotient),
                        None => next = self.handler(at),
                    }
                }
                0x84 => {
                    locals[usize::from(self.bytes[at + 1])] += operand(2);
                    next += 2;
                }
                0x9d if pop() > 0 => next = self.target(at),
                0xa2 if pop() <= pop() => next = self.target(at),
                0x9d | 0xa2 => next += 2,
                0xa7 => next = self.target(at),
                0xab => next = self.case(at, pop()),
                0xac => return (pop(), visited),
                unknown => panic!("{unknown:#x} at {at}"),
            }
            at = next;
        }
    }

    fn target(&self, jump: usize) -> usize {
        let distance = i16::from_be_bytes([self.bytes[jump + 1], self.bytes[jump + 2]]);
        jump.checked_add_signed(distance.into()).unwrap()
    }

    fn handler(&self, thrown: usize) -> usize {
        let mut handlers = self.handlers.iter();
        let handler = handlers.find(|[start, end, _]| (*start..*end).contains(&thrown));
        handler.unwrap()[2]
    }

    fn case(&self, switch: usize, number: i32) -> usize {
        let table = (switch + 1).next_multiple_of(4);
        let word = |position: usize| {
            let place = table + 4 * position;
            i32::from_be_bytes(self.bytes[place..place + 4].try_into().unwrap())
        };
        let n_cases = usize::try_from(word(1)).unwrap();
        let case = (0..n_cases).find(|case| word(2 + 2 * case) == number);
        let distance = case.map_or(word(0), |case| word(3 + 2 * case));
        switch + usize::try_from(distance).unwrap()
    }
}

fn files(classes: &[Class]) -> Vec<(String, Vec<u8>)> {
    let files = classes
        .iter()
        .map(|class| (class.name.clone(), class.bytes()));
    files.collect()
}

fn id(method: usize) -> MethodId {
    MethodId {
        name: METHODS[method].into(),
        descriptor: DESCRIPTOR.into(),
    }
}

/// What an entity saw that made these calls; one in four does not know which blocks ran.
fn record(class: &Class, calls: &[Call], random: &mut Random, world: &World<'_>) -> Vec<Fact> {
    let name = || ClassName::from(class.name.as_str());
    let mut subjects = BTreeSet::from([
        Subject::Class(name()),
        Subject::Head(name()),
        Subject::Declaration(name()),
        Subject::Supertypes(name(), vec![OBJECT.into()]),
        Subject::Method(name(), class_initialiser()),
    ]);
    let knows_blocks = random.below(4) != 0;
    for call in calls {
        subjects.insert(Subject::Method(name(), id(call.method)));
        let (_, visited) = class.code(call.method).run(call.argument);
        let starts = block_starts(class, call.method);
        // Methods of one block have no probes of blocks.
        let is_known = knows_blocks && starts.len() > 1;
        let ran = (0..)
            .zip(&starts)
            .filter(|(_, start)| visited.contains(start));
        let ran = ran.filter(|_| is_known);
        subjects.extend(ran.map(|(block, _)| Subject::Block(name(), id(call.method), block)));
    }
    let facts = subjects.into_iter().map(|subject| {
        let value = value_of(&subject, world);
        Fact { subject, value }
    });
    facts.collect()
}

/// Where the blocks of a method begin.
fn block_starts(class: &Class, method: usize) -> Vec<usize> {
    let bytes = class.bytes();
    let state = ClassState::of(&bytes, DebugInfo::Ignored);
    let parts = state.parts.as_ref().unwrap();
    let blocks = parts.blocks(method).unwrap().unwrap();
    let blocks = blocks.graph.blocks.iter();
    blocks.map(|block| block.start as usize).collect()
}
