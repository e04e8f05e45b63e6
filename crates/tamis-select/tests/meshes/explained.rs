//! Why a mutant may have the smart checksum of the class it was made of.

use crate::mutation::Mutation;

/// What is part of no checksum, because no program behaves by it.
const WITHOUT_BEHAVIOUR: [&str; 13] = [
    "Deprecated",
    "LineNumberTable",
    "LocalVariableTable",
    "LocalVariableTypeTable",
    "RuntimeInvisibleAnnotations",
    "RuntimeInvisibleParameterAnnotations",
    "RuntimeInvisibleTypeAnnotations",
    "Scala",
    "ScalaInlineInfo",
    "ScalaSig",
    "SourceDebugExtension",
    "SourceFile",
    "TASTY",
];

/// Whether it is known why this mutation, which hit that, changed nothing.
pub(crate) fn is_explained(mutation: Mutation, hit: &str) -> bool {
    match mutation {
        // A method that is named by content alone may be renamed; else the text must not count.
        Mutation::TextChanged => hit == "not used where it counts" || hit == "a number",
        Mutation::ConstantChanged => hit.ends_with("not used where it counts"),
        // The attribute is the old spelling of the flag, and says the same twice.
        Mutation::FieldFlag | Mutation::MethodFlag | Mutation::ClassFlag => hit == "0x1000",
        Mutation::AttributeDuplicated if hit == "Synthetic" => true,
        // Of rows only those about the class itself and its members count; in bodies, annotations
        // of types do not.
        Mutation::AttributeDropped | Mutation::AttributeDuplicated => {
            WITHOUT_BEHAVIOUR.contains(&hit)
                || hit == "InnerClasses"
                || hit == "RuntimeVisibleTypeAnnotations"
        }
        Mutation::AttributeMoved => WITHOUT_BEHAVIOUR.contains(&hit),
        // Two lambdas of one content may change places.
        Mutation::RowsSwapped => hit == "InnerClasses" || hit == "BootstrapMethods",
        // Bodies may differ by nothing but their lines.
        Mutation::BodiesSwapped => true,
        Mutation::BitFlipped => {
            WITHOUT_BEHAVIOUR.contains(&hit)
                || hit == "InnerClasses"
                || hit == "constant not used where it counts"
        }
        _ => false,
    }
}
