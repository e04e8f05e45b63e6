//! Debug tables of code: line numbers and local variables (JVMS 4.7.12 to 4.7.14).

use crate::table::row;

row! {
    /// One row of `LineNumberTable`.
    LineNumber {
        /// The offset in the code where the line begins.
        start,
        /// The line in the source file.
        line,
    }
}

row! {
    /// One row of `LocalVariableTable`, or of `LocalVariableTypeTable`, where the descriptor is a
    /// generic signature.
    LocalVariable {
        /// Where in the code the variable begins to have a value.
        start,
        /// For how many bytes it has one.
        length,
        /// The index of its name.
        name: index,
        /// The index of its descriptor or signature.
        descriptor: index,
        /// Its slot.
        slot,
    }
}
