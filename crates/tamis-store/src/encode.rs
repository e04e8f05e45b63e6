//! Subjects of facts as a number and bytes, and back.

use tamis_facts::{
    ClassName, FieldId, FilePath, MethodId, ModifiedUtf8, Outside, RawText, Subject, SubjectKind,
};

use crate::error::StoreError;

/// The number and the bytes of a subject.
pub(crate) fn encode(subject: &Subject) -> (u8, Vec<u8>) {
    let bytes = match subject {
        Subject::Method(class, MethodId { name, descriptor })
        | Subject::Resolution(class, MethodId { name, descriptor })
        | Subject::Dispatch(class, MethodId { name, descriptor })
        | Subject::Field(class, FieldId { name, descriptor }) => joined(class, name, descriptor),
        Subject::Supertypes(class, supertypes) => {
            let names = [class].into_iter().chain(supertypes);
            names
                .map(ClassName::as_bytes)
                .collect::<Vec<&[u8]>>()
                .join(&0)
        }
        Subject::Block(class, MethodId { name, descriptor }, block) => {
            let mut bytes = joined(class, name, descriptor);
            bytes.push(0);
            bytes.extend(block.to_le_bytes());
            bytes
        }
        Subject::Outside(outside) => outside.name().into(),
        other => {
            let class = other.class().map(ClassName::as_bytes);
            let name = class
                .or(other.path().map(FilePath::as_bytes))
                .or(other.name().map(RawText::as_bytes));
            name.unwrap_or_default().to_vec()
        }
    };
    (number(subject.kind()), bytes)
}

/// The subject that has this number and these bytes.
pub(crate) fn parse(kind: u8, bytes: &[u8]) -> Result<Subject, StoreError> {
    const WHAT: &str = "a fact";
    let kind = SubjectKind::ALL
        .iter()
        .find(|known| number(**known) == kind);
    let kind = *kind.ok_or(StoreError::Damaged { what: WHAT })?;
    let class = || ClassName::from(bytes);
    let path = || FilePath(bytes.to_vec());
    let name = || RawText(bytes.to_vec());
    Ok(match kind {
        SubjectKind::Class => Subject::Class(class()),
        SubjectKind::Whole => Subject::Whole(class()),
        SubjectKind::Head => Subject::Head(class()),
        SubjectKind::Members => Subject::Members(class()),
        SubjectKind::Declaration => Subject::Declaration(class()),
        SubjectKind::Fields => Subject::Fields(class()),
        SubjectKind::Signatures => Subject::Signatures(class()),
        SubjectKind::Callbacks => Subject::Callbacks(class()),
        SubjectKind::Supertypes => {
            let mut names = bytes.split(|byte| *byte == 0).map(ClassName::from);
            let class = names.next().unwrap_or_default();
            Subject::Supertypes(class, names.collect())
        }
        SubjectKind::Method => {
            let (class, method) = parted_method(bytes)?;
            Subject::Method(class, method)
        }
        SubjectKind::Resolution => {
            let (class, method) = parted_method(bytes)?;
            Subject::Resolution(class, method)
        }
        SubjectKind::Dispatch => {
            let (class, method) = parted_method(bytes)?;
            Subject::Dispatch(class, method)
        }
        SubjectKind::Field => {
            let (class, name, descriptor) = parted(bytes)?;
            Subject::Field(class, FieldId { name, descriptor })
        }
        SubjectKind::Block => {
            let (method, block) = split_block(bytes)?;
            let (class, name, descriptor) = parted(method)?;
            Subject::Block(class, MethodId { name, descriptor }, block)
        }
        SubjectKind::ClassNames => Subject::ClassNames,
        SubjectKind::Resource => Subject::Resource(name()),
        SubjectKind::Archives => Subject::Archives,
        SubjectKind::File => Subject::File(path()),
        SubjectKind::Presence => Subject::Presence(path()),
        SubjectKind::Listing => Subject::Listing(path()),
        SubjectKind::Files => Subject::Files,
        SubjectKind::Configuration => Subject::Configuration,
        SubjectKind::Property => Subject::Property(name()),
        SubjectKind::Properties => Subject::Properties,
        SubjectKind::Variable => Subject::Variable(name()),
        SubjectKind::Environment => Subject::Environment,
        SubjectKind::Outside => {
            let outside = Outside::of(bytes);
            Subject::Outside(outside.ok_or(StoreError::Damaged { what: WHAT })?)
        }
        SubjectKind::Jvm => Subject::Jvm,
        SubjectKind::Semantics => Subject::Semantics,
    })
}

