//! Modules (JVMS 4.7.25) and what the JDK adds to its own: hashes, target, resolution.

use std::borrow::Cow;

use super::tables::ConstantIndex;
use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;
use crate::table::{Table, row};

/// A module declaration; the numbers are constant indices, flags excepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Module<'a> {
    /// The module.
    pub name: u16,
    /// Open, synthetic, mandated.
    pub flags: u16,
    /// Its version; 0 for none.
    pub version: u16,
    /// The modules it reads.
    pub requires: Table<'a, Requires>,
    /// The packages it exports.
    pub exports: Vec<Exports<'a>>,
    /// The packages it opens.
    pub opens: Vec<Exports<'a>>,
    /// The services it uses.
    pub uses: Table<'a, ConstantIndex>,
    /// The services it provides.
    pub provides: Vec<Provides<'a>>,
}

row! {
    /// A module that is read.
    Requires {
        /// The module.
        module: index,
        /// Transitive, static, synthetic, mandated.
        flags,
        /// The version compiled against; 0 for none.
        version: index,
    }
}

/// A package exported or opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Exports<'a> {
    /// The package.
    pub package: u16,
    /// Synthetic, mandated.
    pub flags: u16,
    /// The modules it is for; none means all.
    pub to: Table<'a, ConstantIndex>,
}

/// A service with its implementations.
#[derive(Clone, Debug, PartialEq)]
pub struct Provides<'a> {
    /// The service.
    pub service: u16,
    /// The classes that implement it.
    pub with: Table<'a, ConstantIndex>,
}

/// Hashes of other modules, as the JDK's build leaves them in `java.base`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleHashes<'a> {
    /// The index of the algorithm's name.
    pub algorithm: u16,
    /// The modules with their hashes.
    pub hashes: Vec<ModuleHash<'a>>,
}

/// The hash of one module.
#[derive(Clone, Debug, PartialEq)]
pub struct ModuleHash<'a> {
    /// The index of the module.
    pub module: u16,
    /// Its hash.
    pub hash: Cow<'a, [u8]>,
}

const WHAT: &str = "Module";

impl<'a> Module<'a> {
    pub(super) fn parse(cursor: &mut Cursor<'a>) -> Result<Self> {
        Ok(Self {
            name: cursor.u16(WHAT)?,
            flags: cursor.u16(WHAT)?,
            version: cursor.u16(WHAT)?,
            requires: Table::parse_counted(cursor, WHAT)?,
            exports: parse_exports(cursor)?,
            opens: parse_exports(cursor)?,
            uses: Table::parse_counted(cursor, WHAT)?,
            provides: parse_provides(cursor)?,
        })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.name);
        out.put_u16(self.flags);
        out.put_u16(self.version);
        self.requires.encode_counted(out, "modules required")?;
        encode_exports(&self.exports, out)?;
        encode_exports(&self.opens, out)?;
        self.uses.encode_counted(out, "services used")?;
        put_count(out, self.provides.len(), "services provided")?;
        self.provides.iter().try_for_each(|provides| {
            out.put_u16(provides.service);
            provides.with.encode_counted(out, "service implementations")
        })
    }

    /// The same module, borrowing nothing.
    pub fn into_owned(self) -> Module<'static> {
        let provides = self.provides.into_iter();
        Module {
            name: self.name,
            flags: self.flags,
            version: self.version,
            requires: self.requires.into_owned(),
            exports: own_exports(self.exports),
            opens: own_exports(self.opens),
            uses: self.uses.into_owned(),
            provides: provides
                .map(|p| Provides {
                    service: p.service,
                    with: p.with.into_owned(),
                })
                .collect(),
        }
    }
}

impl VisitConstants for Module<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.name);
        visit(&mut self.version);
        self.requires.visit_constants(visit);
        for exports in self.exports.iter_mut().chain(&mut self.opens) {
            visit(&mut exports.package);
            exports.to.visit_constants(visit);
        }
        self.uses.visit_constants(visit);
        for provides in &mut self.provides {
            visit(&mut provides.service);
            provides.with.visit_constants(visit);
        }
    }
}

fn parse_exports<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Exports<'a>>> {
    let count = cursor.u16(WHAT)?;
    (0..count)
        .map(|_| {
            Ok(Exports {
                package: cursor.u16(WHAT)?,
                flags: cursor.u16(WHAT)?,
                to: Table::parse_counted(cursor, WHAT)?,
            })
        })
        .collect()
}

fn encode_exports(list: &[Exports<'_>], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, list.len(), "packages exported or opened")?;
    list.iter().try_for_each(|exports| {
        out.put_u16(exports.package);
        out.put_u16(exports.flags);
        exports.to.encode_counted(out, "modules exported to")
    })
}

fn own_exports(list: Vec<Exports<'_>>) -> Vec<Exports<'static>> {
    list.into_iter()
        .map(|e| Exports {
            package: e.package,
            flags: e.flags,
            to: e.to.into_owned(),
        })
        .collect()
}

fn parse_provides<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Provides<'a>>> {
    let count = cursor.u16(WHAT)?;
    (0..count)
        .map(|_| {
            let service = cursor.u16(WHAT)?;
            Ok(Provides {
                service,
                with: Table::parse_counted(cursor, WHAT)?,
            })
        })
        .collect()
}

impl<'a> ModuleHashes<'a> {
    pub(super) fn parse(cursor: &mut Cursor<'a>) -> Result<Self> {
        let what = "ModuleHashes";
        let algorithm = cursor.u16(what)?;
        let count = cursor.u16(what)?;
        let hashes = (0..count)
            .map(|_| {
                let module = cursor.u16(what)?;
                let length = cursor.u16(what)?;
                let hash = Cow::Borrowed(cursor.take(usize::from(length), what)?);
                Ok(ModuleHash { module, hash })
            })
            .collect::<Result<_>>()?;
        Ok(Self { algorithm, hashes })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.algorithm);
        put_count(out, self.hashes.len(), "module hashes")?;
        self.hashes.iter().try_for_each(|hash| {
            let length = u16::try_from(hash.hash.len())
                .map_err(|_| Error::too_large("a module hash has more than 65535 bytes"))?;
            out.put_u16(hash.module);
            out.put_u16(length);
            out.extend_from_slice(&hash.hash);
            Ok(())
        })
    }

    /// The same hashes, borrowing nothing.
    pub fn into_owned(self) -> ModuleHashes<'static> {
        let hashes = self.hashes.into_iter();
        ModuleHashes {
            algorithm: self.algorithm,
            hashes: hashes
                .map(|h| ModuleHash {
                    module: h.module,
                    hash: Cow::Owned(h.hash.into_owned()),
                })
                .collect(),
        }
    }
}

impl VisitConstants for ModuleHashes<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.algorithm);
        for hash in &mut self.hashes {
            visit(&mut hash.module);
        }
    }
}
