//! Which tests ran, or would, and why: realm by realm, grouped by cause, and the numbers at the end.

use std::collections::{BTreeMap, BTreeSet};

use super::cause::{causes, changed_files, has_other_files};
use super::coarse::coarse;
use super::columns::{Cell, Columns};
use super::counts::{counted, with_commas};
use super::palette::{Palette, paint};
use super::summary::{noun, summary};
use super::time::time;
use crate::escape::printable;
use crate::view::{
    DecidedEntityView, DecisionView, EntityRunView, Question, RealmName, RealmView,
    SelectionReport, VerdictView,
};

/// How many entities of a group are named.
const MAX_NAMED: usize = 10;

/// The report as text.
pub(crate) fn selection(report: &SelectionReport, palette: &Palette) -> String {
    let text = SelectionText { report, palette };
    let mut lines = rendered(&text.realms());
    lines.extend(text.coarse());
    lines.extend(text.untracked());
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(summary(report, palette));
    lines.join("\n") + "\n"
}

/// A module, or another place where tests run.
pub(super) fn realm_text(realm: &RealmName) -> String {
    printable(&match (realm.module.as_str(), realm.execution.as_str()) {
        ("", "") => "the command".to_owned(),
        (module, "") => module.to_owned(),
        (module, execution) => format!("{module} ({execution})"),
    })
}

/// A line of text, or a row of the one table that all entities are in.
enum Line {
    Text(usize, String),
    Row(usize, [Cell; 4]),
}

/// A cause, and entities with the number of their other causes.
type Group<'r> = (String, Vec<(&'r DecidedEntityView, usize)>);

/// What is shown of a realm.
#[derive(Default)]
struct Realm<'r> {
    view: Option<&'r RealmView>,
    entities: Vec<&'r DecidedEntityView>,
}

struct SelectionText<'r> {
    report: &'r SelectionReport,
    palette: &'r Palette,
}

impl<'r> SelectionText<'r> {
    fn realms(&self) -> Vec<Line> {
        let mut realms: BTreeMap<&RealmName, Realm<'r>> = BTreeMap::new();
        for view in &self.report.realms {
            realms.entry(&view.name).or_default().view = Some(view);
        }
        for entity in &self.report.entities {
            let realm = realms.entry(&entity.id.realm).or_default();
            realm.entities.push(entity);
        }
        if let [(_, realm)] = realms.iter().collect::<Vec<_>>()[..] {
            return self.realm(realm, 0);
        }
        let mut lines = Vec::new();
        for (name, realm) in &realms {
            let mut told = self.realm(realm, 1);
            told.extend(self.skipped(realm).map(|text| Line::Text(1, text)));
            if !told.is_empty() {
                lines.push(Line::Text(0, paint(self.palette.name, &realm_text(name))));
                lines.extend(told);
            }
        }
        lines
    }

    fn realm(&self, realm: &Realm<'r>, indent: usize) -> Vec<Line> {
        let selected = realm.entities.iter().copied();
        let selected: Vec<_> = selected.filter(|entity| self.is_shown(entity)).collect();
        let mut lines = match self.everything(realm, &selected) {
            Some((cause, entities)) => {
                let verb = match self.report.question {
                    Question::Test => "ran",
                    _ => "would run",
                };
                self.group((format!("everything {verb}: {cause}"), entities), indent)
            }
            None => self.groups(&selected, indent),
        };
        let files = selected.iter().any(|entity| has_other_files(entity));
        let files = realm.view.filter(|_| files).and_then(changed_files);
        lines.extend(files.map(|text| Line::Text(indent, paint(self.palette.aside, &text))));
        lines.extend(self.doubtful(&selected, indent));
        lines.extend(self.unknown_classes(realm.view, indent));
        lines
    }

    /// Whether it ran, or would.
    fn is_shown(&self, entity: &DecidedEntityView) -> bool {
        let is_question = self.report.question != Question::Test;
        entity.is_selected && (is_question || entity.run.is_some())
    }