/// Part of the format: never changed, only added to. Less than 128.
fn number(kind: SubjectKind) -> u8 {
    match kind {
        SubjectKind::Class => 1,
        SubjectKind::Whole => 2,
        SubjectKind::Head => 3,
        SubjectKind::Method => 4,
        SubjectKind::Field => 5,
        SubjectKind::Members => 6,
        SubjectKind::ClassNames => 7,
        SubjectKind::Files => 8,
        SubjectKind::Configuration => 9,
        SubjectKind::Environment => 10,
        SubjectKind::Jvm => 11,
        SubjectKind::Semantics => 12,
        SubjectKind::File => 13,
        SubjectKind::Presence => 14,
        SubjectKind::Listing => 15,
        SubjectKind::Resource => 16,
        SubjectKind::Archives => 17,
        SubjectKind::Variable => 18,
        SubjectKind::Property => 19,
        SubjectKind::Properties => 20,
        SubjectKind::Outside => 21,
        SubjectKind::Declaration => 22,
        SubjectKind::Dispatch => 23,
        SubjectKind::Block => 24,
        SubjectKind::Resolution => 25,
        SubjectKind::Callbacks => 26,
        SubjectKind::Signatures => 27,
        SubjectKind::Fields => 28,
        SubjectKind::Supertypes => 29,
    }
}

/// Between the parts stands a zero byte, which names in modified UTF-8 do not hold (JVMS 4.4.7).
fn joined(class: &ClassName, name: &ModifiedUtf8, descriptor: &ModifiedUtf8) -> Vec<u8> {
    [class.as_bytes(), name.as_bytes(), descriptor.as_bytes()].join(&0)
}

fn parted_method(bytes: &[u8]) -> Result<(ClassName, MethodId), StoreError> {
    let (class, name, descriptor) = parted(bytes)?;
    Ok((class, MethodId { name, descriptor }))
}

/// The method, and the number of the block: four bytes behind a zero byte.
fn split_block(bytes: &[u8]) -> Result<(&[u8], u32), StoreError> {
    match bytes.split_last_chunk() {
        Some(([method @ .., 0], block)) => Ok((method, u32::from_le_bytes(*block))),
        _ => Err(StoreError::Damaged { what: "a fact" }),
    }
}

fn parted(bytes: &[u8]) -> Result<(ClassName, ModifiedUtf8, ModifiedUtf8), StoreError> {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(class), Some(name), Some(descriptor)) => {
            Ok((class.into(), name.into(), descriptor.into()))
        }
        _ => Err(StoreError::Damaged { what: "a fact" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_comes_back() {
        let class = || ClassName::from("a/B");
        let method = MethodId {
            name: "m".into(),
            descriptor: "(I)V".into(),
        };
        let field = FieldId {
            name: "f".into(),
            descriptor: "I".into(),
        };
        let subjects = [
            Subject::Class(class()),
            Subject::Whole(class()),
            Subject::Head(class()),
            Subject::Declaration(class()),
            Subject::Supertypes(class(), vec!["a/A".into(), "a/I".into()]),
            Subject::Fields(class()),
            Subject::Signatures(class()),
            Subject::Resolution(class(), method.clone()),
            Subject::Dispatch(class(), method.clone()),
            Subject::Callbacks(class()),
            Subject::Method(class(), method.clone()),
            Subject::Block(class(), method, 256),
            Subject::Field(class(), field),
            Subject::Members(class()),
            Subject::ClassNames,
            Subject::Resource("a/b.txt".into()),
            Subject::Archives,
            Subject::File("a/b.txt".into()),
            Subject::Presence("/c".into()),
            Subject::Listing(FilePath::default()),
            Subject::Files,
            Subject::Configuration,
            Subject::Property("user.language".into()),
            Subject::Properties,
            Subject::Variable("HOME".into()),
            Subject::Environment,
            Subject::Outside(Outside::Process),
            Subject::Jvm,
            Subject::Semantics,
        ];
        assert_eq!(subjects.len(), SubjectKind::ALL.len());
        for subject in subjects {
            let (kind, bytes) = encode(&subject);
            assert_eq!(parse(kind, &bytes).unwrap(), subject);
        }
    }

    #[test]
    fn what_is_no_subject_is_damaged() {
        assert!(parse(0, b"").is_err());
        assert!(parse(99, b"").is_err());
        assert!(parse(4, b"a/B").is_err());
        assert!(parse(21, b"weather").is_err());
        assert!(parse(24, b"a/B\0m\0()V").is_err());
        assert!(parse(24, b"\0").is_err());
    }
}
