//! Where the types of a source file lie, and their members. Types within methods are part of the method.

use std::ops::Range;

use super::tokens::SourceText;

/// A class, interface, enum or annotation that is declared in a file, at the top or in another type.
#[derive(Debug, Clone)]
pub(crate) struct TypeDeclaration {
    pub(crate) kind: TypeKind,
    pub(crate) name: String,
    /// Its first token: an annotation or a modifier perhaps.
    pub(crate) first: usize,
    /// The brackets around its members.
    pub(crate) open: usize,
    pub(crate) close: usize,
    /// The tokens after `extends` of a class.
    pub(crate) superclass: Option<Range<usize>>,
    /// The token `implements`.
    pub(crate) implements: Option<usize>,
    pub(crate) members: Vec<Member>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeKind {
    Class,
    Interface,
    Enum,
    Annotation,
    Record,
}

/// Something that is declared in a type.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Its first token: an annotation or a modifier perhaps.
    pub(crate) first: usize,
    /// Its last token: `;` or `}`.
    pub(crate) last: usize,
    /// The tokens of its modifiers.
    pub(crate) modifiers: Vec<usize>,
    /// The tokens of each annotation.
    pub(crate) annotations: Vec<Range<usize>>,
    pub(crate) kind: MemberKind,
}

#[derive(Debug, Clone)]
pub(crate) enum MemberKind {
    /// One field; a declaration of several is [`MemberKind::Other`].
    Field {
        /// The tokens of the type.
        declared: Range<usize>,
        name_at: usize,
        /// The tokens of what it is given at first.
        value: Option<Range<usize>>,
    },
    Method {
        /// The tokens before the name: type parameters and the type. None for a constructor.
        declared: Range<usize>,
        name_at: usize,
        /// The brackets around the parameters.
        parameters: (usize, usize),
        /// The brackets around the body.
        body: Option<(usize, usize)>,
    },
    /// What runs when the class is initialised, or an instance: the brackets around it.
    Initialiser {
        body: (usize, usize),
    },
    /// A nested type, which is listed on its own.
    Type,
    Other,
}

const MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "static",
    "final",
    "abstract",
    "default",
    "synchronized",
    "native",
    "transient",
    "volatile",
    "strictfp",
];

/// The types of a file, outer ones first. What is not understood is left out.
pub(crate) fn declarations(source: &SourceText) -> Vec<TypeDeclaration> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.n_tokens() {
        let word = source.token(at);
        let end_of_statement = || source.find(at, source.n_tokens(), |token| token == ";");
        at = if matches!(word, "package" | "import") {
            end_of_statement().map_or(source.n_tokens(), |end| end + 1)
        } else {
            match member(source, at, source.n_tokens(), &mut found) {
                Some(member) => member.last + 1,
                None => at + 1,
            }
        };
    }
    found
}

impl Member {
    pub(crate) fn has_modifier(&self, source: &SourceText, word: &str) -> bool {
        self.modifier(source, word).is_some()
    }

    /// The token of a modifier.
    pub(crate) fn modifier(&self, source: &SourceText, word: &str) -> Option<usize> {
        let mut modifiers = self.modifiers.iter().copied();
        modifiers.find(|number| source.token(*number) == word)
    }

    /// The tokens of the annotation of this name.
    pub(crate) fn annotation(&self, source: &SourceText, name: &str) -> Option<Range<usize>> {
        let mut annotations = self.annotations.iter();
        let found = annotations.find(|tokens| source.token(tokens.start + 1) == name);
        found.cloned()
    }

    /// The token of the name of a field or method.
    pub(crate) fn name_at(&self) -> Option<usize> {
        match self.kind {
            MemberKind::Field { name_at, .. } | MemberKind::Method { name_at, .. } => Some(name_at),
            _ => None,
        }
    }

    /// The brackets around the body of a method.
    pub(crate) fn body(&self) -> Option<(usize, usize)> {
        match self.kind {
            MemberKind::Method { body, .. } => body,
            _ => None,
        }
    }
}

