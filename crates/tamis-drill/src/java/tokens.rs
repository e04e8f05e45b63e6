//! A Java source file as tokens: strings, comments and brackets are respected, and that is all.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier or a keyword.
    Word,
    Number,
    /// A string or a text block.
    Text,
    Character,
    Symbol,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    kind: TokenKind,
    start: usize,
    end: usize,
}

/// A source file and its tokens, which are known by their numbers.
#[derive(Debug)]
pub(crate) struct SourceText {
    pub(crate) text: String,
    tokens: Vec<Token>,
    /// For each bracket that has one, the other.
    partners: Vec<Option<usize>>,
}

/// Those of several characters, the longer ones first. `>>` is two tokens: it may close type arguments.
const SYMBOLS: &[&str] = &[
    "...", "<<=", "->", "::", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=",
    "/=", "&=", "|=", "^=", "%=",
];

impl SourceText {
    pub(crate) fn new(text: String) -> Self {
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(token) = next_token(&text, at) {
            at = token.end;
            tokens.push(token);
        }
        let mut source = Self {
            text,
            tokens,
            partners: Vec::new(),
        };
        source.partners = source.find_partners();
        source
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.tokens.len()
    }

    /// The text of a token; empty beyond the end.
    pub(crate) fn token(&self, number: usize) -> &str {
        let token = self.tokens.get(number);
        token.map_or("", |token| &self.text[token.start..token.end])
    }

    pub(crate) fn kind(&self, number: usize) -> Option<TokenKind> {
        self.tokens.get(number).map(|token| token.kind)
    }

    pub(crate) fn is_word(&self, number: usize) -> bool {
        self.kind(number) == Some(TokenKind::Word)
    }

    /// Where a token begins.
    pub(crate) fn start(&self, number: usize) -> usize {
        self.tokens
            .get(number)
            .map_or(self.text.len(), |token| token.start)
    }

    /// Where a token ends.
    pub(crate) fn end(&self, number: usize) -> usize {
        self.tokens
            .get(number)
            .map_or(self.text.len(), |token| token.end)
    }

    /// The text from one token up to another, which does not belong to it.
    pub(crate) fn between(&self, first: usize, end: usize) -> &str {
        if first >= end {
            return "";
        }
        &self.text[self.start(first)..self.end(end - 1)]
    }

    /// The bracket that closes or opens what this one opens or closes.
    pub(crate) fn partner(&self, number: usize) -> Option<usize> {
        self.partners.get(number).copied().flatten()
    }

    /// The first token from `from` on, and before `end`, for which this holds; what is in brackets is passed over.
    pub(crate) fn find(
        &self,
        from: usize,
        end: usize,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let mut at = from;
        while at < end {
            let token = self.token(at);
            if is_wanted(token) {
                return Some(at);
            }
            let is_open = matches!(token, "(" | "[" | "{");
            at = self.partner(at).filter(|_| is_open).unwrap_or(at) + 1;
        }
        None
    }

    fn find_partners(&self) -> Vec<Option<usize>> {
        let mut partners = vec![None; self.tokens.len()];
        let mut open = Vec::new();
        for number in 0..self.tokens.len() {
            if self.kind(number) != Some(TokenKind::Symbol) {
                continue;
            }
            match self.token(number) {
                "(" | "[" | "{" => open.push(number),
                ")" | "]" | "}" => {
                    if let Some(other) = open.pop() {
                        partners[other] = Some(number);
                        partners[number] = Some(other);
                    }
                }
                _ => {}
            }
        }
        partners
    }
}

/// The token that begins at `at` or after it.
fn next_token(text: &str, at: usize) -> Option<Token> {
    let start = skip_blank(text, at);
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let (kind, length) = if rest.starts_with("\"\"\"") {
        (TokenKind::Text, quoted(rest, "\"\"\""))
    } else if first == '"' {
        (TokenKind::Text, quoted(rest, "\""))
    } else if first == '\'' {
        (TokenKind::Character, quoted(rest, "'"))
    } else if first.is_ascii_digit() {
        (TokenKind::Number, number_length(rest))
    } else if is_of_word(first) {
        let end = rest.find(|c| !is_of_word(c));
        (TokenKind::Word, end.unwrap_or(rest.len()))
    } else {
        let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
        let length = symbol.map_or(first.len_utf8(), |symbol| symbol.len());
        (TokenKind::Symbol, length)
    };
    Some(Token {
        kind,
        start,
        end: start + length,
    })
}

/// Where white space and comments end.
fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let comment = if trimmed.starts_with("//") {
            trimmed.find('\n')
        } else if let Some(inside) = trimmed.strip_prefix("/*") {
            inside.find("*/").map(|end| end + 4)
        } else {
            return at;
        };
        match comment {
            Some(length) => at += length,
            None => return text.len(),
        }
    }
}

/// The length of what begins and ends with the quote; a character after a backslash does not end it.
fn quoted(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(quote) {
            return at + quote.len();
        }
        let mut characters = rest.chars();
        let first = characters.next().map_or(0, char::len_utf8);
        let second = characters.next().map_or(0, char::len_utf8);
        at += if rest.starts_with('\\') {
            first + second
        } else {
            first
        };
    }
    text.len()
}

fn number_length(text: &str) -> usize {
    let mut before = ' ';
    let end = text.find(|c: char| {
        let is_sign =
            matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !text.starts_with("0x");
        before = c;
        !(is_of_word(c) || c == '.' || is_sign)
    });
    end.unwrap_or(text.len())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let source = SourceText::new(text.to_owned());
        let found: Vec<&str> = (0..source.n_tokens()).map(|n| source.token(n)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn comments_are_no_tokens_and_strings_are_one() {
        check(
            "a /* \" */ + \"b // \\\" c\" // d\n; '\\'' e",
            &["a", "+", "\"b // \\\" c\"", ";", "'\\''", "e"],
        );
        check(
            "x = \"\"\"\n a \"b\" \"\"\";",
            &["x", "=", "\"\"\"\n a \"b\" \"\"\"", ";"],
        );
    }

    #[test]
    fn numbers_have_points_signs_and_letters() {
        check(
            "1.5e-3f + 0xFE+1 - 1_000L",
            &["1.5e-3f", "+", "0xFE", "+", "1", "-", "1_000L"],
        );
    }

    #[test]
    fn type_arguments_close_one_by_one() {
        check(
            "A<B<C>> d = e -> f >= 1;",
            &[
                "A", "<", "B", "<", "C", ">", ">", "d", "=", "e", "->", "f", ">=", "1", ";",
            ],
        );
    }

    #[test]
    fn brackets_know_each_other() {
        let source = SourceText::new("f(a[1], \")\") { }".to_owned());
        assert_eq!(source.partner(1), Some(8));
        assert_eq!(source.token(8), ")");
        assert_eq!(source.find(2, 8, |token| token == "]"), None);
        assert_eq!(source.find(2, 8, |token| token == ","), Some(6));
    }

    #[test]
    fn what_breaks_off_ends_with_the_text() {
        check("a \"b", &["a", "\"b"]);
        check("a /* b", &["a"]);
        check("a ) }", &["a", ")", "}"]);
    }
}
