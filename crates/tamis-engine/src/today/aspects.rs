//! What a JVM asks of a class when it links or shows another one. Who runs that other one need not run any code of this.
//!
//! To check code, a JVM asks whether one class that the code names is below another (JVMS 4.10.1.2); interfaces pass. To let code
//! reach a private member, and to tell to what a class belongs, it asks the outer class whether that lists the inner one.

use std::collections::BTreeSet;

use tamis_classfile::attribute::AttributeContent;
use tamis_classfile::{AccessFlags, ClassFile, Result};
use tamis_facts::{Checksum, ClassName};
use tamis_select::plain;

/// All that a class has of these, as checksums.
pub(crate) fn aspects(class: &ClassFile<'_>) -> Result<BTreeSet<Checksum>> {
    let pool = &class.constant_pool;
    let mut found = BTreeSet::from([ancestry(class)?]);
    for attribute in &class.attributes {
        match &attribute.content {
            AttributeContent::NestMembers(members) => {
                for member in members.iter() {
                    found.insert(nest_member(&pool.class(member.index)?.into()));
                }
            }
            AttributeContent::InnerClasses(rows) => {
                for row in rows.iter() {
                    let inner = pool.class(row.inner)?.into();
                    found.insert(inner_class(&inner, None));
                    if row.outer != 0 {
                        let outer = pool.class(row.outer)?.into();
                        found.insert(inner_class(&inner, Some(&outer)));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// What decides whether a class and those below it can be loaded, and below what they are.
pub(crate) fn ancestry(class: &ClassFile<'_>) -> Result<Checksum> {
    const DECIDING: u16 = AccessFlags::PUBLIC.0 | AccessFlags::FINAL.0 | AccessFlags::INTERFACE.0;
    let pool = &class.constant_pool;
    let flags = class.access_flags.0 & DECIDING;
    let mut bytes = [b"ancestry\0", &flags.to_le_bytes()[..]].concat();
    let mut add = |name: &[u8]| bytes.extend([name, b"\0"].concat());
    add(class.super_name()?.unwrap_or_default());
    for interface in &class.interfaces {
        add(pool.class(*interface)?);
    }
    for attribute in &class.attributes {
        if let AttributeContent::PermittedSubclasses(permitted) = &attribute.content {
            add(b"permits");
            for one in permitted.iter() {
                add(pool.class(one.index)?);
            }
        }
    }
    Ok(plain(&bytes))
}

/// That a class lists another one as member of its nest.
pub(crate) fn nest_member(member: &ClassName) -> Checksum {
    plain(&[b"nest\0", member.as_bytes()].concat())
}

/// That a class lists another one among the inner classes; of those with an outer class also that one, which it is itself.
pub(crate) fn inner_class(inner: &ClassName, outer: Option<&ClassName>) -> Checksum {
    let outer = outer.map(ClassName::as_bytes).unwrap_or_default();
    plain(&[b"inner\0", inner.as_bytes(), b"\0", outer].concat())
}

#[cfg(test)]
mod tests {
    use tamis_classfile::checksum::DebugInfo;
    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    use super::*;
    use crate::today::{ClassParts, ClassSums};

    /// What there is of `A`, the class that is compiled from this text beside others.
    fn check(server: &mut JavaServer, text: &str) -> ClassParts {
        const OTHERS: &str = "class Z { } interface I { }";
        let sources = [("A.java", text), ("Z.java", OTHERS)];
        let classes = server.compile(&[], &sources).unwrap();
        let (_, bytes) = classes.into_iter().find(|(name, _)| name == "A").unwrap();
        ClassSums::of(&bytes, DebugInfo::Ignored).parts.unwrap()
    }

    #[test]
    fn what_decides_below_what_a_class_is() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let mut ancestry = |text| check(&mut server, text).ancestry;
        let plain = ancestry("class A { }");
        assert_eq!(plain, ancestry("abstract class A { int f; void m() { } }"));
        for other in [
            "class A extends Z { }",
            "class A implements I { }",
            "interface A { }",
            "final class A { }",
            "public class A { }",
            "sealed class A permits B { } final class B extends A { }",
        ] {
            assert_ne!(plain, ancestry(other), "{other}");
        }
    }

    #[test]
    fn what_a_class_lists() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let outer = ClassName::from("A");
        let inner = ClassName::from("A$B");
        let anonymous = ClassName::from("A$1");
        for (text, expected) in [
            ("class A { }", [false; 4]),
            ("class A { class B { } }", [true, true, false, false]),
            (
                "class A { class B { } Object o() { return new A() { }; } }",
                [true; 4],
            ),
        ] {
            let found = check(&mut server, text);
            let aspects = [
                nest_member(&inner),
                inner_class(&inner, Some(&outer)),
                nest_member(&anonymous),
                inner_class(&anonymous, None),
            ];
            let has = aspects.map(|aspect| found.has_aspect(aspect));
            assert_eq!(has, expected, "{text}");
            assert!(found.has_aspect(found.ancestry));
        }
    }
}
