//! Subjects of facts as a number and bytes, and back.
//!
//! The bytes are those behind the name of the class, for what is about one: facts about a class are kept together, and
//! its name once.

use tamis_facts::{
    Checksum, ClassName, FieldId, FilePath, MethodId, ModifiedUtf8, Outside, RawText, Subject,
    SubjectKind,
};

/// The number of a subject's kind, and the bytes.
pub(crate) fn encode(subject: &Subject) -> (u8, Vec<u8>) {
    let bytes = match subject {
        Subject::Method(_, MethodId { name, descriptor })
        | Subject::Resolution(_, MethodId { name, descriptor })
        | Subject::Dispatch(_, MethodId { name, descriptor })
        | Subject::Field(_, FieldId { name, descriptor })
        | Subject::Setters(_, FieldId { name, descriptor })
        | Subject::SettersElsewhere(_, FieldId { name, descriptor }) => member(name, descriptor),
        Subject::Supertypes(_, supertypes) => {
            let names = supertypes.iter().map(ClassName::as_bytes);
            names.flat_map(|name| [b"\0", name].concat()).collect()
        }
        Subject::Aspect(_, aspect) => aspect.0.to_vec(),
        Subject::Block(_, MethodId { name, descriptor }, block) => {
            let mut bytes = member(name, descriptor);
            bytes.push(0);
            bytes.extend(block.to_le_bytes());
            bytes
        }
        Subject::Outside(outside) => outside.name().into(),
        other => {
            let path = other.path().map(FilePath::as_bytes);
            let name = path.or(other.name().map(RawText::as_bytes));
            name.unwrap_or_default().to_vec()
        }
    };
    (number(subject.kind()), bytes)
}

/// The subject of this kind that has these bytes behind the name of its class; none if there is no such subject.
pub(crate) fn parse(kind: SubjectKind, class: Option<&ClassName>, bytes: &[u8]) -> Option<Subject> {
    match class {
        Some(class) => of_class(kind, class, bytes),
        None => of_no_class(kind, bytes),
    }
}

fn of_class(kind: SubjectKind, class: &ClassName, bytes: &[u8]) -> Option<Subject> {
    let alone = |subject: fn(ClassName) -> Subject| {
        let is_alone = bytes.is_empty();
        is_alone.then(|| subject(class.clone()))
    };
    let with_method = |subject: fn(ClassName, MethodId) -> Subject| {
        let (name, descriptor) = split_member(bytes)?;
        Some(subject(class.clone(), method_id(name, descriptor)))
    };
    let with_field = |subject: fn(ClassName, FieldId) -> Subject| {
        let (name, descriptor) = split_member(bytes)?;
        let (name, descriptor) = (name.into(), descriptor.into());
        Some(subject(class.clone(), FieldId { name, descriptor }))
    };
    match kind {
        SubjectKind::Class => alone(Subject::Class),
        SubjectKind::Whole => alone(Subject::Whole),
        SubjectKind::Head => alone(Subject::Head),
        SubjectKind::Members => alone(Subject::Members),
        SubjectKind::Declaration => alone(Subject::Declaration),
        SubjectKind::Fields => alone(Subject::Fields),
        SubjectKind::Signatures => alone(Subject::Signatures),
        SubjectKind::Callbacks => alone(Subject::Callbacks),
        SubjectKind::Method => with_method(Subject::Method),
        SubjectKind::Resolution => with_method(Subject::Resolution),
        SubjectKind::Dispatch => with_method(Subject::Dispatch),
        SubjectKind::Supertypes => {
            let names = split_supertypes(bytes)?.map(ClassName::from);
            Some(Subject::Supertypes(class.clone(), names.collect()))
        }
        SubjectKind::Aspect => {
            let aspect = Checksum(bytes.try_into().ok()?);
            Some(Subject::Aspect(class.clone(), aspect))
        }
        SubjectKind::Field => with_field(Subject::Field),
        SubjectKind::Setters => with_field(Subject::Setters),
        SubjectKind::SettersElsewhere => with_field(Subject::SettersElsewhere),
        SubjectKind::Block => {
            let ((name, descriptor), block) = split_block(bytes)?;
            let method = method_id(name, descriptor);
            Some(Subject::Block(class.clone(), method, block))
        }
        _ => None,
    }
}