    /// What everything of a realm runs for, if the cause is one and the same, with the entities to be named.
    fn everything(
        &self,
        realm: &Realm<'r>,
        selected: &[&'r DecidedEntityView],
    ) -> Option<Group<'r>> {
        let entities = &realm.entities;
        if entities.len() < 2 || selected.len() < entities.len() {
            return None;
        }
        let is_red = |entity: &&&DecidedEntityView| is_red(entity);
        let red = || selected.iter().filter(is_red).map(|entity| (*entity, 0));
        if self.report.options.run_all {
            return Some(("that was asked for".to_owned(), red().collect()));
        }
        let is_new = |entity: &&DecidedEntityView| entity.decision == DecisionView::New;
        if entities.iter().all(is_new) {
            let cause = "nothing was known of these tests".to_owned();
            return Some((cause, red().collect()));
        }
        let causes: Vec<_> = selected
            .iter()
            .map(|entity| (*entity, causes(entity, &self.report.options)))
            .collect();
        let (_, first) = causes.first()?;
        let is_shared = |cause: &&String| causes.iter().all(|(_, all)| all.contains(cause));
        let shared: Vec<&String> = first.iter().filter(is_shared).collect();
        let cause = match shared.as_slice() {
            [] => return None,
            [cause] => (*cause).clone(),
            [cause, others @ ..] => {
                let others = counted(others.len(), "other cause", "other causes");
                format!("{cause}; and {others}")
            }
        };
        let rest = causes
            .iter()
            .map(|(entity, all)| (*entity, all.len() - shared.len()));
        Some((cause, rest.collect()))
    }

    /// A cause with its entities, those that did not pass first.
    fn group(&self, (cause, mut entities): Group<'r>, indent: usize) -> Vec<Line> {
        entities.sort_by_key(|(entity, _)| !is_red(entity));
        let mut lines = vec![Line::Text(indent, cause)];
        lines.extend(self.named(&entities, indent + 1));
        lines
    }

