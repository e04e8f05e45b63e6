//! Edits after which a class says the same, or something that can be told in advance.

use std::borrow::Cow;

use tamis_classfile::attribute::{Attribute, AttributeContent, Code};
use tamis_classfile::{AccessFlags, ClassFile, Constant, Method, Result};

use crate::permutation::random_places;
use crate::random::Random;

/// One way to edit a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edit {
    /// The constants stand in another order.
    Permuted,
    /// There is a constant that nobody names.
    ConstantAppended,
    /// A string has another text.
    StringRenamed,
    /// Debug information is gone.
    DebugInfoRemoved,
    /// There is one more method.
    MethodAdded,
}

/// An edited class.
pub(crate) struct Edited {
    pub(crate) bytes: Vec<u8>,
    pub(crate) effect: Effect,
}

/// What the edit does to what the class says.
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// Every string literal of the first text has the second.
    Renamed(String, String),
    /// There is no debug information.
    NoDebugInfo,
    /// This stands among the methods, last.
    Added(String),
}

/// All permutations come from this number.
pub(crate) const SEED: u64 = 20_250_901;

impl Edit {
    pub(crate) const ALL: [Self; 5] = [
        Self::Permuted,
        Self::ConstantAppended,
        Self::StringRenamed,
        Self::DebugInfoRemoved,
        Self::MethodAdded,
    ];

    /// The edited class; none if there is nothing to edit, an error if it is refused.
    pub(crate) fn apply(self, bytes: &[u8]) -> Result<Option<Edited>> {
        let mut class = ClassFile::parse(bytes)?.into_owned();
        let effect = match self {
            Self::Permuted => {
                let mut random = Random::for_bytes(SEED, bytes);
                let places = random_places(&class, &mut random)?;
                class.permute_constants(&places)?;
                Some(Effect::None)
            }
            Self::ConstantAppended => {
                class.constant_pool.push(Constant::Long(i64::MIN))?;
                Some(Effect::None)
            }
            Self::StringRenamed => rename_string(&mut class)?,
            Self::DebugInfoRemoved => Some(remove_debug_info(&mut class)),
            Self::MethodAdded => add_method(&mut class)?,
        };
        let Some(effect) = effect else {
            return Ok(None);
        };
        let bytes = class.encode()?;
        Ok(Some(Edited { bytes, effect }))
    }
}

/// Renames the first string that can be nothing but a string, because it has a space in it.
fn rename_string(class: &mut ClassFile<'_>) -> Result<Option<Effect>> {
    const NEW: &str = "something else altogether";
    let pool = &class.constant_pool;
    let is_plain = |text: &[u8]| {
        text.contains(&b' ') && text.iter().all(|b| b.is_ascii_alphanumeric() || *b == b' ')
    };
    let found = pool.iter().find_map(|(_, constant)| match constant {
        Constant::String(text) if pool.utf8(*text).is_ok_and(is_plain) => Some(*text),
        _ => None,
    });
    let Some(index) = found else {
        return Ok(None);
    };
    let old = pool.name(index)?.to_string();
    let renamed = Constant::Utf8(NEW.as_bytes().into());
    class.constant_pool.set(index, renamed)?;
    Ok(Some(Effect::Renamed(old, NEW.to_owned())))
}

fn remove_debug_info(class: &mut ClassFile<'_>) -> Effect {
    class.attributes.retain(is_no_debug_info);
    for method in &mut class.methods {
        method.attributes.retain(is_no_debug_info);
        if let Some(code) = method.code_mut() {
            code.attributes.retain(is_no_debug_info);
        }
    }
    Effect::NoDebugInfo
}

fn is_no_debug_info(attribute: &Attribute<'_>) -> bool {
    !matches!(
        attribute.content,
        AttributeContent::SourceFile(_)
            | AttributeContent::SourceDebugExtension(_)
            | AttributeContent::MethodParameters(_)
            | AttributeContent::LineNumberTable(_)
            | AttributeContent::LocalVariableTable(_)
            | AttributeContent::LocalVariableTypeTable(_)
    )
}

/// `public static synthetic void tamis$added() {}`, where the class may have such a method.
fn add_method(class: &mut ClassFile<'_>) -> Result<Option<Effect>> {
    // Interfaces have methods with code from version 52 on; modules never do.
    let is_interface = class.access_flags.contains(AccessFlags::INTERFACE);
    if class.access_flags.contains(AccessFlags(0x8000)) || is_interface && class.major_version < 52
    {
        return Ok(None);
    }
    let mut push = |text: &'static [u8]| class.constant_pool.push(Constant::Utf8(text.into()));
    let (name, descriptor) = (push(b"tamis$added")?, push(b"()V")?);
    let code = Attribute {
        name: push(b"Code")?,
        content: AttributeContent::Code(Box::new(Code {
            max_stack: 0,
            max_locals: 0,
            instructions: Cow::Borrowed(&[177]),
            exception_table: [].into_iter().collect(),
            attributes: Vec::new(),
        })),
    };
    class.methods.push(Method {
        access_flags: AccessFlags(0x1009),
        name,
        descriptor,
        attributes: vec![code],
    });
    let text = "\n  // access flags 0x1009\n  public static synthetic tamis$added()V\n    RETURN\n    MAXSTACK = 0\n    MAXLOCALS = 0\n";
    Ok(Some(Effect::Added(text.to_owned())))
}
