//! Why a run failed, by what it printed.

/// How many lines of a log are told.
const N_LINES: usize = 4;

/// The first errors of a log, as Maven marks them; else its last lines. In one line.
pub(super) fn cause(log: &str) -> String {
    let lines = || log.lines().map(str::trim).filter(|line| !line.is_empty());
    let errors: Vec<&str> = lines()
        .filter_map(|line| line.strip_prefix("[ERROR]"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(N_LINES)
        .collect();
    if !errors.is_empty() {
        return errors.join(" ");
    }
    let all: Vec<&str> = lines().collect();
    all[all.len().saturating_sub(N_LINES)..].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_maven_tell_more_than_its_last_lines() {
        let log =
            "[INFO] a\n[ERROR] COMPILATION ERROR : \n[ERROR] A.java:[1,1] no\n[INFO] b\n[ERROR]\n";
        assert_eq!(cause(log), "COMPILATION ERROR : A.java:[1,1] no");
        assert_eq!(cause("1\n2\n\n3\n4\n5\n"), "2 3 4 5");
        assert_eq!(cause(""), "");
    }
}
