//! The foot of the page: where and on what everything was measured.

use std::collections::BTreeSet;

use super::element::escaped;
use crate::lines::{Circumstances, ToldBench};

pub(super) fn all(benches: &[ToldBench]) -> String {
    if benches.is_empty() {
        return String::new();
    }
    let machines: BTreeSet<String> = benches
        .iter()
        .map(|it| machine(&it.circumstances))
        .collect();
    let machines = machines
        .iter()
        .map(|it| format!("<p>{}</p>\n", escaped(it)));
    let heading = [
        "bench",
        "began",
        "minutes",
        "load before",
        "load after",
        "rounds",
        "seed",
        "JDK",
        "commit",
    ];
    let heading = heading.map(|it| format!("<th scope=\"col\">{it}</th>"));
    let rows: String = benches.iter().map(row).collect();
    format!(
        "<h2>Circumstances</h2>\n{}<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n\
         <p class=\"aside\">Loads are averages of 1, 5 and 15 minutes. A commit with a plus had changes on top. Times are UTC. \
         Intervals are percentile bootstraps of medians.</p>\n",
        machines.collect::<String>(),
        heading.concat()
    )
}

fn machine(it: &Circumstances) -> String {
    format!(
        "{}, {} cores; {}; Tamis {}",
        it.cpu, it.n_cores, it.system, it.tamis
    )
}

fn row(bench: &ToldBench) -> String {
    let it = &bench.circumstances;
    let ending = bench.ending.as_ref();
    let minutes = ending.map(|ending| format!("{:.1}", ending.seconds / 60.0));
    let jdks = [&[it.jdk.clone()][..], &it.other_jdks].concat();
    let command = [&[it.bench.clone()][..], &it.arguments].concat();
    let cells = [
        date(it.began),
        minutes.unwrap_or_default(),
        it.load.clone(),
        ending.map_or(String::new(), |ending| ending.load.clone()),
        it.n_rounds.to_string(),
        it.seed.to_string(),
        jdks.join(", "),
        it.commit.clone(),
    ];
    let cells = cells.map(|cell| format!("<td>{}</td>", escaped(&cell)));
    let command = escaped(&command.join(" "));
    format!(
        "<tr><th scope=\"row\">{command}</th>{}</tr>\n",
        cells.concat()
    )
}

/// Seconds since 1970 as a day and a time.
fn date(seconds: u64) -> String {
    let (mut days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    let mut year = 1970;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let n_days = |year| if is_leap(year) { 366 } else { 365 };
    while days >= n_days(year) {
        days -= n_days(year);
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (day, hour, minute) = (days + 1, minutes / 60, minutes % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_399), "2000-02-28 23:59");
        assert_eq!(date(951_782_400), "2000-02-29 00:00");
        assert_eq!(date(978_307_199), "2000-12-31 23:59");
        assert_eq!(date(1_800_000_000), "2027-01-15 08:00");
    }
}
