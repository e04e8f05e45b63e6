//! Which static fields of a class its initialiser may make lead to the same objects.
//!
//! `B = A`, `ALL = List.of(A)` and `BY_NAME.put("a", A)` each name two fields in one statement, and from then on one object is
//! reached in two ways. What passes through local variables is followed by their slots. Statements end where compilers leave
//! nothing on the stack; if that is not seen, two of them are taken for one.

use std::collections::BTreeSet;

use tamis_classfile::ClassFile;
use tamis_classfile::attribute::Code;
use tamis_classfile::instruction::{Instruction, Operands, instructions, opcode};
use tamis_facts::FieldId;

use crate::kept::slot;

/// What holds a value beyond a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Field(FieldId),
    Local(usize),
}

/// The fields of the class itself that code names together, in groups of two and more.
pub(crate) fn mingled(
    class: &ClassFile<'_>,
    code: &Code<'_>,
) -> tamis_classfile::Result<Vec<BTreeSet<FieldId>>> {
    let all = instructions(&code.instructions).collect::<tamis_classfile::Result<Vec<_>>>()?;
    let mut groups: Vec<BTreeSet<Holder>> = Vec::new();
    let mut statement = BTreeSet::new();
    for (at, instruction) in all.iter().enumerate() {
        statement.extend(holder(class, instruction)?);
        let before = at.checked_sub(1).map(|before| all[before].opcode);
        if ends_statement(class, instruction, before)? {
            join(&mut groups, std::mem::take(&mut statement));
        }
    }
    join(&mut groups, statement);
    let fields = groups.into_iter().map(|group| {
        let fields = group.into_iter().filter_map(|holder| match holder {
            Holder::Field(field) => Some(field),
            Holder::Local(_) => None,
        });
        fields.collect::<BTreeSet<FieldId>>()
    });
    Ok(fields.filter(|group| group.len() > 1).collect())
}

/// Adds a group, which becomes one with those that it shares something with.
fn join(groups: &mut Vec<BTreeSet<Holder>>, mut new: BTreeSet<Holder>) {
    groups.retain_mut(|group| {
        let is_apart = group.is_disjoint(&new);
        if !is_apart {
            new.append(group);
        }
        is_apart
    });
    groups.push(new);
}

/// What an instruction takes a reference from or puts it into.
fn holder(
    class: &ClassFile<'_>,
    instruction: &Instruction<'_>,
) -> tamis_classfile::Result<Option<Holder>> {
    match (instruction.opcode, instruction.operands) {
        (opcode::GETSTATIC | opcode::PUTSTATIC, Operands::Constant { index, .. }) => {
            let member = class.constant_pool.member(index)?;
            let is_own = member.owner == class.name()?;
            Ok(is_own.then(|| {
                Holder::Field(FieldId {
                    name: member.name.into(),
                    descriptor: member.descriptor.into(),
                })
            }))
        }
        (opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3, _) => {
            Ok(slot(instruction, opcode::ALOAD_0).map(Holder::Local))
        }
        (opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3, _) => {
            Ok(slot(instruction, opcode::ASTORE_0).map(Holder::Local))
        }
        _ => Ok(None),
    }
}

/// Whether nothing is left on the stack after an instruction, by what compilers write.
fn ends_statement(
    class: &ClassFile<'_>,
    instruction: &Instruction<'_>,
    before: Option<u8>,
) -> tamis_classfile::Result<bool> {
    match (instruction.opcode, instruction.operands) {
        // What was doubled before is still there, as in `a = b = c`.
        (opcode::PUTSTATIC | opcode::ISTORE..=opcode::ASTORE_3, _) => {
            Ok(before != Some(opcode::DUP))
        }
        (opcode::POP | opcode::POP2, _) => Ok(true),
        (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE, Operands::Constant { index, .. }) => {
            let member = class.constant_pool.member(index)?;
            Ok(member.descriptor.ends_with(b")V") && member.name != b"<init>")
        }
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use tamis_testkit::jdks::newest_jdk;
    use tamis_testkit::server::JavaServer;

    use super::*;

    const NAMES: &str = r#"package p; import java.util.*; public class Names {
        static final Object a = new Object(), b = a;
        static final List<Object> c = Collections.singletonList(a);
        static final Object d = new Object();
        static final Map<String, Object> e = new HashMap<>();
        static final Object f, g, h = System.out;
        static { Object local = d; e.put("d", local); }
        static { f = g = new Object(); }
        static final int n = e.size();
        static final Object[] i = { h, new Object() }, j = { new Object() };
        static final Object k = new Object();
        static { if (n > 3) e.clear(); }
        static void later() { System.out.println(j == k); }
    }"#;

    #[test]
    fn fields_that_one_statement_names() {
        let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
        let compiled = server.compile(&[], &[("p/Names.java", NAMES)]).unwrap();
        let (_, bytes) = compiled.iter().next().unwrap();
        let class = ClassFile::parse(bytes).unwrap();
        let mut codes = class.methods.iter().filter(|method| {
            let name = class.constant_pool.utf8(method.name).unwrap();
            name == b"<clinit>"
        });
        let code = codes.next().unwrap().code().unwrap();
        let mut found: Vec<String> = mingled(&class, code)
            .unwrap()
            .iter()
            .map(|group| group.iter().map(|field| field.name.to_string()).collect())
            .collect();
        found.sort();
        assert_eq!(found, ["abc", "den", "fg", "hi"]);
    }
}
