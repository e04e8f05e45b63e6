//! What a constant is used for, to explain why changing it changed nothing.

use std::collections::BTreeSet;

use tamis_classfile::attribute::{Attribute, AttributeContent, BootstrapMethod, InnerClass};
use tamis_classfile::instruction::instructions;
use tamis_classfile::{ClassFile, Constant, VisitConstants};

use crate::meaningless::for_each_attributes;

/// `used`, or that nothing which counts names the constant.
pub(crate) fn of(class: &ClassFile<'static>, index: u16) -> &'static str {
    if reached(class).contains(&index) {
        "used"
    } else {
        "not used where it counts"
    }
}

/// The constants that something which counts names, directly or not.
fn reached(class: &ClassFile<'static>) -> BTreeSet<u16> {
    let mut class = class.clone();
    let bootstrap_methods = take_bootstrap_methods(&mut class);
    for_each_attributes(&mut class, &mut |attributes| attributes.retain(counts));
    keep_own_inner_classes(&mut class);
    let mut found = BTreeSet::new();
    let mut stack = roots(&mut class);
    while let Some(index) = stack.pop() {
        let Ok(constant) = class.constant_pool.get(index) else {
            continue;
        };
        if !found.insert(index) {
            continue;
        }
        constant
            .clone()
            .visit_constants(&mut |next| stack.push(*next));
        if let Constant::Dynamic(dynamic) | Constant::InvokeDynamic(dynamic) = constant
            && let Some(method) = bootstrap_methods.get(usize::from(dynamic.bootstrap))
        {
            method
                .clone()
                .visit_constants(&mut |next| stack.push(*next));
        }
    }
    found
}

fn take_bootstrap_methods(class: &mut ClassFile<'static>) -> Vec<BootstrapMethod<'static>> {
    let mut taken = Vec::new();
    for attribute in &mut class.attributes {
        if let AttributeContent::BootstrapMethods(methods) = &mut attribute.content {
            taken.append(methods);
        }
    }
    taken
}

/// Whether an attribute is part of any checksum.
fn counts(attribute: &Attribute<'_>) -> bool {
    !matches!(
        attribute.content,
        AttributeContent::SourceFile(_)
            | AttributeContent::SourceDebugExtension(_)
            | AttributeContent::LineNumberTable(_)
            | AttributeContent::LocalVariableTable(_)
            | AttributeContent::LocalVariableTypeTable(_)
            | AttributeContent::RuntimeInvisibleAnnotations(_)
            | AttributeContent::RuntimeInvisibleParameterAnnotations(_)
            | AttributeContent::RuntimeInvisibleTypeAnnotations(_)
            | AttributeContent::Deprecated
            | AttributeContent::BootstrapMethods(_)
    )
}

fn keep_own_inner_classes(class: &mut ClassFile<'static>) {
    let this = class.this_class;
    for attribute in &mut class.attributes {
        if let AttributeContent::InnerClasses(rows) = &mut attribute.content {
            let is_own = |row: &InnerClass| row.inner == this || row.outer == this;
            *rows = rows.iter().filter(is_own).collect();
        }
    }
}

/// All indices outside the constant pool.
fn roots(class: &mut ClassFile<'static>) -> Vec<u16> {
    let mut roots = vec![class.this_class, class.super_class];
    roots.extend(&class.interfaces);
    let mut visit = |index: &mut u16| roots.push(*index);
    class.attributes.visit_constants(&mut visit);
    for field in &mut class.fields {
        visit(&mut field.name);
        visit(&mut field.descriptor);
        field.attributes.visit_constants(&mut visit);
    }
    for method in &mut class.methods {
        visit(&mut method.name);
        visit(&mut method.descriptor);
        method.attributes.visit_constants(&mut visit);
    }
    for code in class.methods.iter().filter_map(|method| method.code()) {
        let decoded = instructions(&code.instructions).filter_map(Result::ok);
        roots.extend(decoded.filter_map(|instruction| instruction.constant()));
    }
    roots
}