impl TypeDeclaration {
    /// The name of its superclass, without package and type arguments.
    pub(crate) fn superclass_name<'s>(&self, source: &'s SourceText) -> Option<&'s str> {
        let tokens = self.superclass.clone()?;
        let end = tokens.clone().find(|number| source.token(*number) == "<");
        let last = end.unwrap_or(tokens.end).checked_sub(1)?;
        Some(source.token(last))
    }

    /// Whether it declares a member of this name.
    pub(crate) fn declares(&self, source: &SourceText, name: &str) -> bool {
        let mut names = self.members.iter().filter_map(Member::name_at);
        names.any(|number| source.token(number) == name)
    }
}

/// The member that begins with a token, and the types in it.
fn member(
    source: &SourceText,
    first: usize,
    end: usize,
    types: &mut Vec<TypeDeclaration>,
) -> Option<Member> {
    let mut member = Member {
        first,
        last: first,
        modifiers: Vec::new(),
        annotations: Vec::new(),
        kind: MemberKind::Other,
    };
    let at = modifiers(source, &mut member);
    if source.token(at) == "{" {
        let close = source.partner(at)?;
        member.last = close;
        member.kind = MemberKind::Initialiser { body: (at, close) };
    } else if let Some((kind, name_at)) = type_keyword(source, at) {
        member.last = type_declaration(source, &member, kind, name_at, types)?;
        member.kind = MemberKind::Type;
    } else {
        (member.kind, member.last) = field_or_method(source, at, end)?;
    }
    Some(member)
}

/// Reads annotations and modifiers; the token after them.
fn modifiers(source: &SourceText, member: &mut Member) -> usize {
    let mut at = member.first;
    loop {
        let word = source.token(at);
        if word == "@" && source.token(at + 1) != "interface" {
            let begin = at;
            at += 2;
            while source.token(at) == "." {
                at += 2;
            }
            if source.token(at) == "(" {
                at = source.partner(at).unwrap_or(at) + 1;
            }
            member.annotations.push(begin..at);
        } else if MODIFIERS.contains(&word) {
            member.modifiers.push(at);
            at += 1;
        } else {
            return at;
        }
    }
}

/// Whether a type is declared from this token on, and where its name is.
fn type_keyword(source: &SourceText, at: usize) -> Option<(TypeKind, usize)> {
    let (kind, name_at) = match source.token(at) {
        "class" => (TypeKind::Class, at + 1),
        "interface" => (TypeKind::Interface, at + 1),
        "enum" => (TypeKind::Enum, at + 1),
        "@" => (TypeKind::Annotation, at + 2),
        "record" if source.token(at + 2) == "(" || source.token(at + 2) == "<" => {
            (TypeKind::Record, at + 1)
        }
        _ => return None,
    };
    source.is_word(name_at).then_some((kind, name_at))
}

/// Reads a type and those in it; its last token.
fn type_declaration(
    source: &SourceText,
    member: &Member,
    kind: TypeKind,
    name_at: usize,
    types: &mut Vec<TypeDeclaration>,
) -> Option<usize> {
    let open = source.find(name_at, source.n_tokens(), |token| token == "{")?;
    let close = source.partner(open)?;
    let header = header_words(source, name_at + 1, open);
    let position = |word: &str| {
        let mut words = header.iter().copied();
        words.find(|number| source.token(*number) == word)
    };
    let implements = position("implements");
    let superclass = position("extends")
        .filter(|_| kind == TypeKind::Class)
        .map(|extends| extends + 1..implements.unwrap_or(open));
    let mut declaration = TypeDeclaration {
        kind,
        name: source.token(name_at).to_owned(),
        first: member.first,
        open,
        close,
        superclass,
        implements,
        members: Vec::new(),
    };
    let index = types.len();
    types.push(declaration.clone());
    declaration.members = members(source, &declaration, types);
    types[index] = declaration;
    Some(close)
}

/// The words of a header that are not in type parameters or arguments.
fn header_words(source: &SourceText, from: usize, end: usize) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut words = Vec::new();
    for number in from..end {
        match source.token(number) {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            _ if depth == 0 => words.push(number),
            _ => {}
        }
    }
    words
}