    /// Entities under the cause that they share with most others.
    fn groups(&self, selected: &[&'r DecidedEntityView], indent: usize) -> Vec<Line> {
        let options = &self.report.options;
        let with_causes: Vec<_> = selected
            .iter()
            .map(|entity| (*entity, causes(entity, options)))
            .collect();
        let mut n_concerned: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, causes) in &with_causes {
            for cause in causes.iter().collect::<BTreeSet<_>>() {
                *n_concerned.entry(cause).or_default() += 1;
            }
        }
        let mut groups: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for (entity, causes) in &with_causes {
            let most_shared = causes
                .iter()
                .rev()
                .max_by_key(|cause| n_concerned[cause.as_str()]);
            let Some(cause) = most_shared else { continue };
            let group = groups.entry(cause).or_default();
            group.push((*entity, causes.len() - 1));
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, entities)| std::cmp::Reverse(entities.len()));
        let groups = groups.into_iter();
        groups
            .flat_map(|(cause, entities)| self.group((cause.to_owned(), entities), indent))
            .collect()
    }

    /// A line for each entity, with the number of its other causes, as far as there is room.
    fn named(&self, entities: &[(&'r DecidedEntityView, usize)], indent: usize) -> Vec<Line> {
        let named = entities.iter().take(MAX_NAMED);
        let mut lines: Vec<Line> = named
            .map(|(entity, n_others)| Line::Row(indent, self.row(entity, *n_others)))
            .collect();
        lines.extend(self.rest(entities.len(), indent));
        lines
    }

    fn rest(&self, n_all: usize, indent: usize) -> Option<Line> {
        let n_rest = n_all.saturating_sub(MAX_NAMED);
        let text = format!("and {} more", with_commas(n_rest));
        (n_rest > 0).then(|| Line::Text(indent, paint(self.palette.aside, &text)))
    }

    fn row(&self, entity: &DecidedEntityView, n_others: usize) -> [Cell; 4] {
        let (result, microseconds) = match &entity.run {
            Some(run) => (self.result(run), Some(run.microseconds)),
            None => (expected_tests(entity), entity.expected_microseconds),
        };
        let others = match n_others {
            0 => String::new(),
            n => format!("and {}", counted(n, "other cause", "other causes")),
        };
        [
            Cell::text(printable(&entity.id.name)).styled(self.palette.name),
            result,
            Cell::number(microseconds.map(time).unwrap_or_default()),
            Cell::text(others).styled(self.palette.aside),
        ]
    }

    fn result(&self, run: &EntityRunView) -> Cell {
        let counts = run.counts();
        let n_failed = with_commas(counts.n_failed);
        let n_run = with_commas(counts.n_run());
        match run.verdict {
            VerdictView::Failed if counts.n_failed > 0 => {
                Cell::text(format!("{n_failed} of {n_run} failed")).styled(self.palette.failure)
            }
            VerdictView::Failed => Cell::text("failed").styled(self.palette.failure),
            VerdictView::Flaky => Cell::text("flaky").styled(self.palette.changed),
            VerdictView::Incomplete if counts.n_run() == 0 => {
                Cell::text("incomplete").styled(self.palette.changed)
            }
            _ if counts.n_run() == 0 => Cell::text("disabled").styled(self.palette.aside),
            VerdictView::Passed | VerdictView::Incomplete => {
                Cell::text(format!("{} passed", with_commas(counts.n_passed)))
                    .styled(self.palette.added)
            }
        }
    }

    /// Entities that passed and will run again nevertheless.
    fn doubtful(&self, selected: &[&'r DecidedEntityView], indent: usize) -> Vec<Line> {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for entity in selected {
            let doubts = entity.run.iter().flat_map(|run| &run.doubts);
            for doubt in doubts {
                groups.entry(doubt).or_default().push(&entity.id.name);
            }
        }
        let mut lines = Vec::new();
        for (doubt, names) in groups {
            let text = format!("will run again next time: {}", printable(doubt));
            lines.push(Line::Text(indent, paint(self.palette.changed, &text)));
            lines.extend(self.names(&names, indent + 1));
        }
        lines
    }

    fn unknown_classes(&self, realm: Option<&'r RealmView>, indent: usize) -> Vec<Line> {
        let classes = realm.map_or(&[][..], |realm| &realm.unknown_classes);
        if classes.is_empty() || self.report.question == Question::Test {
            return Vec::new();
        }
        let classes: Vec<String> = classes.iter().map(|name| name.replace('/', ".")).collect();
        let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
        let mut lines = vec![Line::Text(indent, "new, or not a test".to_owned())];
        lines.extend(self.names(&classes, indent + 1));
        lines
    }

    fn names(&self, names: &[&str], indent: usize) -> Vec<Line> {
        let named = names.iter().take(MAX_NAMED);
        let mut lines: Vec<Line> = named
            .map(|name| Line::Text(indent, paint(self.palette.name, &printable(name))))
            .collect();
        lines.extend(self.rest(names.len(), indent));
        lines
    }

    /// What did not run of a realm, in a line.
    fn skipped(&self, realm: &Realm<'_>) -> Option<String> {
        let skipped = realm.entities.iter().copied();
        let skipped: Vec<_> = skipped.filter(|entity| !entity.is_selected).collect();
        if skipped.is_empty() {
            return None;
        }
        let has_no_jvm = realm.view.is_some_and(|view| view.n_jvms == 0);
        let text = match self.report.question {
            Question::Test if has_no_jvm => "skipped; no JVM was started",
            Question::Test => "skipped",
            _ => "would be skipped",
        };
        let (one, many) = noun(skipped.iter().copied());
        let text = format!("{} {text}", counted(skipped.len(), one, many));
        Some(paint(self.palette.aside, &text))
    }

    fn coarse(&self) -> Vec<String> {
        let sentences = coarse(&self.report.realms).into_iter();
        sentences
            .map(|sentence| format!("not told apart: {sentence}"))
            .collect()
    }

    fn untracked(&self) -> Vec<String> {
        let (one, many) = noun(&self.report.entities);
        let untracked = self.report.untracked.iter().map(|untracked| {
            let entities = counted(untracked.n_entities, one, many);
            format!("not tracked: {} ({entities})", printable(&untracked.what))
        });
        untracked.collect()
    }
}

fn is_red(entity: &DecidedEntityView) -> bool {
    let run = entity.run.as_ref();
    run.is_some_and(|run| matches!(run.verdict, VerdictView::Failed | VerdictView::Flaky))
}

fn expected_tests(entity: &DecidedEntityView) -> Cell {
    Cell::text(match entity.n_tests_known {
        0 => String::new(),
        n => counted(n, "test", "tests"),
    })
}

/// All rows are one table, so that columns stay where they are from group to group.
fn rendered(lines: &[Line]) -> Vec<String> {
    let mut columns = Columns::default();
    for line in lines {
        if let Line::Row(_, cells) = line {
            columns.push(cells.clone());
        }
    }
    let mut rows = columns.lines().into_iter();
    let lines = lines.iter().map(|line| match line {
        Line::Text(indent, text) => format!("{}{text}", "  ".repeat(*indent)),
        Line::Row(indent, _) => {
            format!(
                "{}{}",
                "  ".repeat(*indent),
                rows.next().unwrap_or_default()
            )
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests;
