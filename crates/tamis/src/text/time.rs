//! How long something took, and how long ago it was.

use super::counts::counted;

const SECOND: u64 = 1_000_000;
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A duration, as precise as a person can use.
pub(crate) fn time(microseconds: u64) -> String {
    let tenths = |unit: u64| {
        format!(
            "{}.{}",
            microseconds / unit,
            microseconds % unit * 10 / unit
        )
    };
    let seconds = microseconds / SECOND;
    match microseconds {
        0..10_000 => format!("{} ms", tenths(1000)),
        10_000..SECOND => format!("{} ms", microseconds / 1000),
        _ if seconds < 10 => format!("{} s", tenths(SECOND)),
        _ if seconds < 2 * MINUTE => format!("{seconds} s"),
        _ if seconds < 2 * HOUR => format!("{} min {} s", seconds / MINUTE, seconds % MINUTE),
        _ => format!("{} h {} min", seconds / HOUR, seconds % HOUR / MINUTE),
    }
}

/// How long ago something was; both in seconds since 1970.
pub(super) fn ago(then: u64, now: u64) -> String {
    let Some(seconds) = now.checked_sub(then) else {
        return "in the future".to_owned();
    };
    let (count, one, many) = match seconds {
        0..MINUTE => return "just now".to_owned(),
        MINUTE..HOUR => (seconds / MINUTE, "minute", "minutes"),
        HOUR..DAY => (seconds / HOUR, "hour", "hours"),
        _ => (seconds / DAY, "day", "days"),
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    format!("{} ago", counted(count, one, many))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (microseconds, text) in [
            (0, "0.0 ms"),
            (1_950, "1.9 ms"),
            (12_345, "12 ms"),
            (999_999, "999 ms"),
            (2_390_000, "2.3 s"),
            (61_000_000, "61 s"),
            (125_000_000, "2 min 5 s"),
            (7_500_000_000, "2 h 5 min"),
        ] {
            assert_eq!(time(microseconds), text);
        }
    }

    #[test]
    fn ages_are_round() {
        let shown = [0, 60, 7_300, 86_400, 864_000].map(|age| ago(1_000_000 - age, 1_000_000));
        assert_eq!(
            shown,
            [
                "just now",
                "1 minute ago",
                "2 hours ago",
                "1 day ago",
                "10 days ago"
            ]
        );
        assert_eq!(ago(2, 1), "in the future");
    }
}
