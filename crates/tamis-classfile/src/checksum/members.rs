//! What reflection lists (`members`), and what can be overridden or hidden (`signatures`).

use tamis_facts::Checksum;

use super::Checksummer;
use super::context::{Context, put_bytes, put_length};
use super::declaration::put_flags;
use crate::access_flags::AccessFlags;
use crate::attribute::{Attribute, AttributeContent};
use crate::class_file::Method;
use crate::cursor::PutBytes;
use crate::error::Result;

impl Checksummer<'_> {
    /// A method without its body: what reflection shows of it.
    pub fn declaration(&self, method: &Method<'_>) -> Result<Checksum> {
        self.part(|context, out| context.put_method_declaration(method, out))
    }
}

impl Context<'_> {
    /// Fields and record components in order, methods and constructors as a set, member classes.
    pub(super) fn put_members(&self, out: &mut Vec<u8>) -> Result<()> {
        let class = self.class;
        put_length(class.fields.len(), out);
        for field in &class.fields {
            self.put_field(field, out)?;
            self.put_constant_value(&field.attributes, out)?;
            self.put_annotations(&field.attributes, out)?;
        }
        let mut methods = Vec::with_capacity(class.methods.len());
        for method in &class.methods {
            let mut bytes = Vec::new();
            self.put_method_declaration(method, &mut bytes)?;
            methods.push(bytes);
        }
        put_length(methods.len(), out);
        for position in self.order_of_methods(|position| &methods[position])? {
            put_bytes(&methods[position], out);
        }
        for attribute in &class.attributes {
            if let AttributeContent::Record(components) = &attribute.content {
                out.put_u8(b'r');
                self.put_record(components, out)?;
            }
        }
        self.put_listing(out)
    }

    /// The positions of the methods, sorted by name, those of one name in the order of the file,
    /// which reflection shows; methods known by content come last, sorted by what is written of them.
    pub(super) fn order_of_methods<'b>(
        &self,
        written: impl Fn(usize) -> &'b [u8],
    ) -> Result<Vec<usize>> {
        let mut order = Vec::with_capacity(self.class.methods.len());
        for (position, method) in self.class.methods.iter().enumerate() {
            let key = match self.content_of(method)? {
                None => (false, self.pool().utf8(method.name)?),
                Some(_) => (true, written(position)),
            };
            order.push((key, position));
        }
        order.sort_by_key(|(key, _)| *key);
        Ok(order.into_iter().map(|(_, position)| position).collect())
    }

    /// What is listed and stands nowhere else: member classes and nest members, in their order.
    pub(super) fn put_listing(&self, out: &mut Vec<u8>) -> Result<()> {
        for attribute in &self.class.attributes {
            let AttributeContent::InnerClasses(rows) = &attribute.content else {
                continue;
            };
            for row in rows.iter() {
                if row.outer != 0 && self.pool().class(row.outer)? == self.name {
                    out.put_u8(b'i');
                    self.put_class(row.inner, out)?;
                    self.put_optional_utf8(row.name, out)?;
                    out.put_u16(row.access_flags);
                }
            }
        }
        for attribute in &self.class.attributes {
            if let AttributeContent::NestMembers(classes) = &attribute.content {
                out.put_u8(b'n');
                self.put_classes(classes, out)?;
            }
        }
        Ok(())
    }

    /// The non-private instance methods and the non-private fields, as sets. What a compiler makes up overrides too.
    pub(super) fn put_signatures(&self, out: &mut Vec<u8>) -> Result<()> {
        let mut methods = Vec::new();
        for method in &self.class.methods {
            let flags = method.access_flags;
            let is_static = flags.contains(AccessFlags::STATIC);
            let is_private = flags.contains(AccessFlags::PRIVATE);
            let is_constructor = self.pool().utf8(method.name)?.first() == Some(&b'<');
            if !is_static && !is_private && !is_constructor {
                let mut bytes = Vec::new();
                self.put_utf8(method.name, &mut bytes)?;
                self.put_utf8(method.descriptor, &mut bytes)?;
                put_signature_flags(flags, &method.attributes, &mut bytes);
                methods.push(bytes);
            }
        }
        #[cfg(feature = "sabotage")]
        if crate::sabotage::LOOK_UPS_IGNORED.load(std::sync::atomic::Ordering::Relaxed) {
            methods.clear();
        }
        put_sorted(methods, out);
        let mut fields = Vec::new();
        for field in &self.class.fields {
            if !field.access_flags.contains(AccessFlags::PRIVATE) {
                let mut bytes = Vec::new();
                self.put_utf8(field.name, &mut bytes)?;
                self.put_utf8(field.descriptor, &mut bytes)?;
                put_signature_flags(field.access_flags, &field.attributes, &mut bytes);
                fields.push(bytes);
            }
        }
        put_sorted(fields, out);
        Ok(())
    }
}

fn put_signature_flags(flags: AccessFlags, attributes: &[Attribute<'_>], out: &mut Vec<u8>) {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::SIGNATURES_WITHOUT_FLAGS.load(std::sync::atomic::Ordering::Relaxed) {
        return;
    }
    put_flags(flags, attributes, out);
}

fn put_sorted(mut items: Vec<Vec<u8>>, out: &mut Vec<u8>) {
    items.sort();
    put_length(items.len(), out);
    for item in &items {
        put_bytes(item, out);
    }
}
