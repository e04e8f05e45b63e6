//! The names that Ekstazi has for what can be set, and what each means here (SPEC 9).

use super::key::{Key, Value};
use super::settings_error::SettingsErrorKind;

/// A name of Ekstazi's.
#[derive(Debug, Clone, Copy)]
pub(super) struct EkstaziName {
    name: &'static str,
    meaning: Meaning,
}

/// What it means here.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    Same(Key),
    /// The key says the opposite.
    Opposite(Key),
    /// It is always so.
    Always(bool, &'static str),
    /// There is no such thing.
    Never(&'static str),
}

const NAMES: &[EkstaziName] = &[
    EkstaziName {
        name: "forceall",
        meaning: Meaning::Same(Key::RunAll),
    },
    EkstaziName {
        name: "skipme",
        meaning: Meaning::Opposite(Key::Enabled),
    },
    EkstaziName {
        name: "root.dir",
        meaning: Meaning::Same(Key::Store),
    },
    EkstaziName {
        name: "hash.without.debuginfo",
        meaning: Meaning::Opposite(Key::DebugInfo),
    },
    EkstaziName {
        name: "forcefailing",
        meaning: Meaning::Always(true, "a test that did not pass runs until it does"),
    },
    EkstaziName {
        name: "dependencies.append",
        meaning: Meaning::Always(
            false,
            "what a test relied on is not united over runs; each run leaves a record of its own",
        ),
    },
    EkstaziName {
        name: "hash.algorithm",
        meaning: Meaning::Never("checksums are always 128 bits of BLAKE3"),
    },
];

impl EkstaziName {
    /// The one of a name, with dots.
    pub(super) fn of(name: &str) -> Option<Self> {
        NAMES.iter().copied().find(|known| known.name == name)
    }

    /// The same in the words of Tamis; nothing if it is so anyway.
    pub(super) fn translate(
        self,
        value: &Value,
    ) -> Result<Option<(Key, Value)>, SettingsErrorKind> {
        match self.meaning {
            Meaning::Same(key) => Ok(Some((key, value.clone()))),
            Meaning::Opposite(key) => {
                let flag = self.flag(value)?;
                Ok(Some((key, Value::Flag(!flag))))
            }
            Meaning::Always(always, _) if self.flag(value)? == always => Ok(None),
            Meaning::Always(_, reason) | Meaning::Never(reason) => {
                Err(SettingsErrorKind::Ekstazi {
                    name: self.name,
                    reason,
                })
            }
        }
    }

    fn flag(self, value: &Value) -> Result<bool, SettingsErrorKind> {
        match value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(SettingsErrorKind::WrongEkstaziShape { name: self.name }),
        }
    }
}
