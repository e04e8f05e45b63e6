//! Ways to damage a class file.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::sample::Index;
use proptest::strategy::Strategy;

/// One damage; places are fractions of whatever length there is.
#[derive(Clone, Debug)]
pub(crate) enum Damage {
    Bit(Index, u8),
    /// A number that is often a limit.
    Number(Index, u16),
    CutOff(Index),
    /// Bytes from elsewhere in the class written over.
    CopiedOver(Index, Index, usize),
    /// Bytes from elsewhere in the class put in between.
    Inserted(Index, Index, usize),
    Removed(Index, usize),
}

pub(crate) fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let limits = prop_oneof![0..4u16, 254..258u16, 65533..=u16::MAX];
    let one = prop_oneof![
        4 => (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Damage::Bit(at, bit)),
        4 => (any::<Index>(), limits).prop_map(|(at, number)| Damage::Number(at, number)),
        1 => any::<Index>().prop_map(Damage::CutOff),
        2 => (any::<Index>(), any::<Index>(), 1..40usize)
            .prop_map(|(from, to, n)| Damage::CopiedOver(from, to, n)),
        2 => (any::<Index>(), any::<Index>(), 1..40usize)
            .prop_map(|(from, to, n)| Damage::Inserted(from, to, n)),
        1 => (any::<Index>(), 1..40usize).prop_map(|(at, n)| Damage::Removed(at, n)),
    ];
    vec(one, 1..4)
}

pub(crate) fn apply(class: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = class.to_vec();
    for damage in damages {
        if !bytes.is_empty() {
            damage.apply(&mut bytes);
        }
    }
    bytes
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let part = |from: &Index, n: usize| {
            let from = from.index(length);
            from..length.min(from + n)
        };
        match self {
            Self::Bit(at, bit) => bytes[at.index(length)] ^= 1 << bit,
            Self::Number(at, number) => {
                let range = part(at, 2);
                let n = range.len();
                bytes[range].copy_from_slice(&number.to_be_bytes()[..n]);
            }
            Self::CutOff(at) => bytes.truncate(at.index(length)),
            Self::CopiedOver(from, to, n) => {
                let copy = bytes[part(from, *n)].to_vec();
                let to = part(to, copy.len());
                let n = to.len();
                bytes[to].copy_from_slice(&copy[..n]);
            }
            Self::Inserted(from, to, n) => {
                let copy = bytes[part(from, *n)].to_vec();
                let at = to.index(length);
                bytes.splice(at..at, copy);
            }
            Self::Removed(at, n) => drop(bytes.drain(part(at, *n))),
        }
    }
}
