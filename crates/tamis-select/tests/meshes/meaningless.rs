//! Changes of a class file that mean nothing: no checksum may move.

use std::collections::BTreeMap;

use tamis_classfile::attribute::{Attribute, AttributeContent, FrameKind, InnerClass};
use tamis_classfile::checksum::ClassChecksums;
use tamis_classfile::{ClassFile, Constant, ConstantPool, Method, VisitConstants};

use crate::permutation::random_places;
use crate::random::Random;

/// One such change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaningless {
    ConstantsPermuted,
    ConstantAppended,
    ConstantDuplicated,
    AttributesReordered,
    MethodsReordered,
    DebugInfoRemoved,
    LinesMoved,
    BootstrapMethodsReordered,
    InnerClassOfOthersAdded,
    FramesWrittenLonger,
    NumberedMethodsRenumbered,
}

impl Meaningless {
    pub(crate) const ALL: [Self; 11] = [
        Self::ConstantsPermuted,
        Self::ConstantAppended,
        Self::ConstantDuplicated,
        Self::AttributesReordered,
        Self::MethodsReordered,
        Self::DebugInfoRemoved,
        Self::LinesMoved,
        Self::BootstrapMethodsReordered,
        Self::InnerClassOfOthersAdded,
        Self::FramesWrittenLonger,
        Self::NumberedMethodsRenumbered,
    ];

    /// Whether the smart checksum may show it although no part does: it writes each constant once,
    /// wherever it stands in the pool.
    pub(crate) fn may_show_in_smart(self) -> bool {
        self == Self::ConstantDuplicated
    }

    /// Whether there was something to change; the checksums are those of the class as it is.
    pub(crate) fn apply(
        self,
        class: &mut ClassFile<'static>,
        sums: &ClassChecksums,
        random: &mut Random,
    ) -> bool {
        let changed = match self {
            Self::ConstantsPermuted => permute_constants(class, random),
            Self::ConstantAppended => class
                .constant_pool
                .push(Constant::Double(0x7ff8_0000_dead_beef))
                .ok()
                .map(drop),
            Self::ConstantDuplicated => duplicate_constant(class, random),
            Self::AttributesReordered => {
                for_each_attributes(class, &mut |attributes| random.shuffle(attributes));
                Some(())
            }
            Self::MethodsReordered => reorder_methods(class, random),
            Self::DebugInfoRemoved => {
                for_each_attributes(class, &mut |attributes| attributes.retain(is_no_debug_info));
                Some(())
            }
            Self::LinesMoved => {
                move_lines(class);
                Some(())
            }
            Self::BootstrapMethodsReordered => reorder_bootstrap_methods(class, random),
            Self::InnerClassOfOthersAdded => add_inner_class_of_others(class),
            Self::FramesWrittenLonger => {
                lengthen_frames(class);
                Some(())
            }
            Self::NumberedMethodsRenumbered => renumber_methods(class, sums),
        };
        changed.is_some()
    }
}

/// Reflection shows the order of methods of one name: those stay as they are.
fn reorder_methods(class: &mut ClassFile<'static>, random: &mut Random) -> Option<()> {
    let pool = &class.constant_pool;
    let name = |method: &Method<'_>| pool.utf8(method.name).unwrap_or_default().to_vec();
    let mut names: Vec<_> = class.methods.iter().map(name).collect();
    names.sort();
    names.dedup();
    random.shuffle(&mut names);
    let place = |method: &Method<'_>| names.iter().position(|other| *other == name(method));
    class.methods.sort_by_cached_key(place);
    (names.len() > 1).then_some(())
}

