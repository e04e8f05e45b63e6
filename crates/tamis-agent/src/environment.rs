//! `JAVA_TOOL_OPTIONS`, by which the agent may have come into the JVM.
//!
//! A watched JVM gives its children the variable as the user had set it: the tests in it, and the
//! programs they start, then see no trace of the agent there. A build tool, in contrast, passes it on.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

const VARIABLE: &str = "JAVA_TOOL_OPTIONS";

/// Takes the agent out of the variable.
///
/// # Safety
///
/// No other thread may read or write the environment. While agents are loaded, a JVM has none yet that
/// does.
pub(crate) unsafe fn forget_agent(options: &[u8]) {
    let Some(value) = env::var_os(VARIABLE) else {
        return;
    };
    match without_agent(&value, options) {
        None => {}
        // SAFETY: the caller promises that nobody else uses the environment.
        Some(rest) if rest.is_empty() => unsafe { env::remove_var(VARIABLE) },
        // SAFETY: as above.
        Some(rest) => unsafe { env::set_var(VARIABLE, rest) },
    }
}

/// The value without the agent with these options, if that stands first; it may stand in quotes.
fn without_agent(value: &OsStr, options: &[u8]) -> Option<OsString> {
    let bytes = value.as_bytes();
    let start = bytes
        .windows(options.len())
        .position(|part| part == options)?;
    let (before, after) = (&bytes[..start], &bytes[start + options.len()..]);
    let (unquoted, rest) = match before {
        [quote @ (b'\'' | b'"'), unquoted @ ..] => (unquoted, after.strip_prefix(&[*quote])?),
        unquoted => (unquoted, after),
    };
    let is_agent = unquoted.starts_with(b"-agentpath:");
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    is_agent.then(|| OsString::from_vec(rest.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, expected: Option<&str>) {
        let rest = without_agent(OsStr::new(value), b"socket=1,token=2");
        assert_eq!(rest.as_deref(), expected.map(OsStr::new), "{value}");
    }

    #[test]
    fn what_the_user_had_set_is_left() {
        check("-agentpath:/x.so=socket=1,token=2", Some(""));
        check(
            "-agentpath:/x.so=socket=1,token=2 -Da=b  -Dc",
            Some("-Da=b  -Dc"),
        );
        check("'-agentpath:/x y.so=socket=1,token=2' -Da", Some("-Da"));
    }

    #[test]
    fn an_agent_of_somebody_else_stays() {
        check("-agentpath:/x.so=socket=1,token=3", None);
        check("-Da=b -agentpath:/x.so=socket=1,token=2", None);
        check("", None);
    }
}
