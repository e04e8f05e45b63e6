//! A class was loaded: which, by whom, and how it will tell what ran.

use tamis_facts::ClassName;

use crate::content_hash::ContentHash;
use crate::error::WireError;
use crate::field::{Decoder, Encoder};
use crate::unit_set::N_UNITS;

/// A loader loaded a class, or a class was redefined.
///
/// The same bytes under the same name have the same number and units in every loader; then one
/// message per loader repeats them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLoaded {
    /// Stands for name and bytes.
    pub number: u32,
    /// Stands for the loader; the JDK's own are not told.
    pub loader: u32,
    /// The name.
    pub name: ClassName,
    /// The hash of the bytes as they came to the agent; none where it never saw them.
    pub hash: Option<ContentHash>,
    /// How it will tell what ran.
    pub probing: Probing,
    /// Where its protection domain says that it was read from; empty where that says nothing.
    pub origin: Vec<u8>,
    /// The classes that its constants name: what is known of a class that has no file.
    pub names: Vec<Vec<u8>>,
}

/// Whether a class has probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probing {
    /// Unit `first + k` stands for the k-th method that has code, in the order of the file. Behind them come the
    /// basic blocks but the first of each method that has block probes, if there are any.
    Probed {
        /// The id of the first unit.
        first: u32,
        /// The number of units.
        n_units: u32,
        /// What is known of its initialiser.
        initialiser: Initialiser,
    },
    /// It runs as it is, and counts as used, whole, from now on. The text says why.
    Refused(Vec<u8>),
}

/// What is known of a class's initialiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initialiser {
    /// It has none.
    None,
    /// What runs inside it is told as a segment of its own.
    Bracketed,
    /// It cannot be bracketed.
    Unbracketed,
}

impl ClassLoaded {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.number);
        out.u32(self.loader);
        out.bytes(self.name.as_bytes());
        out.option(self.hash, |out, hash| out.array(&hash.0));
        self.probing.encode(out);
        out.bytes(&self.origin);
        out.list(&self.names);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            number: fields.u32("the class number")?,
            loader: fields.u32("the loader")?,
            name: ClassName::from(fields.bytes("the class name")?),
            hash: fields.option("whether there is a hash", |fields| {
                fields.array("the hash").map(ContentHash)
            })?,
            probing: Probing::parse(fields)?,
            origin: fields.bytes("the origin")?.to_vec(),
            names: fields.list("the names")?,
        })
    }
}

impl Probing {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::Refused(reason) => {
                out.u8(0);
                out.bytes(reason);
            }
            Self::Probed {
                first,
                n_units,
                initialiser,
            } => {
                out.u8(1);
                out.u32(*first);
                out.u32(*n_units);
                out.u8(match initialiser {
                    Initialiser::None => 0,
                    Initialiser::Bracketed => 1,
                    Initialiser::Unbracketed => 2,
                });
            }
        }
    }

    fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        match fields.u8("whether it is probed")? {
            0 => Ok(Self::Refused(fields.bytes("the reason")?.to_vec())),
            1 => {
                let (first, n_units) = (fields.u32("the first unit")?, fields.u32("n_units")?);
                let end = u64::from(first) + u64::from(n_units);
                if end > u64::from(N_UNITS) {
                    return Err(fields.out_of_range("the last unit", end));
                }
                let initialiser = match fields.u8("the initialiser")? {
                    0 => Initialiser::None,
                    1 => Initialiser::Bracketed,
                    2 => Initialiser::Unbracketed,
                    other => return Err(fields.unknown_value("the initialiser", other)),
                };
                Ok(Self::Probed {
                    first,
                    n_units,
                    initialiser,
                })
            }
            other => Err(fields.unknown_value("whether it is probed", other)),
        }
    }
}