/// Visits all lists of attributes, the inner ones after the outer ones.
pub(crate) fn for_each_attributes(
    class: &mut ClassFile<'static>,
    visit: &mut dyn FnMut(&mut Vec<Attribute<'static>>),
) {
    visit_nested(&mut class.attributes, visit);
    for field in &mut class.fields {
        visit_nested(&mut field.attributes, visit);
    }
    for method in &mut class.methods {
        visit_nested(&mut method.attributes, visit);
    }
}

fn visit_nested(
    attributes: &mut Vec<Attribute<'static>>,
    visit: &mut dyn FnMut(&mut Vec<Attribute<'static>>),
) {
    visit(attributes);
    for attribute in attributes {
        match &mut attribute.content {
            AttributeContent::Code(code) => visit(&mut code.attributes),
            AttributeContent::Record(components) => {
                for component in components {
                    visit(&mut component.attributes);
                }
            }
            _ => {}
        }
    }
}

fn permute_constants(class: &mut ClassFile<'static>, random: &mut Random) -> Option<()> {
    let places = random_places(class, random).ok()?;
    // Attributes of unknown layout are refused; the round trip counts them.
    class.permute_constants(&places).ok()
}

/// Appends a copy of a constant and lets one of its users name the copy.
fn duplicate_constant(class: &mut ClassFile<'static>, random: &mut Random) -> Option<()> {
    let index = 1 + random.below(class.constant_pool.len() - 1) as u16;
    let constant = class.constant_pool.get(index).ok()?.clone();
    let mut copy = Some(class.constant_pool.push(constant).ok()?);
    let mut visit = |user: &mut u16| {
        if *user == index
            && let Some(copy) = copy.take()
        {
            *user = copy;
        }
    };
    for method in &mut class.methods {
        visit(&mut method.name);
        visit(&mut method.descriptor);
    }
    for field in &mut class.fields {
        visit(&mut field.name);
        visit(&mut field.descriptor);
    }
    class.interfaces.iter_mut().for_each(&mut visit);
    visit(&mut class.super_class);
    class.attributes.visit_constants(&mut visit);
    for method in &mut class.methods {
        method.attributes.visit_constants(&mut visit);
    }
    Some(())
}

fn is_no_debug_info(attribute: &Attribute<'_>) -> bool {
    !matches!(
        attribute.content,
        AttributeContent::SourceFile(_)
            | AttributeContent::SourceDebugExtension(_)
            | AttributeContent::LineNumberTable(_)
            | AttributeContent::LocalVariableTable(_)
            | AttributeContent::LocalVariableTypeTable(_)
    )
}

fn move_lines(class: &mut ClassFile<'static>) {
    for_each_attributes(class, &mut |attributes| {
        for attribute in attributes {
            if let AttributeContent::LineNumberTable(lines) = &mut attribute.content {
                lines.update(|row| row.line = row.line.wrapping_add(1));
            }
        }
    });
}

fn reorder_bootstrap_methods(class: &mut ClassFile<'static>, random: &mut Random) -> Option<()> {
    let methods = class
        .attributes
        .iter_mut()
        .find_map(|a| match &mut a.content {
            AttributeContent::BootstrapMethods(methods) => Some(methods),
            _ => None,
        })?;
    let mut order: Vec<usize> = (0..methods.len()).collect();
    random.shuffle(&mut order);
    *methods = order.iter().map(|old| methods[*old].clone()).collect();
    let new_of: BTreeMap<usize, u16> = order.into_iter().zip(0..).collect();
    let pool = &mut class.constant_pool;
    for index in 1..pool.len() as u16 {
        let Ok(constant) = pool.get(index) else {
            continue;
        };
        let mut constant = constant.clone();
        if let Constant::Dynamic(dynamic) | Constant::InvokeDynamic(dynamic) = &mut constant {
            dynamic.bootstrap = *new_of.get(&usize::from(dynamic.bootstrap))?;
            pool.set(index, constant).ok()?;
        }
    }
    Some(())
}

/// A row such as javac adds wherever the code names a nested class of another class.
fn add_inner_class_of_others(class: &mut ClassFile<'static>) -> Option<()> {
    let pool = &mut class.constant_pool;
    let mut push_class = |name: &'static [u8]| {
        let name = pool.push(Constant::Utf8(name.into())).ok()?;
        pool.push(Constant::Class(name)).ok()
    };
    let row = InnerClass {
        inner: push_class(b"java/util/Map$Entry")?,
        outer: push_class(b"java/util/Map")?,
        name: pool.push(Constant::Utf8(b"Entry"[..].into())).ok()?,
        access_flags: 0x0609,
    };
    let rows = class
        .attributes
        .iter_mut()
        .find_map(|a| match &mut a.content {
            AttributeContent::InnerClasses(rows) => Some(rows),
            _ => None,
        });
    if let Some(rows) = rows {
        rows.push(&row);
        return Some(());
    }
    let attribute = Attribute {
        name: pool.push(Constant::Utf8(b"InnerClasses"[..].into())).ok()?,
        content: AttributeContent::InnerClasses([row].into_iter().collect()),
    };
    class.attributes.push(attribute);
    Some(())
}

fn lengthen_frames(class: &mut ClassFile<'static>) {
    for_each_attributes(class, &mut |attributes| {
        for attribute in attributes {
            let AttributeContent::StackMapTable(frames) = &mut attribute.content else {
                continue;
            };
            for frame in frames {
                match &frame.kind {
                    FrameKind::Same => frame.kind = FrameKind::SameExtended,
                    FrameKind::SameLocals1(value) => {
                        frame.kind = FrameKind::SameLocals1Extended(*value);
                    }
                    _ => {}
                }
            }
        }
    });
}

/// Gives `lambda$f$3` and the like other numbers, everywhere. Left out are those that nobody names,
/// which the smart checksum tells by their names, and those that share their names with fields.
fn renumber_methods(class: &mut ClassFile<'static>, sums: &ClassChecksums) -> Option<()> {
    let numbered = |name: &[u8]| {
        let mut methods = sums
            .methods
            .iter()
            .filter(|m| m.id.name.as_bytes() == name)
            .peekable();
        methods.peek().is_some() && methods.all(|method| method.is_known_by_content)
    };
    let pool = &mut class.constant_pool;
    let is_named = |index: u16, pool: &ConstantPool<'_>| {
        let mut constants = pool.iter().map(|(_, constant)| constant);
        constants.any(|c| matches!(c, Constant::NameAndType { name, .. } if *name == index))
    };
    let fields: Vec<u16> = class.fields.iter().map(|field| field.name).collect();
    let mut changed = None;
    for index in 1..pool.len() as u16 {
        let Ok(name) = pool.utf8(index) else {
            continue;
        };
        if numbered(name) && is_named(index, pool) && !fields.contains(&index) {
            let renamed = [name, b"007"].concat();
            pool.set(index, Constant::Utf8(renamed.into())).ok()?;
            changed = Some(());
        }
    }
    changed
}
