//! The first words: who the JVM is, and whether it is to be watched.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// The version of this protocol. Any change of a layout, or of what a field means, makes a new one.
pub const VERSION: u16 = 10;

/// What the process gave its agents, so that nobody else is listened to.
pub type Token = [u8; 16];

/// Who the JVM is. Texts are bytes as the JVM and the system have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// Shows that the agent was started by this process.
    pub token: Token,
    /// The JVM's process.
    pub pid: u32,
    /// The property `java.vm.version`; that of the JDK is not known yet when a JVM starts.
    pub vm_version: Vec<u8>,
    /// The property `java.home`.
    pub java_home: Vec<u8>,
    /// The property `sun.java.command`: the main class or jar, and its arguments.
    pub command: Vec<u8>,
    /// The property `java.class.path`.
    pub class_path: Vec<u8>,
    /// The working directory, which relative entries of the class path begin at.
    pub directory: Vec<u8>,
    /// The arguments of the process, its own name first; none where the system does not tell.
    pub arguments: Vec<Vec<u8>>,
    /// What the build tool said of these tests, for the process alone; empty where it said nothing.
    pub label: Vec<u8>,
    /// The JVM that started this one, if that is watched too.
    pub parent: Option<Parent>,
}

/// Where in another JVM's life this one was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parent {
    /// The number that the process gave that JVM.
    pub jvm: u32,
    /// The number of its [`Forked`](crate::Forked) message.
    pub fork: u32,
}

/// What counts as an entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Granularity {
    /// A test class.
    #[default]
    Class,
    /// A test method.
    Method,
}

/// What marks stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marking {
    /// Methods.
    #[default]
    Methods,
    /// Methods and, in classes that were read from directories, their basic blocks.
    Blocks,
}

/// The answer to a hello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Session {
    /// The JVM is to be watched.
    Accept {
        /// Stands for the JVM; its children will name it.
        jvm: u32,
        /// What the process wants to hear of.
        granularity: Granularity,
        /// How closely it wants to know what ran.
        marking: Marking,
        /// Where class loaders look for files, absolute: who asks for a file matters in there alone.
        class_directories: Vec<Vec<u8>>,
    },
    /// The agent is to do nothing.
    Idle,
}

impl Hello {
    /// The version stands first, so that every later protocol can still tell it.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u16(VERSION);
        out.array(&self.token);
        out.u32(self.pid);
        out.bytes(&self.vm_version);
        out.bytes(&self.java_home);
        out.bytes(&self.command);
        out.bytes(&self.class_path);
        out.bytes(&self.directory);
        out.list(&self.arguments);
        out.bytes(&self.label);
        out.option(self.parent, |out, parent| {
            out.u32(parent.jvm);
            out.u32(parent.fork);
        });
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let version = fields.u16("the version")?;
        if version != VERSION {
            return Err(fields.unknown_value("the version", version));
        }
        Ok(Self {
            token: fields.array("the token")?,
            pid: fields.u32("the process id")?,
            vm_version: fields.bytes("the JVM's version")?.to_vec(),
            java_home: fields.bytes("the Java home")?.to_vec(),
            command: fields.bytes("the command")?.to_vec(),
            class_path: fields.bytes("the class path")?.to_vec(),
            directory: fields.bytes("the directory")?.to_vec(),
            arguments: fields.list("the arguments")?,
            label: fields.bytes("the label")?.to_vec(),
            parent: fields.option("whether there is a parent", |fields| {
                Ok(Parent {
                    jvm: fields.u32("the parent")?,
                    fork: fields.u32("the fork")?,
                })
            })?,
        })
    }
}

impl Session {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u16(VERSION);
        match self {
            Self::Idle => out.u8(0),
            Self::Accept {
                jvm,
                granularity,
                marking,
                class_directories,
            } => {
                out.u8(1);
                out.u32(*jvm);
                out.u8(match granularity {
                    Granularity::Class => 0,
                    Granularity::Method => 1,
                });
                out.u8(match marking {
                    Marking::Methods => 0,
                    Marking::Blocks => 1,
                });
                out.list(class_directories);
            }
        }
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let version = fields.u16("the version")?;
        if version != VERSION {
            return Err(fields.unknown_value("the version", version));
        }
        match fields.u8("the session")? {
            0 => Ok(Self::Idle),
            1 => Ok(Self::Accept {
                jvm: fields.u32("the JVM's number")?,
                granularity: match fields.u8("the granularity")? {
                    0 => Granularity::Class,
                    1 => Granularity::Method,
                    other => return Err(fields.unknown_value("the granularity", other)),
                },
                marking: match fields.u8("the marking")? {
                    0 => Marking::Methods,
                    1 => Marking::Blocks,
                    other => return Err(fields.unknown_value("the marking", other)),
                },
                class_directories: fields.list("the class directories")?,
            }),
            other => Err(fields.unknown_value("the session", other)),
        }
    }
}
