//! The names of the attributes that JVMS 4.7 and the JDK define, and where each one counts.

use super::Place;

/// Declares the names with their spelling and the places where they are defined.
macro_rules! names {
    ($( $name:ident at $( $place:ident )+; )+) => {
        /// An attribute that is known.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub(crate) enum AttributeName { $( $name ),+ }

        impl AttributeName {
            /// The attribute of that name, wherever it stands.
            pub(crate) fn of(name: &[u8]) -> Option<Self> {
                $( const $name: &[u8] = stringify!($name).as_bytes(); )+
                match name {
                    $( $name => Some(Self::$name), )+
                    _ => None,
                }
            }

            /// Whether the specification defines it at that place.
            pub(crate) fn is_defined_at(self, place: Place) -> bool {
                match self {
                    $( Self::$name => matches!(place, $( Place::$place )|+), )+
                }
            }
        }
    };
}

#[allow(
    non_upper_case_globals,
    reason = "the macro makes a constant of each name"
)]
mod declared {
    use super::Place;

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
}

pub(crate) use declared::AttributeName;
