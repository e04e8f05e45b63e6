//! Everything that the crate does with bytes that come from anywhere. Each function panics when a
//! promise is broken; properties call them with generated inputs, fuzzers with their own.
#![allow(
    unreachable_pub,
    reason = "a module of several tests, and of a library for the fuzz targets"
)]

use std::collections::BTreeSet;

use tamis_classfile::attribute::Code;
use tamis_classfile::checksum::{Checksummer, DebugInfo, Digest, smart};
use tamis_classfile::flow::FlowGraph;
use tamis_classfile::instruction::instructions;
use tamis_classfile::probe::{
    Argument, BlockPlan, Bracket, Call, Enclosure, EntryPlan, Slots, bracket, call, enclose, skip,
};
use tamis_classfile::{ClassFile, ConstantPool, Error, Uses, named_classes};
use tamis_facts::{Checksum, MethodId};

/// A hash that is good enough to tell small inputs apart, and needs nobody.
pub struct Sum;

impl Digest for Sum {
    fn digest(&self, bytes: &[u8]) -> Checksum {
        let mut sum: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        for byte in bytes {
            sum = (sum ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
        Checksum(sum.to_be_bytes())
    }
}

/// Any bytes are a class or an error that lies inside them.
pub fn reader(bytes: &[u8]) {
    match ClassFile::parse(bytes) {
        // Names are looked up, not promised: an index may be wrong.
        Ok(class) => drop((class.name(), class.super_name())),
        Err(error) => check_offset(&error, bytes),
    }
}

fn check_offset(error: &Error, bytes: &[u8]) {
    let offset = error.offset().unwrap_or_default();
    assert!(offset <= bytes.len(), "{error} in {} bytes", bytes.len());
    assert!(!error.message().is_empty());
}

/// What can be read comes back byte for byte, also after its constants went elsewhere and back.
pub fn writer(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else {
        return;
    };
    let mut owned = class.into_owned();
    assert_eq!(owned.encode().expect("what was read can be written"), bytes);
    let places = reversed(&owned.constant_pool);
    if owned.permute_constants(&places).is_err() {
        assert_eq!(owned.encode().expect("nothing has changed"), bytes);
        return;
    }
    let moved = owned.encode().expect("a permuted class can be written");
    let mut again = ClassFile::parse(&moved).expect("a permuted class can be read");
    again
        .permute_constants(&inverse(&places))
        .expect("what was permuted can be permuted back");
    assert_eq!(again.encode().expect("it can be written too"), bytes);
}

/// The constants in the reverse order, pairs kept.
fn reversed(pool: &ConstantPool<'_>) -> Vec<u16> {
    let mut places = vec![0; pool.len()];
    let mut next = pool.len();
    for (index, constant) in pool.iter() {
        if pool.get(index).is_ok() {
            let width = if constant.is_wide() { 2 } else { 1 };
            next -= width;
            for half in 0..width {
                places[usize::from(index) + half] = (next + half) as u16;
            }
        }
    }
    places
}

fn inverse(places: &[u16]) -> Vec<u16> {
    let mut inverse = vec![0; places.len()];
    for (from, to) in (0..).zip(places) {
        inverse[usize::from(*to)] = from;
    }
    inverse
}

/// Blocks lie one behind the other, begin at instructions and lead to blocks.
pub fn flow(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else {
        return;
    };
    for method in &class.methods {
        if let Some(code) = method.code()
            && let Ok(graph) = FlowGraph::of(code, &class.constant_pool)
        {
            check_blocks(code, &graph);
        }
    }
}

fn check_blocks(code: &Code<'_>, graph: &FlowGraph<'_>) {
    let decoded = instructions(&code.instructions);
    let starts: BTreeSet<u32> = decoded.map(|i| i.expect("flow read it").offset).collect();
    let n_blocks = graph.blocks.len() as u32;
    let mut end = 0;
    for block in &graph.blocks {
        assert_eq!(block.start, end, "blocks lie one behind the other");
        assert!(block.start < block.end, "no block is empty");
        assert!(starts.contains(&block.start));
        assert!(block.edges.iter().all(|edge| edge.target < n_blocks));
        end = block.end;
    }
    assert_eq!(end as usize, code.instructions.len());
}

/// Checksums and uses of anything that can be read are found or refused.
pub fn checksum(bytes: &[u8]) {
    for debug_info in [DebugInfo::Ignored, DebugInfo::Counted] {
        let whole = smart(bytes, &Sum, debug_info);
        let Ok(class) = ClassFile::parse(bytes) else {
            continue;
        };
        let Ok(checksummer) = Checksummer::new(&class, &Sum, debug_info) else {
            continue;
        };
        if let Ok(all) = checksummer.all() {
            let whole = whole.expect("what has parts has a whole");
            assert_eq!(whole, all.smart);
        }
        let named = named_classes(&class);
        for method in &class.methods {
            drop(checksummer.blocks(method));
            if let (Ok(uses), Ok(named)) = (Uses::of(&class, method), &named) {
                assert!(
                    uses.classes.is_subset(named),
                    "a class names what its code does"
                );
            }
        }
    }
}

/// A probed class can be read, has the members it had, and one unit for each probe.
pub fn probes(bytes: &[u8]) {
    if let Ok(plan) = EntryPlan::scan(bytes) {
        let slots = Slots {
            holder: "tamis/H0",
            first: 3,
        };
        if let Ok(probed) = plan.write(&slots) {
            assert_eq!(probed.units.len(), plan.n_units());
            check_probed(bytes, &probed.bytes);
        }
        if let Ok(Some(blocks)) = BlockPlan::scan(bytes) {
            assert!(blocks.n_units() > plan.n_units());
            if let Ok(probed) = blocks.write(&slots) {
                check_probed(bytes, &probed);
            }
        }
    }
    let to = Bracket {
        owner: "tamis/T",
        id: 70_000,
    };
    if let Ok(Some(probed)) = bracket(bytes, &to) {
        check_probed(bytes, &probed.bytes);
    }
    for (method, arguments) in methods(bytes) {
        let callee = Call {
            owner: "tamis/T",
            name: "called",
            arguments: &arguments,
        };
        for probe in [call, skip] {
            if let Ok(probed) = probe(bytes, &method, &callee) {
                check_probed(bytes, &probed);
            }
        }
        let enclosure = Enclosure {
            owner: "tamis/T",
            begin: "began",
            end: "ended",
            argument: arguments.first().copied().unwrap_or(Argument::Receiver),
        };
        if let Ok(probed) = enclose(bytes, &method, &enclosure) {
            check_probed(bytes, &probed);
        }
    }
}

/// The first methods, each with arguments that it may or may not have.
fn methods(bytes: &[u8]) -> Vec<(MethodId, Vec<Argument>)> {
    let Ok(class) = ClassFile::parse(bytes) else {
        return Vec::new();
    };
    let arguments = [
        vec![],
        vec![Argument::Receiver],
        vec![Argument::Parameter(1), Argument::Parameter(2)],
    ];
    let pool = &class.constant_pool;
    let named = class.methods.iter().filter_map(|method| {
        let name = pool.name(method.name).ok()?;
        let descriptor = pool.name(method.descriptor).ok()?;
        Some(MethodId { name, descriptor })
    });
    named.take(6).zip(arguments.into_iter().cycle()).collect()
}

fn check_probed(plain: &[u8], probed: &[u8]) {
    // The entry probe does not look at everything: what it passes over may be wrong before and after.
    let Ok(plain) = ClassFile::parse(plain) else {
        return;
    };
    let probed = ClassFile::parse(probed).expect("a probed class can be read");
    assert_eq!(plain.fields.len(), probed.fields.len());
    assert_eq!(plain.methods.len(), probed.methods.len());
    assert_eq!(plain.access_flags, probed.access_flags);
    for (plain, probed) in plain.methods.iter().zip(&probed.methods) {
        let lengths = [plain, probed].map(|m| m.code().map(|code| code.instructions.len()));
        assert!(lengths[0] <= lengths[1] && lengths[0].is_some() == lengths[1].is_some());
    }
}
