//! The head: what a class declares of itself (DESIGN 2, *Head*).
//!
//! What grows when a lambda, an anonymous class or a helper is added somewhere (`InnerClasses` of
//! others, `NestMembers`, `BootstrapMethods`, private and static methods) is *not* here: else every
//! user of the class would be concerned.

use super::DebugInfo;
use super::context::{Context, put_bytes, put_length};
use super::declaration::put_flags;
use crate::access_flags::AccessFlags;
use crate::attribute::{AttributeContent, Exports, Module, ModuleHashes, RecordComponent};
use crate::cursor::PutBytes;
use crate::error::Result;

impl Context<'_> {
    pub(super) fn put_head(&self, out: &mut Vec<u8>) -> Result<()> {
        let class = self.class;
        out.put_u16(class.major_version);
        out.put_u16(class.minor_version);
        put_flags(class.access_flags, &class.attributes, out);
        put_bytes(self.name, out);
        self.put_optional_class(class.super_class, out)?;
        put_length(class.interfaces.len(), out);
        class
            .interfaces
            .iter()
            .try_for_each(|index| self.put_class(*index, out))?;
        out.put_u8(u8::from(self.is_interface_with_code()));
        self.put_signature(&class.attributes, out)?;
        self.put_annotations(&class.attributes, out)?;
        self.put_own_inner_class(out)?;
        self.put_declared_fields(out)?;
        self.put_head_attributes(out)?;
        self.put_unknown(&class.attributes, out)
    }

    /// Whether initialising an implementor initialises this interface (JVMS 5.5).
    fn is_interface_with_code(&self) -> bool {
        let has_instance_code = |flags: AccessFlags| {
            !flags.contains(AccessFlags::ABSTRACT) && !flags.contains(AccessFlags::STATIC)
        };
        self.class.access_flags.contains(AccessFlags::INTERFACE)
            && self
                .class
                .methods
                .iter()
                .any(|method| has_instance_code(method.access_flags))
    }

    /// How the class itself was declared, if it is nested; rows about other classes do not count.
    fn put_own_inner_class(&self, out: &mut Vec<u8>) -> Result<()> {
        for attribute in &self.class.attributes {
            let AttributeContent::InnerClasses(rows) = &attribute.content else {
                continue;
            };
            for row in rows.iter() {
                if self.pool().class(row.inner)? == self.name {
                    out.put_u8(b'I');
                    self.put_optional_class(row.outer, out)?;
                    self.put_optional_utf8(row.name, out)?;
                    out.put_u16(row.access_flags);
                }
            }
        }
        Ok(())
    }

    /// Constants and annotations of fields: javac copies the constants into other classes, and
    /// frameworks act on the annotations, without any code of this class running.
    fn put_declared_fields(&self, out: &mut Vec<u8>) -> Result<()> {
        let mut declared = Vec::new();
        for field in &self.class.fields {
            let mut bytes = Vec::new();
            self.put_constant_value(&field.attributes, &mut bytes)?;
            self.put_annotations(&field.attributes, &mut bytes)?;
            if !bytes.is_empty() {
                let pool = self.pool();
                declared.push((pool.utf8(field.name)?, pool.utf8(field.descriptor)?, bytes));
            }
        }
        declared.sort();
        put_length(declared.len(), out);
        for (name, descriptor, bytes) in declared {
            put_bytes(name, out);
            put_bytes(descriptor, out);
            put_bytes(&bytes, out);
        }
        Ok(())
    }

    /// The remaining attributes of the head, sorted, because their order does not count.
    fn put_head_attributes(&self, out: &mut Vec<u8>) -> Result<()> {
        let mut attributes = Vec::new();
        for attribute in &self.class.attributes {
            let mut bytes = Vec::new();
            self.put_head_attribute(&attribute.content, &mut bytes)?;
            if !bytes.is_empty() {
                attributes.push(bytes);
            }
        }
        attributes.sort();
        put_length(attributes.len(), out);
        for bytes in &attributes {
            put_bytes(bytes, out);
        }
        Ok(())
    }

    fn put_head_attribute(&self, content: &AttributeContent<'_>, out: &mut Vec<u8>) -> Result<()> {
        match content {
            AttributeContent::NestHost(class) => {
                out.put_u8(b'h');
                self.put_class(*class, out)
            }
            AttributeContent::EnclosingMethod(enclosing) => {
                out.put_u8(b'e');
                self.put_class(enclosing.class, out)?;
                self.put_optional_name_and_type(enclosing.method, out)
            }
            AttributeContent::PermittedSubclasses(classes) => {
                out.put_u8(b'p');
                self.put_classes(classes, out)
            }
            AttributeContent::Record(components) => {
                out.put_u8(b'r');
                self.put_record(components, out)
            }
            AttributeContent::SourceFile(name) if self.debug_info == DebugInfo::Counted => {
                out.put_u8(b's');
                self.put_utf8(*name, out)
            }
            AttributeContent::SourceDebugExtension(bytes)
                if self.debug_info == DebugInfo::Counted =>
            {
                out.put_u8(b'x');
                put_bytes(bytes, out);
                Ok(())
            }
            AttributeContent::Module(module) => {
                out.put_u8(b'm');
                self.put_module(module, out)
            }
            AttributeContent::ModuleHashes(hashes) => {
                out.put_u8(b'k');
                self.put_module_hashes(hashes, out)
            }
            AttributeContent::ModuleMainClass(class) => {
                out.put_u8(b'c');
                self.put_class(*class, out)
            }
            AttributeContent::ModulePackages(packages) => {
                out.put_u8(b'g');
                put_length(packages.len(), out);
                packages
                    .iter()
                    .try_for_each(|package| self.put_constant(package.index, out))
            }
            AttributeContent::ModuleResolution(flags) => {
                out.put_u8(b'o');
                out.put_u16(*flags);
                Ok(())
            }
            AttributeContent::ModuleTarget(name) => {
                out.put_u8(b't');
                self.put_utf8(*name, out)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn put_record(
        &self,
        components: &[RecordComponent<'_>],
        out: &mut Vec<u8>,
    ) -> Result<()> {
        put_length(components.len(), out);
        components.iter().try_for_each(|component| {
            self.put_utf8(component.name, out)?;
            self.put_utf8(component.descriptor, out)?;
            self.put_signature(&component.attributes, out)?;
            self.put_annotations(&component.attributes, out)?;
            self.put_unknown(&component.attributes, out)
        })
    }

    fn put_module(&self, module: &Module<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.put_constant(module.name, out)?;
        out.put_u16(module.flags);
        self.put_optional_utf8(module.version, out)?;
        put_length(module.requires.len(), out);
        for requires in module.requires.iter() {
            self.put_constant(requires.module, out)?;
            out.put_u16(requires.flags);
            self.put_optional_utf8(requires.version, out)?;
        }
        self.put_exports(&module.exports, out)?;
        self.put_exports(&module.opens, out)?;
        self.put_classes(&module.uses, out)?;
        put_length(module.provides.len(), out);
        module.provides.iter().try_for_each(|provides| {
            self.put_class(provides.service, out)?;
            self.put_classes(&provides.with, out)
        })
    }

    fn put_exports(&self, list: &[Exports<'_>], out: &mut Vec<u8>) -> Result<()> {
        put_length(list.len(), out);
        for exports in list {
            self.put_constant(exports.package, out)?;
            out.put_u16(exports.flags);
            put_length(exports.to.len(), out);
            exports
                .to
                .iter()
                .try_for_each(|module| self.put_constant(module.index, out))?;
        }
        Ok(())
    }

    fn put_module_hashes(&self, hashes: &ModuleHashes<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.put_utf8(hashes.algorithm, out)?;
        put_length(hashes.hashes.len(), out);
        hashes.hashes.iter().try_for_each(|hash| {
            self.put_constant(hash.module, out)?;
            put_bytes(&hash.hash, out);
            Ok(())
        })
    }
}
