//! The name of a bug, `Lang-1`: a project of the database and a number.

use std::fmt;
use std::str::FromStr;

/// A bug of a database.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BugName {
    pub project: String,
    pub number: u32,
}

/// A text is no name of a bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseBugNameError;

impl fmt::Display for BugName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.project, self.number)
    }
}

impl fmt::Display for ParseBugNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write it as PROJECT-NUMBER")
    }
}

impl std::error::Error for ParseBugNameError {}

impl FromStr for BugName {
    type Err = ParseBugNameError;

    fn from_str(text: &str) -> Result<Self, ParseBugNameError> {
        let (project, number) = text.rsplit_once('-').ok_or(ParseBugNameError)?;
        if !is_project_name(project) {
            return Err(ParseBugNameError);
        }
        Ok(Self {
            project: project.to_owned(),
            number: parse_number(number).ok_or(ParseBugNameError)?,
        })
    }
}

/// Whether a text may be the name of a project. It becomes part of paths.
pub(super) fn is_project_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(is_plain)
}

/// A number as it is written in names of files: without a sign.
pub(super) fn parse_number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_and_a_number() {
        let name: BugName = "Lang-12".parse().unwrap();
        assert_eq!((name.project.as_str(), name.number), ("Lang", 12));
        assert_eq!(name.to_string(), "Lang-12");
        for none in [
            "Lang",
            "Lang-",
            "-1",
            "Lang-+1",
            "../Lang-1",
            "a/b-1",
            "Lang-99999999999",
        ] {
            assert_eq!(none.parse::<BugName>(), Err(ParseBugNameError), "{none}");
        }
    }
}