fn members(
    source: &SourceText,
    declaration: &TypeDeclaration,
    types: &mut Vec<TypeDeclaration>,
) -> Vec<Member> {
    let TypeDeclaration {
        kind, open, close, ..
    } = *declaration;
    let mut at = open + 1;
    if kind == TypeKind::Enum {
        // The constants come first.
        at = source
            .find(at, close, |token| token == ";")
            .unwrap_or(close);
    }
    let mut members = Vec::new();
    while at < close {
        match member(source, at, close, types) {
            _ if source.token(at) == ";" => at += 1,
            Some(member) => {
                at = member.last + 1;
                members.push(member);
            }
            None => at += 1,
        }
    }
    members
}

/// A field or a method whose type begins with this token, and its last token.
fn field_or_method(source: &SourceText, first: usize, end: usize) -> Option<(MemberKind, usize)> {
    let mut depth = 0_usize;
    let mut at = first;
    while at < end {
        match source.token(at) {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "(" if depth == 0 => return method(source, first, at, end),
            "=" | ";" | "," if depth == 0 => return field(source, first, at, end),
            "{" | "}" => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

fn method(
    source: &SourceText,
    first: usize,
    open: usize,
    end: usize,
) -> Option<(MemberKind, usize)> {
    let name_at = open.checked_sub(1).filter(|at| source.is_word(*at))?;
    let close = source.partner(open)?;
    let after = source.find(close + 1, end, |token| matches!(token, "{" | ";"))?;
    let body = source.partner(after).map(|close| (after, close));
    let kind = MemberKind::Method {
        declared: first..name_at,
        name_at,
        parameters: (open, close),
        body,
    };
    Some((kind, body.map_or(after, |(_, close)| close)))
}

fn field(source: &SourceText, first: usize, at: usize, end: usize) -> Option<(MemberKind, usize)> {
    let last = source.find(at, end, |token| token == ";")?;
    let name_at = at.checked_sub(1).filter(|at| source.is_word(*at));
    let has_several = source.find(at, last, |token| token == ",").is_some();
    let kind = match name_at {
        Some(name_at) if !has_several => MemberKind::Field {
            declared: first..name_at,
            name_at,
            value: (at < last).then_some(at + 1..last),
        },
        _ => MemberKind::Other,
    };
    Some((kind, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each type with its members, in short.
    fn check(text: &str, expected: &[&str]) {
        let source = SourceText::new(text.to_owned());
        let found = declarations(&source);
        let shown: Vec<String> = found
            .iter()
            .map(|declaration| {
                let members = declaration.members.iter().map(|member| {
                    let name = member.name_at().map_or("-", |at| source.token(at));
                    let kind = match &member.kind {
                        MemberKind::Field { value, .. } if value.is_some() => "=",
                        MemberKind::Field { .. } => "field ",
                        MemberKind::Method { .. } => "()",
                        MemberKind::Initialiser { .. } => "{}",
                        MemberKind::Type => "type",
                        MemberKind::Other => "other",
                    };
                    format!(" {kind}{name}")
                });
                let members: String = members.collect();
                let superclass = declaration.superclass_name(&source).unwrap_or("-");
                format!("{} < {superclass}:{members}", declaration.name)
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn members_of_all_kinds() {
        check(
            "package a; import b.C; @X(1) public class A<T extends B> extends p.Base<T> implements I {\n\
             private static final Map<A, B> M = new HashMap<A, B>() {{ put(1, 2); }};\n\
             int a, b; int c; static { x(); }\n\
             @Test(expected = E.class) public <T> T run(final int x) throws E { if (x) { } return null; }\n\
             A() { super(); } abstract void none(); class Inner { int y = 1; } int[] d = { 1, 2 }; }\n\
             interface J { int K = 1; void m(); }",
            &[
                "A < Base: other- other- field c {}- ()run ()A ()none type- =d",
                "Inner < -: =y",
                "J < -: =K ()m",
            ],
        );
    }

    #[test]
    fn constants_of_an_enum_are_no_members() {
        check(
            "enum E { A(1) { void m() { } }, B; private int x; E(int x) { } }",
            &["E < -: field x ()E"],
        );
        check("enum E { A, B }", &["E < -:"]);
    }

    #[test]
    fn what_is_not_java_is_left_out() {
        check("class { } ) class A { %% int x; ", &[]);
        check("class A { % int x; }", &["A < -: field x"]);
    }
}
