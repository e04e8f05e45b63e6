//! Files: what a JVM looked at, what it found there, and who asked.

use crate::asker::Asker;
use crate::error::WireError;
use crate::field::{Decoder, Encoder};
use crate::unit_set::{N_ACCESSES, N_UNITS};

/// The JVM did something with a file that it has not done before, or found another one in its place.
///
/// From then on the access is a unit: it is marked in segments each time, as methods are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// Stands for it in sets of units: the n-th access has the number [`N_UNITS`]` + n`.
    pub unit: u32,
    /// What was done.
    pub access: Access,
    /// By whom. The same by somebody else is another access.
    pub asker: Asker,
    /// Where: an absolute path, as the system has it.
    pub path: Vec<u8>,
    /// What was there just before.
    pub found: Found,
}

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It is opened for reading, from its beginning on.
    Read,
    /// It is asked what is there: nothing, a file, a directory.
    Looked,
    /// The names in a directory are asked for.
    Listed,
    /// It is made, replaced, removed. What was there before does not count.
    Wrote,
    /// It is opened for reading at any place, as archives are, or its size or time is asked for.
    Opened,
    /// It is asked what is there, by a name that looks made up for a temporary file, and nothing is.
    Guessed,
    /// It is asked where a path leads that goes over a link, or what a link says.
    Followed,
}

/// What lies under a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file.
    File(FileStamp),
    /// A directory.
    Directory(FileStamp),
    /// A pipe, a socket, a device; or it cannot be told.
    Other,
}

/// What changes when a file is written, replaced, or given other properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// The file system.
    pub device: u64,
    /// Which file of it.
    pub inode: u64,
    /// How many bytes.
    pub size: u64,
    /// When it was written: seconds and nanoseconds.
    pub modified: (i64, i64),
    /// The same; unlike the modification time it cannot be set back.
    pub changed: (i64, i64),
}

/// Something that the agent does not see in this JVM: the coarse form of its facts counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen {
    /// What.
    pub what: Sight,
    /// Why.
    pub reason: Vec<u8>,
}

/// What an agent can see beside code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// What is done with files.
    Files,
    /// Which classes are looked for by name.
    Classes,
    /// What reflection asks of classes.
    Reflection,
    /// Which members of archives are looked for.
    Archives,
    /// Which environment variables and system properties are read.
    Environment,
    /// Which connections are made.
    Network,
}

impl Sight {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Files,
        Self::Classes,
        Self::Reflection,
        Self::Archives,
        Self::Environment,
        Self::Network,
    ];
}

impl Accessed {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.unit);
        out.u8(match self.access {
            Access::Read => 0,
            Access::Looked => 1,
            Access::Listed => 2,
            Access::Wrote => 3,
            Access::Opened => 4,
            Access::Guessed => 5,
            Access::Followed => 6,
        });
        self.asker.encode(out);
        out.bytes(&self.path);
        self.found.encode(out);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let unit = fields.u32("the access")?;
        if !(N_UNITS..N_UNITS + N_ACCESSES).contains(&unit) {
            return Err(fields.out_of_range("the access", unit));
        }
        Ok(Self {
            unit,
            access: match fields.u8("the kind of access")? {
                0 => Access::Read,
                1 => Access::Looked,
                2 => Access::Listed,
                3 => Access::Wrote,
                4 => Access::Opened,
                5 => Access::Guessed,
                6 => Access::Followed,
                other => return Err(fields.unknown_value("the kind of access", other)),
            },
            asker: Asker::parse(fields)?,
            path: fields.bytes("the path")?.to_vec(),
            found: Found::parse(fields)?,
        })
    }
}

impl Found {
    fn encode(self, out: &mut Encoder) {
        match self {
            Self::Nothing => out.u8(0),
            Self::File(stamp) => {
                out.u8(1);
                stamp.encode(out);
            }
            Self::Directory(stamp) => {
                out.u8(2);
                stamp.encode(out);
            }
            Self::Other => out.u8(3),
        }
    }

    fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(match fields.u8("what was found")? {
            0 => Self::Nothing,
            1 => Self::File(FileStamp::parse(fields)?),
            2 => Self::Directory(FileStamp::parse(fields)?),
            3 => Self::Other,
            other => return Err(fields.unknown_value("what was found", other)),
        })
    }
}

impl FileStamp {
    fn encode(self, out: &mut Encoder) {
        out.u64(self.device);
        out.u64(self.inode);
        out.u64(self.size);
        for (seconds, nanoseconds) in [self.modified, self.changed] {
            out.u64(seconds.cast_unsigned());
            out.u64(nanoseconds.cast_unsigned());
        }
    }

    fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let mut number = || fields.u64("the file's stamp");
        Ok(Self {
            device: number()?,
            inode: number()?,
            size: number()?,
            modified: (number()?.cast_signed(), number()?.cast_signed()),
            changed: (number()?.cast_signed(), number()?.cast_signed()),
        })
    }
}

impl Unseen {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u8(self.what as u8);
        out.bytes(&self.reason);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let what = fields.u8("what is not seen")?;
        let known = Sight::ALL.get(usize::from(what));
        Ok(Self {
            what: *known.ok_or_else(|| fields.unknown_value("what is not seen", what))?,
            reason: fields.bytes("the reason")?.to_vec(),
        })
    }
}
