//! Access flags as the words of Java's source, in their customary order.

use tamis_classfile::AccessFlags;

use super::kind::ClassKind;

type Word = (u16, &'static str);

const OF_CLASS: &[Word] = &[
    (0x0001, "public"),
    (0x0400, "abstract"),
    (0x0010, "final"),
    (0x1000, "synthetic"),
];

const OF_FIELD: &[Word] = &[
    (0x0001, "public"),
    (0x0004, "protected"),
    (0x0002, "private"),
    (0x0008, "static"),
    (0x0010, "final"),
    (0x0080, "transient"),
    (0x0040, "volatile"),
    (0x1000, "synthetic"),
];

const OF_METHOD: &[Word] = &[
    (0x0001, "public"),
    (0x0004, "protected"),
    (0x0002, "private"),
    (0x0400, "abstract"),
    (0x0008, "static"),
    (0x0010, "final"),
    (0x0020, "synchronized"),
    (0x0100, "native"),
    (0x0800, "strictfp"),
    (0x0040, "bridge"),
    (0x1000, "synthetic"),
];

/// The modifiers of a class; an interface is abstract without saying so.
pub(super) fn of_class(flags: AccessFlags, kind: ClassKind) -> Vec<&'static str> {
    let mut words = words(flags, OF_CLASS);
    if kind.is_interface() {
        words.retain(|word| *word != "abstract");
    }
    words
}

pub(super) fn of_field(flags: AccessFlags) -> Vec<&'static str> {
    words(flags, OF_FIELD)
}

pub(super) fn of_method(flags: AccessFlags) -> Vec<&'static str> {
    words(flags, OF_METHOD)
}

fn words(flags: AccessFlags, words: &[Word]) -> Vec<&'static str> {
    let set = words
        .iter()
        .filter(|(flag, _)| flags.contains(AccessFlags(*flag)));
    set.map(|(_, word)| *word).collect()
}
