//! The names of the attributes that JVMS 4.7 and the JDK define, and where each one counts.
//!
//! Every class has dozens of attributes, so names are found without trying one after the other: their
//! length and one letter give a place in a table, in which no two of them share a place.

use super::Place;

/// Declares the names with their spelling and the places where they are defined.
macro_rules! names {
    ($( $name:ident at $( $place:ident )+; )+) => {
        /// An attribute that is known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum AttributeName { $( $name ),+ }

        impl AttributeName {
            const ALL: &[(Self, &[u8])] =
                &[$( (Self::$name, stringify!($name).as_bytes()) ),+];

            /// By name: a bit for each place where it is defined.
            const PLACES: &[u8] = &[$( $( 1 << Place::$place as u8 )|+ ),+];
        }
    };
}

names! {
    AnnotationDefault at Method;
    BootstrapMethods at Class;
    Code at Method;
    ConstantValue at Field;
    Deprecated at Class Field Method;
    EnclosingMethod at Class;
    Exceptions at Method;
    InnerClasses at Class;
    LineNumberTable at Code;
    LocalVariableTable at Code;
    LocalVariableTypeTable at Code;
    MethodParameters at Method;
    Module at Class;
    ModuleHashes at Class;
    ModuleMainClass at Class;
    ModulePackages at Class;
    ModuleResolution at Class;
    ModuleTarget at Class;
    NestHost at Class;
    NestMembers at Class;
    PermittedSubclasses at Class;
    Record at Class;
    RuntimeInvisibleAnnotations at Class Field Method RecordComponent;
    RuntimeInvisibleParameterAnnotations at Method;
    RuntimeInvisibleTypeAnnotations at Class Field Method Code RecordComponent;
    RuntimeVisibleAnnotations at Class Field Method RecordComponent;
    RuntimeVisibleParameterAnnotations at Method;
    RuntimeVisibleTypeAnnotations at Class Field Method Code RecordComponent;
    Signature at Class Field Method RecordComponent;
    SourceDebugExtension at Class;
    SourceFile at Class;
    StackMapTable at Code;
    Synthetic at Class Field Method;
}

type Entry = Option<(AttributeName, &'static [u8])>;

/// The names by [`place`].
static TABLE: [Entry; TABLE_SIZE] = {
    let mut table: [Entry; TABLE_SIZE] = [None; TABLE_SIZE];
    let mut position = 0;
    while position < AttributeName::ALL.len() {
        let (name, text) = AttributeName::ALL[position];
        let place = place(text);
        assert!(table[place].is_none(), "two names share a place");
        table[place] = Some((name, text));
        position += 1;
    }
    table
};

const TABLE_SIZE: usize = 128;

/// A place in the table for a name of one letter or more. The factor was found by trying.
const fn place(name: &[u8]) -> usize {
    (name.len() + 24 * name[name.len() / 2] as usize) % TABLE_SIZE
}

impl AttributeName {
    /// The attribute of that name, wherever it stands.
    pub(crate) fn of(name: &[u8]) -> Option<Self> {
        if name.is_empty() {
            return None;
        }
        let (found, text) = TABLE[place(name)]?;
        (text == name).then_some(found)
    }

    /// Whether the specification defines it at that place.
    #[inline]
    pub(crate) fn is_defined_at(self, place: Place) -> bool {
        Self::PLACES[self as usize] & 1 << place as u8 != 0
    }
}
