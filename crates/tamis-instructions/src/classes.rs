//! Class files: reading, checksums, probes, comparison.

use tamis_classfile::ClassFile;
use tamis_classfile::checksum::{DebugInfo, SmartChecksummer};
use tamis_classfile::probe::{BlockPlan, EntryPlan, Slots};
use tamis_select::{Blake3, ClassState, diff as changes};

use crate::Work;

/// What a compiler made of some real code.
const CLASSES: [&[u8]; 7] = [
    include_bytes!("../classes/Fingerprint.class"),
    include_bytes!("../classes/Host.class"),
    include_bytes!("../classes/Message.class"),
    include_bytes!("../classes/Run.class"),
    include_bytes!("../classes/TamisExtension.class"),
    include_bytes!("../classes/TestMojo.class"),
    include_bytes!("../classes/TestTask.class"),
];

/// The same classes before and after a change.
const PAIRS: [[&[u8]; 2]; 3] = [
    [
        include_bytes!("../classes/before/Basket.class"),
        include_bytes!("../classes/after/Basket.class"),
    ],
    [
        include_bytes!("../classes/before/Level.class"),
        include_bytes!("../classes/after/Level.class"),
    ],
    [
        include_bytes!("../classes/before/Priced.class"),
        include_bytes!("../classes/after/Priced.class"),
    ],
];

/// The class that probes mark; its name has the length that the product's has.
const SLOTS: Slots<'_> = Slots {
    holder: "tamis/H0",
    first: 0,
};

const WELL_FORMED: &str = "a compiler made the class";

pub(crate) fn parse() -> Work {
    of_each(|bytes| ClassFile::parse(bytes).expect(WELL_FORMED).methods.len())
}

pub(crate) fn smart_checksum() -> Work {
    let mut checksummer = SmartChecksummer::default();
    of_each(move |bytes| {
        let checksum = checksummer.smart(bytes, &Blake3, DebugInfo::Ignored);
        usize::from(checksum.expect(WELL_FORMED).0[0])
    })
}

pub(crate) fn checksums() -> Work {
    of_each(|bytes| {
        let state = ClassState::of(bytes, DebugInfo::Ignored);
        state.parts.expect(WELL_FORMED).checksums.methods.len()
    })
}

pub(crate) fn entry_probes() -> Work {
    of_each(|bytes| {
        let plan = EntryPlan::scan(bytes).expect(WELL_FORMED);
        plan.write(&SLOTS).expect(WELL_FORMED).bytes.len()
    })
}

pub(crate) fn block_probes() -> Work {
    of_each(|bytes| {
        let plan = BlockPlan::scan(bytes).expect(WELL_FORMED);
        let written = plan.map(|plan| plan.write(&SLOTS).expect(WELL_FORMED));
        written.map_or(0, |bytes| bytes.len())
    })
}

pub(crate) fn diff() -> Work {
    Box::new(|| {
        let n_changes = PAIRS.map(|pair| {
            let [old, new] = pair.map(|bytes| ClassState::of(bytes, DebugInfo::Ignored));
            changes(Some(&old), Some(&new)).len()
        });
        n_changes.iter().sum()
    })
}

fn of_each(mut work: impl FnMut(&[u8]) -> usize + 'static) -> Work {
    Box::new(move || CLASSES.iter().map(|bytes| work(bytes)).sum())
}
