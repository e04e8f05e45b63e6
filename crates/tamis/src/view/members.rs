//! Fields and methods, and their declarations as Java's source would write them.

use serde::Serialize;
use tamis_classfile::Error;
use tamis_classfile::checksum::{Checksummer, ClassChecksums};
use tamis_select::{Blake3, Parts};

use super::method_body::{BodyView, UsesView};
use super::{ViewOptions, modifiers};
use crate::escape;

/// A field.
#[derive(Debug, Serialize)]
pub(crate) struct FieldView {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) modifiers: Vec<&'static str>,
    pub(crate) checksum: String,
}

/// A method, constructor or static initialiser.
#[derive(Debug, Serialize)]
pub(crate) struct MethodView {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) modifiers: Vec<&'static str>,
    /// Whether the number in its name means nothing to Tamis.
    pub(crate) is_known_by_content: bool,
    pub(crate) checksum: String,
    pub(crate) body: BodyView,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uses: Option<UsesView>,
}

impl FieldView {
    /// `private int[] counts`
    pub(crate) fn declaration(&self) -> String {
        let field_type = type_in_source(&self.descriptor);
        let declaration = format!("{} {}", field_type, self.name);
        with_modifiers(&self.modifiers, &declaration)
    }
}

impl MethodView {
    /// `private int rebate(int)`
    pub(crate) fn declaration(&self) -> String {
        let declaration = method_in_source(&self.name, &self.descriptor);
        with_modifiers(&self.modifiers, &declaration)
    }

    /// Whether a user who writes `wanted` means this method: by its name, or with its descriptor.
    pub(crate) fn is_called(&self, wanted: &str) -> bool {
        match wanted.strip_prefix(self.name.as_str()) {
            Some(rest) => rest.is_empty() || rest == self.descriptor,
            None => false,
        }
    }
}

pub(super) fn fields(checksums: &ClassChecksums) -> Vec<FieldView> {
    let fields = checksums.fields.iter().map(|field| FieldView {
        name: escape::name(field.id.name.as_bytes()),
        descriptor: escape::name(field.id.descriptor.as_bytes()),
        modifiers: modifiers::of_field(field.access_flags),
        checksum: field.checksum.to_string(),
    });
    fields.collect()
}

pub(super) fn methods(parts: &Parts<'_>, options: &ViewOptions) -> Result<Vec<MethodView>, Error> {
    let Parts { class, checksums } = parts;
    let checksummer = Checksummer::new(class, &Blake3, options.debug_info)?;
    let methods = checksums.methods.iter().zip(&class.methods);
    let views = methods.map(|(checksum, method)| MethodView {
        name: escape::name(checksum.id.name.as_bytes()),
        descriptor: escape::name(checksum.id.descriptor.as_bytes()),
        modifiers: modifiers::of_method(method.access_flags),
        is_known_by_content: checksum.is_known_by_content,
        checksum: checksum.checksum.to_string(),
        body: BodyView::of(class, method, options.with_blocks.then_some(&checksummer)),
        uses: options.with_uses.then(|| UsesView::of(class, method)),
    });
    Ok(views.collect())
}

fn with_modifiers(modifiers: &[&str], declaration: &str) -> String {
    let mut words = modifiers.to_vec();
    words.push(declaration);
    words.join(" ")
}

/// `rebate(int)`: the name with the types of its parameters.
pub(crate) fn call_in_source(name: &str, descriptor: &str) -> String {
    match split_descriptor(descriptor) {
        Some((parameters, _)) => format!("{name}({})", parameters.join(", ")),
        None => format!("{name}{descriptor}"),
    }
}

/// `int rebate(int)`; initialisers have no result to speak of.
pub(crate) fn method_in_source(name: &str, descriptor: &str) -> String {
    let Some((parameters, result)) = split_descriptor(descriptor) else {
        return format!("{name}{descriptor}");
    };
    let parameters = parameters.join(", ");
    if name.starts_with('<') {
        format!("{name}({parameters})")
    } else {
        format!("{result} {name}({parameters})")
    }
}

/// `java.util.List`; classes of `java.lang` go without their package.
pub(crate) fn class_in_source(name: &str) -> String {
    match name.strip_prefix("java/lang/") {
        Some(simple) if !simple.contains('/') => simple.to_owned(),
        _ => name.replace('/', "."),
    }
}

/// The type of a field's descriptor; what is none stays as it is.
pub(crate) fn type_in_source(descriptor: &str) -> String {
    match next_type(descriptor) {
        Some((name, "")) => name,
        _ => descriptor.to_owned(),
    }
}

/// The types of a method's parameters, and of its result.
fn split_descriptor(descriptor: &str) -> Option<(Vec<String>, String)> {
    let (mut rest, result) = descriptor.strip_prefix('(')?.split_once(')')?;
    let mut parameters = Vec::new();
    while !rest.is_empty() {
        let (parameter, after) = next_type(rest)?;
        parameters.push(parameter);
        rest = after;
    }
    match result {
        "V" => Some((parameters, "void".to_owned())),
        _ => match next_type(result)? {
            (result, "") => Some((parameters, result)),
            _ => None,
        },
    }
}

/// The type a descriptor begins with, and what stands behind it.
fn next_type(descriptor: &str) -> Option<(String, &str)> {
    let element = descriptor.trim_start_matches('[');
    let brackets = "[]".repeat(descriptor.len() - element.len());
    let (name, rest) = if let Some(class) = element.strip_prefix('L') {
        let (name, rest) = class.split_once(';')?;
        (class_in_source(name), rest)
    } else {
        let letter = element.chars().next()?;
        (primitive(letter)?.to_owned(), &element[letter.len_utf8()..])
    };
    Some((name + &brackets, rest))
}

fn primitive(letter: char) -> Option<&'static str> {
    Some(match letter {
        'B' => "byte",
        'C' => "char",
        'D' => "double",
        'F' => "float",
        'I' => "int",
        'J' => "long",
        'S' => "short",
        'Z' => "boolean",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, descriptor: &str, expected: &str) {
        assert_eq!(method_in_source(name, descriptor), expected);
    }

    #[test]
    fn methods_read_as_in_java() {
        check("rebate", "(I)I", "int rebate(int)");
        check(
            "put",
            "([[JLjava/util/List;Ljava/lang/String;)V",
            "void put(long[][], java.util.List, String)",
        );
        check(
            "of",
            "(Ljava/lang/invoke/MethodHandle;)Z",
            "boolean of(java.lang.invoke.MethodHandle)",
        );
    }

    #[test]
    fn calls_have_no_result() {
        assert_eq!(call_in_source("rebate", "(IJ)I"), "rebate(int, long)");
        assert_eq!(call_in_source("rebate", "(I"), "rebate(I");
    }

    #[test]
    fn initialisers_have_no_result() {
        check("<init>", "(I)V", "<init>(int)");
    }

    #[test]
    fn what_is_no_descriptor_is_shown_as_it_is() {
        for descriptor in ["", "()", "(I", "(Lx)V", "(Q)V", "()VV", "([)V", "(ä)V"] {
            check("m", descriptor, &format!("m{descriptor}"));
        }
        assert_eq!(type_in_source("II"), "II");
    }
}
