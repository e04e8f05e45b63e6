//! What fields and methods declare: flags, signatures, annotations, parameters.

use super::context::{Context, put_bytes, put_length};
use super::synthetic::without_number;
use crate::access_flags::AccessFlags;
use crate::attribute::{
    Annotation, Attribute, AttributeContent, ConstantIndex, ElementValue, TypeAnnotation,
};
use crate::class_file::{Field, Method};
use crate::cursor::PutBytes;
use crate::error::Result;
use crate::table::Table;

impl Context<'_> {
    /// A field but for its constant and its annotations, which are part of the head.
    pub(super) fn put_field(&self, field: &Field<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.put_utf8(field.name, out)?;
        self.put_utf8(field.descriptor, out)?;
        put_flags(field.access_flags, &field.attributes, out);
        self.put_signature(&field.attributes, out)?;
        self.put_unknown(&field.attributes, out)
    }

    /// A method: its name, unless the number in it means nothing, its declaration, its code.
    pub(super) fn put_method(&self, method: &Method<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.put_method_declaration(method, out)?;
        self.put_body(method, out)
    }

    /// A method without the number in its name, whether it is known by content already or not.
    pub(super) fn put_content(&self, method: &Method<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.put_numberless(method, out)?;
        self.put_declared(method, out)?;
        self.put_body(method, out)
    }

    /// What reflection shows of a method.
    pub(super) fn put_method_declaration(
        &self,
        method: &Method<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if self.content_of(method)?.is_some() {
            self.put_numberless(method, out)?;
        } else {
            out.put_u8(0);
            self.put_utf8(method.name, out)?;
        }
        self.put_declared(method, out)
    }

    pub(super) fn put_numberless(&self, method: &Method<'_>, out: &mut Vec<u8>) -> Result<()> {
        let name = self.pool().utf8(method.name)?;
        out.put_u8(1);
        put_bytes(without_number(name).unwrap_or(name), out);
        Ok(())
    }

    fn put_declared(&self, method: &Method<'_>, out: &mut Vec<u8>) -> Result<()> {
        let attributes = &method.attributes;
        self.put_utf8(method.descriptor, out)?;
        put_flags(method.access_flags, attributes, out);
        self.put_signature(attributes, out)?;
        self.put_annotations(attributes, out)?;
        for attribute in attributes {
            if let AttributeContent::Exceptions(classes) = &attribute.content {
                out.put_u8(b'E');
                self.put_classes(classes, out)?;
            }
        }
        for attribute in attributes {
            if let AttributeContent::RuntimeVisibleParameterAnnotations(lists) = &attribute.content
            {
                out.put_u8(b'P');
                put_length(lists.len(), out);
                lists
                    .iter()
                    .try_for_each(|list| self.put_annotation_list(list, out))?;
            }
        }
        for attribute in attributes {
            if let AttributeContent::AnnotationDefault(value) = &attribute.content {
                out.put_u8(b'D');
                self.put_element_value(value, out)?;
            }
        }
        for attribute in attributes {
            if let AttributeContent::MethodParameters(parameters) = &attribute.content {
                out.put_u8(b'N');
                put_length(parameters.len(), out);
                for parameter in parameters.iter() {
                    self.put_optional_utf8(parameter.name, out)?;
                    out.put_u16(parameter.access_flags);
                }
            }
        }
        self.put_unknown(attributes, out)
    }

    pub(super) fn put_signature(
        &self,
        attributes: &[Attribute<'_>],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        for attribute in attributes {
            if let AttributeContent::Signature(index) = attribute.content {
                out.put_u8(b'S');
                self.put_utf8(index, out)?;
            }
        }
        Ok(())
    }

    pub(super) fn put_constant_value(
        &self,
        attributes: &[Attribute<'_>],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        for attribute in attributes {
            if let AttributeContent::ConstantValue(index) = attribute.content {
                out.put_u8(b'V');
                self.put_constant(index, out)?;
            }
        }
        Ok(())
    }

    /// The annotations that are there at run time, in their order, of declaration and types.
    pub(super) fn put_annotations(
        &self,
        attributes: &[Attribute<'_>],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        for attribute in attributes {
            if let AttributeContent::RuntimeVisibleAnnotations(list) = &attribute.content {
                out.put_u8(b'A');
                self.put_annotation_list(list, out)?;
            }
        }
        for attribute in attributes {
            if let AttributeContent::RuntimeVisibleTypeAnnotations(list) = &attribute.content {
                out.put_u8(b'T');
                put_length(list.len(), out);
                list.iter()
                    .try_for_each(|annotation| self.put_type_annotation(annotation, out))?;
            }
        }
        Ok(())
    }

    /// Attributes that nobody knows count as they are, sorted, because their order does not count.
    /// That is coarse (their bytes may hold constant indices), and safe.
    pub(super) fn put_unknown(
        &self,
        attributes: &[Attribute<'_>],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut unknown = Vec::new();
        for attribute in attributes {
            if let AttributeContent::Unknown(bytes) = &attribute.content {
                let name = self.pool().utf8(attribute.name)?;
                if !WITHOUT_BEHAVIOUR.contains(&name) {
                    unknown.push((name, bytes));
                }
            }
        }
        unknown.sort();
        put_length(unknown.len(), out);
        for (name, bytes) in unknown {
            put_bytes(name, out);
            put_bytes(bytes, out);
        }
        Ok(())
    }

    pub(super) fn put_classes(
        &self,
        classes: &Table<'_, ConstantIndex>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        put_length(classes.len(), out);
        classes
            .iter()
            .try_for_each(|class| self.put_class(class.index, out))
    }

    fn put_annotation_list(&self, list: &[Annotation], out: &mut Vec<u8>) -> Result<()> {
        put_length(list.len(), out);
        list.iter()
            .try_for_each(|annotation| self.put_annotation(annotation, out))
    }

    fn put_annotation(&self, annotation: &Annotation, out: &mut Vec<u8>) -> Result<()> {
        self.put_utf8(annotation.type_descriptor, out)?;
        put_length(annotation.elements.len(), out);
        annotation.elements.iter().try_for_each(|element| {
            self.put_utf8(element.name, out)?;
            self.put_element_value(&element.value, out)
        })
    }

    fn put_element_value(&self, value: &ElementValue, out: &mut Vec<u8>) -> Result<()> {
        match value {
            ElementValue::Constant { tag, value } => {
                out.put_u8(*tag);
                self.put_constant(*value, out)
            }
            ElementValue::Enum {
                type_descriptor,
                name,
            } => {
                out.put_u8(b'e');
                self.put_utf8(*type_descriptor, out)?;
                self.put_utf8(*name, out)
            }
            ElementValue::Class(descriptor) => {
                out.put_u8(b'c');
                self.put_utf8(*descriptor, out)
            }
            ElementValue::Annotation(annotation) => {
                out.put_u8(b'@');
                self.put_annotation(annotation, out)
            }
            ElementValue::Array(values) => {
                out.put_u8(b'[');
                put_length(values.len(), out);
                values
                    .iter()
                    .try_for_each(|value| self.put_element_value(value, out))
            }
        }
    }

    fn put_type_annotation(&self, annotation: &TypeAnnotation, out: &mut Vec<u8>) -> Result<()> {
        annotation.target.encode(out)?;
        put_length(annotation.path.len(), out);
        for step in &annotation.path {
            out.extend([step.kind, step.argument]);
        }
        self.put_annotation(&annotation.annotation, out)
    }
}

/// Attributes of compilers that no JVM reads; scalac's inliner and type checker do.
pub(super) const WITHOUT_BEHAVIOUR: [&[u8]; 4] =
    [b"Scala", b"ScalaInlineInfo", b"ScalaSig", b"TASTY"];

/// The flags; a `Synthetic` attribute is the old spelling of the flag.
pub(super) fn put_flags(flags: AccessFlags, attributes: &[Attribute<'_>], out: &mut Vec<u8>) {
    let is_synthetic = attributes
        .iter()
        .any(|a| a.content == AttributeContent::Synthetic);
    out.put_u16(
        flags.0
            | if is_synthetic {
                AccessFlags::SYNTHETIC.0
            } else {
                0
            },
    );
}
