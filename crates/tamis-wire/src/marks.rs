//! Which units ran, and during what.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};
use crate::unit_set::UnitSet;

/// Units that ran during a segment. Several messages about one segment add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// During what.
    pub segment: Segment,
    /// What ran.
    pub units: UnitSet,
}

/// A stretch of a JVM's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// While no entity ran.
    Ambient,
    /// While the entity of this number ran.
    Entity(u32),
    /// While the class of this number was initialised, in whichever loader.
    Initialiser(u32),
    /// Not seen while the entity of this number ran, but a thread that was running when it began may
    /// have gone on with it: its marks can lie before the boundary.
    Carried(u32),
    /// While the runner of the entity of this number was built, before it or others ran. It is told with the entity too.
    Built(u32),
}

impl Marks {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        let (kind, number) = match self.segment {
            Segment::Ambient => (0, 0),
            Segment::Entity(number) => (1, number),
            Segment::Initialiser(number) => (2, number),
            Segment::Carried(number) => (3, number),
            Segment::Built(number) => (4, number),
        };
        out.u8(kind);
        out.u32(number);
        self.units.encode(out);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let kind = fields.u8("the segment")?;
        let number = fields.u32("the segment's number")?;
        let segment = match (kind, number) {
            (0, 0) => Segment::Ambient,
            (0, other) => return Err(fields.out_of_range("the segment's number", other)),
            (1, number) => Segment::Entity(number),
            (2, number) => Segment::Initialiser(number),
            (3, number) => Segment::Carried(number),
            (4, number) => Segment::Built(number),
            (other, _) => return Err(fields.unknown_value("the segment", other)),
        };
        Ok(Self {
            segment,
            units: UnitSet::parse(fields)?,
        })
    }
}