fn of_no_class(kind: SubjectKind, bytes: &[u8]) -> Option<Subject> {
    let alone = |subject| bytes.is_empty().then_some(subject);
    let path = || FilePath(bytes.to_vec());
    let name = || RawText(bytes.to_vec());
    match kind {
        SubjectKind::Resource => Some(Subject::Resource(name())),
        SubjectKind::Property => Some(Subject::Property(name())),
        SubjectKind::Variable => Some(Subject::Variable(name())),
        SubjectKind::File => Some(Subject::File(path())),
        SubjectKind::Presence => Some(Subject::Presence(path())),
        SubjectKind::Listing => Some(Subject::Listing(path())),
        SubjectKind::Link => Some(Subject::Link(path())),
        SubjectKind::Outside => Outside::of(bytes).map(Subject::Outside),
        SubjectKind::AllSettersElsewhere => alone(Subject::AllSettersElsewhere),
        SubjectKind::ClassNames => alone(Subject::ClassNames),
        SubjectKind::Archives => alone(Subject::Archives),
        SubjectKind::Files => alone(Subject::Files),
        SubjectKind::Configuration => alone(Subject::Configuration),
        SubjectKind::Properties => alone(Subject::Properties),
        SubjectKind::Environment => alone(Subject::Environment),
        SubjectKind::Jvm => alone(Subject::Jvm),
        SubjectKind::Semantics => alone(Subject::Semantics),
        _ => None,
    }
}

/// Whether there is a subject about a class that has these bytes, without making it.
pub(crate) fn is_of_class(kind: SubjectKind, bytes: &[u8]) -> bool {
    match kind {
        SubjectKind::Class
        | SubjectKind::Whole
        | SubjectKind::Head
        | SubjectKind::Members
        | SubjectKind::Declaration
        | SubjectKind::Fields
        | SubjectKind::Signatures
        | SubjectKind::Callbacks => bytes.is_empty(),
        SubjectKind::Method
        | SubjectKind::Resolution
        | SubjectKind::Dispatch
        | SubjectKind::Field
        | SubjectKind::Setters
        | SubjectKind::SettersElsewhere => split_member(bytes).is_some(),
        SubjectKind::Block => split_block(bytes).is_some(),
        SubjectKind::Supertypes => split_supertypes(bytes).is_some(),
        SubjectKind::Aspect => bytes.len() == size_of::<Checksum>(),
        _ => false,
    }
}

/// Numbers of kinds are less than this.
const N_NUMBERS: usize = 128;

/// The kinds by their numbers.
const KINDS: [Option<SubjectKind>; N_NUMBERS] = {
    let mut kinds = [None; N_NUMBERS];
    let mut position = 0;
    while position < SubjectKind::ALL.len() {
        let kind = SubjectKind::ALL[position];
        kinds[number(kind) as usize] = Some(kind);
        position += 1;
    }
    kinds
};

/// The kind of this number.
pub(crate) fn kind(number: u8) -> Option<SubjectKind> {
    KINDS.get(usize::from(number)).copied().flatten()
}

/// Part of the format: never changed, only added to. Less than [`N_NUMBERS`].
const fn number(kind: SubjectKind) -> u8 {
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
        SubjectKind::Setters => 30,
        SubjectKind::SettersElsewhere => 31,
        SubjectKind::AllSettersElsewhere => 32,
        SubjectKind::Aspect => 33,
        SubjectKind::Link => 34,
    }
}

/// Before each of the parts stands a zero byte, which names in modified UTF-8 do not hold (JVMS 4.4.7).
fn member(name: &ModifiedUtf8, descriptor: &ModifiedUtf8) -> Vec<u8> {
    [b"\0", name.as_bytes(), b"\0", descriptor.as_bytes()].concat()
}

