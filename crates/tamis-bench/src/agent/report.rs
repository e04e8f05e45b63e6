//! What is printed: where it was measured, and a section for each subject.

use std::fmt;
use std::fs;

use tamis_build::Jdk;

use super::figure::Figure;
use super::series::Series;
use crate::machine::Machine;

/// What was found out about a subject.
#[derive(Debug, Default)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) notes: Vec<String>,
    pub(crate) figures: Vec<Figure>,
    /// How things grow, where several sizes were measured.
    pub(crate) series: Vec<Series>,
}

/// A section with the seed that its intervals depend on.
pub(crate) struct Shown<'s>(pub(crate) &'s Section, pub(crate) u64);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Section {
            name,
            notes,
            figures,
            series,
        } = self.0;
        writeln!(f, "{name}")?;
        for note in notes {
            writeln!(f, "  {note}")?;
        }
        writeln!(
            f,
            "  {:<34} {:<28} {:<28} {:<10} verdict",
            "", "median [95 % interval]", "plain against plain", "bar"
        )?;
        for figure in figures {
            writeln!(f, "{}", figure.judge(self.1))?;
        }
        series.iter().try_for_each(|series| writeln!(f, "{series}"))
    }
}

/// The lines above all sections; start-up is measured on the other JDKs.
pub(crate) fn head(jdk: &Jdk, others: &[Jdk], n_rounds: usize, seed: u64) -> String {
    let Machine {
        cpu,
        n_cores,
        jdk,
        commit,
    } = Machine::this(jdk);
    let others: Vec<&str> = others.iter().map(|jdk| jdk.version.as_str()).collect();
    let start_up = match &others[..] {
        [] => String::new(),
        others => format!("; start-up: {}", others.join(", ")),
    };
    format!(
        "machine   {cpu}, {n_cores} cores\nJDK       {jdk}{start_up}\ncommit    {commit}\n\
         rounds    {n_rounds}, each in another order, and one before them that does not count\n\
         intervals bootstrap of medians, seed {seed}\nload      {}\n",
        load()
    )
}

/// How busy the machine is, over 1, 5 and 15 minutes.
pub(crate) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let numbers: Vec<&str> = text.split(' ').take(3).collect();
    numbers.join(" ")
}
