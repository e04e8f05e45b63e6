//! What changes a program: E1 to E9 of SPEC 7.4 c, and ours beyond the paper.

use std::fmt;
use std::str::FromStr;

/// An evolution operator. `Display` is the paper's code, or for ours a name in kebab case; what
/// each does is told in the file of `evolve/` that does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    AddExtends,
    CopyField,
    CopyFieldAndReplace,
    CopyMethod,
    CopyMethodAndReplace,
    NextProgram,
    IncreaseConstant,
    RemoveExtends,
    RemoveMethod,
    AddOverride,
    RemoveOverride,
    AddOverload,
    RemoveOverload,
    AddInterfaceDefault,
    MoveClass,
    Rename,
    AddStaticInitialiser,
    ChangeStaticInitialiser,
    AddAnnotation,
    InsertLambda,
    AddBridge,
    AddRecordComponent,
    ExtendPermits,
    HideStatic,
    ChangeAccess,
    ReorderFields,
    ReorderAnnotations,
    ChangeLazySingleton,
    ChangeCache,
    EnableTest,
    ChangeCatchType,
    AddOptionalClass,
    ChangeCodeInThread,
    ChangeCodeInBackground,
    ChangeCodeInListener,
    ChangeUsedByInitialiser,
    ChangeResource,
    ChangeService,
    ChangeLibraryClass,
    ChangeProperty,
    ChangeFile,
    ChangePreparedTest,
    ChangeClassData,
    ChangeBundle,
}

/// Every operator with its name.
const NAMES: &[(Operator, &str)] = &[
    (Operator::AddExtends, "E1"),
    (Operator::CopyField, "E2"),
    (Operator::CopyFieldAndReplace, "E3"),
    (Operator::CopyMethod, "E4"),
    (Operator::CopyMethodAndReplace, "E5"),
    (Operator::NextProgram, "E6"),
    (Operator::IncreaseConstant, "E7"),
    (Operator::RemoveExtends, "E8"),
    (Operator::RemoveMethod, "E9"),
    (Operator::AddOverride, "add-override"),
    (Operator::RemoveOverride, "remove-override"),
    (Operator::AddOverload, "add-overload"),
    (Operator::RemoveOverload, "remove-overload"),
    (Operator::AddInterfaceDefault, "add-interface-default"),
    (Operator::MoveClass, "move-class"),
    (Operator::Rename, "rename"),
    (Operator::AddStaticInitialiser, "add-static-initialiser"),
    (
        Operator::ChangeStaticInitialiser,
        "change-static-initialiser",
    ),
    (Operator::AddAnnotation, "add-annotation"),
    (Operator::InsertLambda, "insert-lambda"),
    (Operator::AddBridge, "add-bridge"),
    (Operator::AddRecordComponent, "add-record-component"),
    (Operator::ExtendPermits, "extend-permits"),
    (Operator::HideStatic, "hide-static"),
    (Operator::ChangeAccess, "change-access"),
    (Operator::ReorderFields, "reorder-fields"),
    (Operator::ReorderAnnotations, "reorder-annotations"),
    (Operator::ChangeLazySingleton, "change-lazy-singleton"),
    (Operator::ChangeCache, "change-cache"),
    (Operator::EnableTest, "enable-test"),
    (Operator::ChangeCatchType, "change-catch-type"),
    (Operator::AddOptionalClass, "add-optional-class"),
    (Operator::ChangeCodeInThread, "change-code-in-thread"),
    (
        Operator::ChangeCodeInBackground,
        "change-code-in-background",
    ),
    (Operator::ChangeCodeInListener, "change-code-in-listener"),
    (
        Operator::ChangeUsedByInitialiser,
        "change-used-by-initialiser",
    ),
    (Operator::ChangeResource, "change-resource"),
    (Operator::ChangeService, "change-service"),
    (Operator::ChangeLibraryClass, "change-library-class"),
    (Operator::ChangeProperty, "change-property"),
    (Operator::ChangeFile, "change-file"),
    (Operator::ChangePreparedTest, "change-prepared-test"),
    (Operator::ChangeClassData, "change-class-data"),
    (Operator::ChangeBundle, "change-bundle"),
];

impl Operator {
    /// All of them, the paper's first.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::AddExtends; NAMES.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = NAMES[index].0;
            index += 1;
        }
        all
    };

    /// The oldest Java whose compiler takes both revisions.
    pub fn min_java(self) -> u32 {
        match self {
            Self::AddRecordComponent => 16,
            Self::ExtendPermits => 17,
            _ => 8,
        }
    }

    /// Whether code of its programs runs on when the test is over that began it.
    pub fn outlives_tests(self) -> bool {
        matches!(self, Self::ChangeCodeInBackground)
    }

    /// Whether its programs do in a Maven project, by Surefire and JUnit 4 alone, what they do by JUnit's launcher: there
    /// are no listeners of the launcher, and no library that the build file does not name.
    pub fn suits_maven(self) -> bool {
        !matches!(self, Self::ChangeCodeInListener | Self::ChangeLibraryClass)
    }

    fn name(self) -> &'static str {
        NAMES[self as usize].1
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no operator's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no operator is called `{0}`")]
pub struct ParseOperatorError(pub String);

impl FromStr for Operator {
    type Err = ParseOperatorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = NAMES.iter().find(|(_, name)| *name == text);
        found
            .map(|(operator, _)| *operator)
            .ok_or_else(|| ParseOperatorError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_the_variants() {
        for (index, (operator, _)) in NAMES.iter().enumerate() {
            assert_eq!(*operator as usize, index);
        }
    }

    #[test]
    fn the_text_of_each_is_read_back() {
        for operator in Operator::ALL {
            assert_eq!(operator.to_string().parse(), Ok(*operator));
        }
        assert!("E10".parse::<Operator>().is_err());
    }
}
