//! What a JVM asked for that is no file: classes by name, members by reflection, parts of archives, variables,
//! properties, other machines.

use tamis_facts::ClassName;

use crate::asker::Asker;
use crate::error::WireError;
use crate::field::{Decoder, Encoder};
use crate::unit_set::{N_ACCESSES, N_SIGHTINGS, N_UNITS};

/// The JVM asked for something that it has not asked for before.
///
/// From then on the sighting is a unit: it is marked in segments each time, as methods are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighted {
    /// Stands for it in sets of units: the n-th sighting has the number [`N_UNITS`]` + `[`N_ACCESSES`]` + n`.
    pub unit: u32,
    /// What was asked for.
    pub sighting: Sighting,
}

/// What is asked for, or set. Whether there is such a thing is not told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sighting {
    /// A class, of `Class.forName`.
    Class(ClassName),
    /// A class, of a class loader: by code that names it, or by whoever asks the loader.
    LookedFor(ClassName),
    /// The members, annotations or other declarations of a class, by reflection.
    Members(ClassName),
    /// A member of an archive, by its name.
    Member {
        /// The absolute path of the archive.
        archive: Vec<u8>,
        /// Its name in it.
        name: Vec<u8>,
        /// Who asks for it. The same by somebody else is another sighting.
        asker: Asker,
    },
    /// The names of all members of an archive, by the absolute path of that.
    MemberNames(Vec<u8>),
    /// What manifests say of packages: titles, versions, vendors.
    Packages,
    /// An environment variable.
    Variable(Vec<u8>),
    /// All environment variables.
    Variables,
    /// A system property.
    Property(Vec<u8>),
    /// All system properties.
    Properties,
    /// Another machine, or another program on this one: an address.
    Network(Vec<u8>),
    /// A system property, to set it or to take it away.
    PropertySet(Vec<u8>),
    /// All system properties, to replace them.
    PropertiesSet,
}

impl Sighted {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.unit);
        self.sighting.encode(out);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        const FIRST: u32 = N_UNITS + N_ACCESSES;
        let unit = fields.u32("the sighting")?;
        if !(FIRST..FIRST + N_SIGHTINGS).contains(&unit) {
            return Err(fields.out_of_range("the sighting", unit));
        }
        let sighting = Sighting::parse(fields)?;
        Ok(Self { unit, sighting })
    }
}

impl Sighting {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::Class(name) => {
                out.u8(0);
                out.bytes(name.as_bytes());
            }
            Self::LookedFor(name) => {
                out.u8(12);
                out.bytes(name.as_bytes());
            }
            Self::Members(name) => {
                out.u8(1);
                out.bytes(name.as_bytes());
            }
            Self::Member {
                archive,
                name,
                asker,
            } => {
                out.u8(2);
                out.bytes(archive);
                out.bytes(name);
                asker.encode(out);
            }
            Self::MemberNames(archive) => {
                out.u8(3);
                out.bytes(archive);
            }
            Self::Packages => out.u8(4),
            Self::Variable(name) => {
                out.u8(5);
                out.bytes(name);
            }
            Self::Variables => out.u8(6),
            Self::Property(name) => {
                out.u8(7);
                out.bytes(name);
            }
            Self::Properties => out.u8(8),
            Self::Network(address) => {
                out.u8(9);
                out.bytes(address);
            }
            Self::PropertySet(name) => {
                out.u8(10);
                out.bytes(name);
            }
            Self::PropertiesSet => out.u8(11),
        }
    }

    fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let kind = fields.u8("the kind of sighting")?;
        if kind == 2 {
            return Self::parse_member(fields);
        }
        let mut bytes = |what| fields.bytes(what).map(<[u8]>::to_vec);
        Ok(match kind {
            0 => Self::Class(ClassName::from(&bytes("the class")?[..])),
            1 => Self::Members(ClassName::from(&bytes("the class")?[..])),
            3 => Self::MemberNames(bytes("the archive")?),
            4 => Self::Packages,
            5 => Self::Variable(bytes("the variable")?),
            6 => Self::Variables,
            7 => Self::Property(bytes("the property")?),
            8 => Self::Properties,
            9 => Self::Network(bytes("the address")?),
            10 => Self::PropertySet(bytes("the property")?),
            11 => Self::PropertiesSet,
            12 => Self::LookedFor(ClassName::from(&bytes("the class")?[..])),
            other => return Err(fields.unknown_value("the kind of sighting", other)),
        })
    }

    fn parse_member(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self::Member {
            archive: fields.bytes("the archive")?.to_vec(),
            name: fields.bytes("the member")?.to_vec(),
            asker: Asker::parse(fields)?,
        })
    }
}
