//! What is measured in this process: Tamis, and the rivals that are written in Rust.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use noak::reader::AttributeContent;
use rustix::time::{ClockId, clock_gettime};
use tamis_classfile::ClassFile;
use tamis_classfile::checksum::{self, DebugInfo, SmartChecksummer};
use tamis_classfile::probe::{EntryPlan, Slots};
use tamis_select::Blake3;

use crate::corpus::Corpus;

/// Something that can go over the corpus.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// What it does to each class, and what it does not, to compare like with like.
    pub(crate) what: &'static str,
    pub(crate) run: Box<Run>,
}

/// Goes over the corpus once.
type Run = dyn FnMut(&Corpus) -> Result<Pass>;

/// One way over the corpus.
pub(crate) struct Pass {
    /// Processor time, so that a busy machine does not count.
    pub(crate) time: Duration,
    /// Classes that were refused.
    pub(crate) n_refused: usize,
}

pub(crate) const TAMIS_SMART: &str = "Tamis smart checksum";
/// To know how much two equal passes differ.
pub(crate) const TAMIS_SMART_AGAIN: &str = "Tamis smart, again";
pub(crate) const TAMIS_PROBE: &str = "Tamis entry probe";
pub(crate) const RISTRETTO_BORROWED: &str = "ristretto parse, borrowed";
pub(crate) const RISTRETTO_OWNED: &str = "ristretto parse, owned";

/// The class that probes mark; its name has the length that the product's has.
const SLOTS: Slots<'_> = Slots {
    holder: "tamis/H0",
    first: 0,
};

/// Tamis first, then the others.
pub(crate) fn native() -> Vec<Contender> {
    vec![
        contender(
            "Tamis parse",
            "model of everything but instructions, which stay bytes; constants checked",
            |bytes| Ok(ClassFile::parse(bytes)?.methods.len()),
        ),
        smart(
            TAMIS_SMART,
            "from the bytes, BLAKE3 included; instructions walked, constants by value",
        ),
        contender(
            "Tamis smart, one by one",
            "the same in fresh memory for each class",
            |bytes| {
                let checksum = checksum::smart(bytes, &Blake3, DebugInfo::Ignored)?;
                Ok(usize::from(checksum.0[0]))
            },
        ),
        smart(TAMIS_SMART_AGAIN, "the same, to know the noise"),
        contender(
            TAMIS_PROBE,
            "scan and new class file; no instruction is decoded",
            |bytes| Ok(EntryPlan::scan(bytes)?.write(&SLOTS)?.bytes.len()),
        ),
        contender(
            "Tamis parse and encode",
            "model and back, byte for byte",
            |bytes| Ok(ClassFile::parse(bytes)?.encode()?.len()),
        ),
        contender(
            "noak walk",
            "lazy: all members, attributes, instructions visited; nothing kept or checked",
            walk_with_noak,
        ),
        contender(
            RISTRETTO_BORROWED,
            "`from_slice`: model with decoded instructions, texts borrowed",
            |bytes| {
                let class = ristretto_classfile::ClassFile::from_slice(bytes)?;
                Ok(class.methods.len())
            },
        ),
        contender(
            RISTRETTO_OWNED,
            "`from_bytes`: the same, texts copied",
            |bytes| {
                let class = ristretto_classfile::ClassFile::from_bytes(bytes)?;
                Ok(class.methods.len())
            },
        ),
        contender(
            "ristretto parse and write",
            "`from_slice` and `to_bytes`",
            |bytes| {
                let class = ristretto_classfile::ClassFile::from_slice(bytes)?;
                let mut out = Vec::new();
                class.to_bytes(&mut out)?;
                Ok(out.len())
            },
        ),
    ]
}

/// Smart checksums, in memory that is used again.
fn smart(name: &'static str, what: &'static str) -> Contender {
    let mut checksummer = SmartChecksummer::default();
    contender(name, what, move |bytes| {
        let checksum = checksummer.smart(bytes, &Blake3, DebugInfo::Ignored)?;
        Ok(usize::from(checksum.0[0]))
    })
}

/// A contender that gives some number for each class, so that no work can be left out as useless.
fn contender(
    name: &'static str,
    what: &'static str,
    mut work: impl FnMut(&[u8]) -> Result<usize> + 'static,
) -> Contender {
    let run = move |corpus: &Corpus| {
        let start = processor_time()?;
        let mut n_refused = 0;
        for class in &corpus.classes {
            match work(class) {
                Ok(number) => {
                    black_box(number);
                }
                Err(_) => n_refused += 1,
            }
        }
        let time = processor_time()?
            .checked_sub(start)
            .context("the clock went back")?;
        // Refusing is quick: whoever refuses much is not measured.
        let is_fair = n_refused * 100 <= corpus.classes.len();
        ensure!(is_fair, "{name} refuses {n_refused} classes of the corpus");
        Ok(Pass { time, n_refused })
    };
    Contender {
        name,
        what,
        run: Box::new(run),
    }
}

/// What this thread has used of a processor.
pub(crate) fn processor_time() -> Result<Duration> {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Ok(Duration::new(
        u64::try_from(time.tv_sec)?,
        u32::try_from(time.tv_nsec)?,
    ))
}

fn walk_with_noak(bytes: &[u8]) -> Result<usize> {
    let class = noak::reader::Class::new(bytes)?;
    let pool = class.pool();
    let mut n_seen = 0;
    for field in class.fields() {
        for attribute in field?.attributes() {
            n_seen += usize::from(attribute?.read_content(pool).is_ok());
        }
    }
    for method in class.methods() {
        for attribute in method?.attributes() {
            match attribute?.read_content(pool) {
                Ok(AttributeContent::Code(code)) => n_seen += walk_code_with_noak(&code, pool)?,
                // An attribute that it does not know is an error to noak.
                Ok(_) | Err(_) => n_seen += 1,
            }
        }
    }
    for attribute in class.attributes() {
        n_seen += usize::from(attribute?.read_content(pool).is_ok());
    }
    Ok(n_seen)
}

fn walk_code_with_noak<'a>(
    code: &noak::reader::attributes::Code<'a>,
    pool: &noak::reader::cpool::ConstantPool<'a>,
) -> Result<usize> {
    let mut n_seen = code.exception_handlers().count();
    for instruction in code.raw_instructions() {
        black_box(instruction?);
        n_seen += 1;
    }
    for attribute in code.attributes() {
        n_seen += usize::from(attribute?.read_content(pool).is_ok());
    }
    Ok(n_seen)
}
