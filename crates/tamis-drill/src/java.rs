//! Java source files, read as far as mutants need it: tokens, and where types and their members lie.

mod declarations;
mod tokens;

pub(crate) use declarations::{Member, MemberKind, TypeDeclaration, TypeKind, declarations};
pub(crate) use tokens::{SourceText, TokenKind};