/// Name and descriptor.
type Member<'b> = (&'b [u8], &'b [u8]);

fn split_member(bytes: &[u8]) -> Option<Member<'_>> {
    let rest = bytes.strip_prefix(b"\0")?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some((&rest[..end], &rest[end + 1..]))
}

/// Name and descriptor of the method, and the number of the block: four bytes behind a zero byte.
fn split_block(bytes: &[u8]) -> Option<(Member<'_>, u32)> {
    let (method, block) = bytes.split_last_chunk()?;
    let method = method.strip_suffix(b"\0")?;
    Some((split_member(method)?, u32::from_le_bytes(*block)))
}

/// The names, each behind a zero byte; there may be none.
pub(crate) fn split_supertypes(bytes: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let mut names = bytes.split(|byte| *byte == 0);
    let before_all = names.next()?;
    before_all.is_empty().then_some(names)
}

fn method_id(name: &[u8], descriptor: &[u8]) -> MethodId {
    MethodId {
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            Subject::Aspect(class(), Checksum([7; 16])),
            Subject::Fields(class()),
            Subject::Signatures(class()),
            Subject::Resolution(class(), method.clone()),
            Subject::Dispatch(class(), method.clone()),
            Subject::Callbacks(class()),
            Subject::Method(class(), method.clone()),
            Subject::Block(class(), method, 256),
            Subject::Field(class(), field.clone()),
            Subject::Setters(class(), field.clone()),
            Subject::SettersElsewhere(class(), field),
            Subject::AllSettersElsewhere,
            Subject::Members(class()),
            Subject::ClassNames,
            Subject::Resource("a/b.txt".into()),
            Subject::Archives,
            Subject::File("a/b.txt".into()),
            Subject::Presence("/c".into()),
            Subject::Listing(FilePath::default()),
            Subject::Link("d".into()),
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
            let (number, bytes) = encode(&subject);
            let kind = kind(number).unwrap();
            assert_eq!(kind, subject.kind());
            assert_eq!(is_of_class(kind, &bytes), subject.class().is_some());
            assert_eq!(parse(kind, subject.class(), &bytes), Some(subject));
        }
    }

    #[test]
    fn what_is_no_subject_is_damaged() {
        assert_eq!(kind(0), None);
        assert_eq!(kind(99), None);
        assert_eq!(kind(255), None);
        let class = ClassName::from("a/B");
        for (kind, bytes) in [
            (SubjectKind::Class, &b"\0"[..]),
            (SubjectKind::Method, b""),
            (SubjectKind::Method, b"\0m"),
            (SubjectKind::Method, b"m\0()V"),
            (SubjectKind::Block, b"\0m\0()V"),
            (SubjectKind::Block, b"\0"),
            (SubjectKind::Supertypes, b"a/A"),
            (SubjectKind::Files, b""),
        ] {
            assert_eq!(parse(kind, Some(&class), bytes), None, "{kind}");
            assert!(!is_of_class(kind, bytes));
        }
        assert_eq!(parse(SubjectKind::Outside, None, b"weather"), None);
        assert_eq!(parse(SubjectKind::Files, None, b"a"), None);
        assert_eq!(parse(SubjectKind::Class, None, b""), None);
    }

    proptest! {
        #[test]
        fn what_can_be_made_is_known_without_making_it(kind in prop::sample::select(SubjectKind::ALL), bytes: Vec<u8>) {
            let zeros = bytes.iter().map(|byte| byte.saturating_sub(192)).collect::<Vec<u8>>();
            for bytes in [bytes, zeros] {
                let made = parse(kind, Some(&"a/B".into()), &bytes);
                prop_assert_eq!(is_of_class(kind, &bytes), made.is_some());
                if let Some(made) = made {
                    prop_assert_eq!(encode(&made).1, bytes);
                }
            }
        }
    }
}
