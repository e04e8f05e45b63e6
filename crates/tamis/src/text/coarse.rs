//! What was not told apart, in words: kinds of things of which one fact stands for all.

use std::collections::{BTreeMap, BTreeSet};

use tamis_engine::CoarseKind;

use crate::escape::printable;
use crate::view::{CoarseView, DecidedEntityView, FactView, RealmView};

/// What some realms have not told apart: a sentence for each reason.
pub(crate) fn coarse(realms: &[RealmView]) -> Vec<String> {
    sentences(realms.iter().flat_map(|realm| &realm.coarse))
}

/// The same of what an entity runs for.
pub(super) fn coarse_causes(entity: &DecidedEntityView, realm: &RealmView) -> Vec<String> {
    let records = [&entity.newest, &entity.nearest].into_iter().flatten();
    let broken = records.flat_map(|record| &record.broken);
    let broken: BTreeSet<CoarseKind> = broken.filter_map(|fact| kind(&fact.fact)).collect();
    let mut coarse = sentences(realm.coarse.iter().filter(|one| broken.contains(&one.what)));
    coarse.retain(|_| entity.is_selected);
    coarse
}

fn sentences<'c>(coarse: impl Iterator<Item = &'c CoarseView>) -> Vec<String> {
    let mut by_reason: BTreeMap<&str, BTreeSet<CoarseKind>> = BTreeMap::new();
    for CoarseView { what, reason } in coarse {
        by_reason.entry(reason).or_default().insert(*what);
    }
    let by_reason = by_reason.into_iter();
    let sentences = by_reason.map(|(reason, kinds)| {
        let kinds: Vec<&str> = kinds.into_iter().map(word).collect();
        format!("{}: {}", kinds.join(", "), printable(reason))
    });
    sentences.collect()
}

fn word(kind: CoarseKind) -> &'static str {
    match kind {
        CoarseKind::Files => "files",
        CoarseKind::ClassNames => "names of classes",
        CoarseKind::Members => "members of classes",
        CoarseKind::Archives => "archives",
        CoarseKind::Environment => "variables and properties",
        CoarseKind::Network => "connections",
    }
}

/// The kind of which a fact is the coarse form.
fn kind(fact: &FactView) -> Option<CoarseKind> {
    match fact {
        FactView::Files => Some(CoarseKind::Files),
        FactView::ClassNames => Some(CoarseKind::ClassNames),
        FactView::Members { .. } => Some(CoarseKind::Members),
        FactView::Archives => Some(CoarseKind::Archives),
        FactView::Environment | FactView::Properties => Some(CoarseKind::Environment),
        FactView::Outside { what: "network" } => Some(CoarseKind::Network),
        _ => None,
    }
}
