//! The layers of the workspace, and that the edges between crates go down only.
//!
//! The table is the one in ARCHITECTURE.md as data. A new crate or edge is a line here, and so a
//! change that a reviewer sees.

use crate::metadata::{Edge, Metadata};

/// From the bottom up, so that a greater layer may use a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Formats,
    Reason,
    World,
    Compose,
    Front,
    /// Tools for developers and tests, outside the product: they may use every crate, and no crate
    /// of the product may use them except in its tests.
    Support,
}

const LAYERS: &[(&str, Layer)] = &[
    ("tamis-facts", Layer::Formats),
    ("tamis-classfile", Layer::Formats),
    ("tamis-wire", Layer::Formats),
    ("tamis-select", Layer::Reason),
    ("tamis-history", Layer::Reason),
    ("tamis-refactor", Layer::Reason),
    ("tamis-order", Layer::Reason),
    ("tamis-study", Layer::Reason),
    ("tamis-store", Layer::World),
    ("tamis-git", Layer::World),
    ("tamis-build", Layer::World),
    ("tamis-agent", Layer::World),
    ("tamis-engine", Layer::Compose),
    ("tamis-check", Layer::Compose),
    ("tamis", Layer::Front),
    ("tamis-bench", Layer::Support),
    ("tamis-drill", Layer::Support),
    ("tamis-instructions", Layer::Support),
    ("tamis-testkit", Layer::Support),
    ("xtask", Layer::Support),
];

/// The only crates that others of their own layer may use.
const SHARED_IN_LAYER: &[&str] = &["tamis-facts", "tamis-select"];

/// Crates that are compiled into the agent or spoken by everybody: nothing of others in them.
const WITHOUT_THIRD_PARTIES: &[&str] = &["tamis-facts", "tamis-classfile", "tamis-wire"];

/// Edges that the layers would allow and a promise forbids.
const FORBIDDEN: &[(&str, &str, &str)] = &[(
    "tamis-check",
    "tamis-select",
    "what checks selection shares no selection code with it",
)];

/// What is wrong with the crates and their edges.
pub(crate) fn complaints(metadata: &Metadata) -> Vec<String> {
    let unknown = metadata.crates().into_iter().filter_map(|name| {
        let is_unknown = layer(&name).is_none();
        is_unknown.then(|| format!("{name}: has no layer; add it to LAYERS and ARCHITECTURE.md"))
    });
    let edges = metadata.edges();
    // Tests may use what they like: they are not part of the product.
    let edges = edges.iter().filter(|edge| !edge.is_dev);
    unknown.chain(edges.filter_map(complaint)).collect()
}

fn layer(name: &str) -> Option<Layer> {
    let found = LAYERS.iter().find(|(known, _)| *known == name);
    found.map(|(_, layer)| *layer)
}

/// What is wrong with an edge of the product, if anything is.
fn complaint(edge: &Edge) -> Option<String> {
    let Edge { from, to, .. } = edge;
    let why = match (layer(from)?, layer(to)) {
        (_, None) if WITHOUT_THIRD_PARTIES.contains(&from.as_str()) => {
            "this crate has no dependencies on others' crates".to_owned()
        }
        (_, None) | (Layer::Support, _) => return None,
        (_, Some(Layer::Support)) => {
            "is for tests and developers; make it a dev-dependency".to_owned()
        }
        (_, Some(Layer::Reason | Layer::World)) if from == "tamis-agent" => {
            "the agent uses the lowest layer only".to_owned()
        }
        (upper, Some(lower)) => {
            layer_complaint(upper, lower, to).or_else(|| forbidden(from, to))?
        }
    };
    Some(format!("{from} -> {to}: {why}"))
}

fn layer_complaint(from: Layer, to: Layer, name: &str) -> Option<String> {
    let is_shared = from == to && SHARED_IN_LAYER.contains(&name);
    let is_allowed = to < from || is_shared;
    (!is_allowed).then(|| format!("edges go down only, this one goes from {from:?} to {to:?}"))
}

fn forbidden(from: &str, to: &str) -> Option<String> {
    let edge = FORBIDDEN.iter().find(|edge| (edge.0, edge.1) == (from, to));
    edge.map(|(_, _, why)| (*why).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The complaint about a product edge, without the edge itself.
    fn check(from: &str, to: &str) -> Option<String> {
        let edge = Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            is_dev: false,
        };
        let complaint = complaint(&edge)?;
        let (_, why) = complaint.split_once(": ").unwrap();
        Some(why.to_owned())
    }

    #[test]
    fn edges_go_down() {
        assert_eq!(check("tamis", "tamis-build"), None);
        assert_eq!(check("tamis-select", "tamis-facts"), None);
        let up = check("tamis-facts", "tamis").unwrap();
        assert_eq!(
            up,
            "edges go down only, this one goes from Formats to Front"
        );
        assert!(check("tamis-engine", "tamis-check").is_some());
    }

    #[test]
    fn two_crates_are_shared_in_their_layer() {
        assert_eq!(check("tamis-classfile", "tamis-facts"), None);
        assert_eq!(check("tamis-order", "tamis-select"), None);
        assert!(check("tamis-select", "tamis-order").is_some());
        assert!(check("tamis-wire", "tamis-classfile").is_some());
    }

    #[test]
    fn the_agent_uses_formats_only() {
        assert_eq!(check("tamis-agent", "tamis-classfile"), None);
        assert!(check("tamis-agent", "tamis-select").is_some());
    }

    #[test]
    fn third_parties_stay_out_of_what_the_agent_links() {
        assert_eq!(check("tamis-build", "walkdir"), None);
        assert!(check("tamis-classfile", "walkdir").is_some());
    }

    #[test]
    fn support_is_used_by_tests_only() {
        assert_eq!(check("xtask", "tamis-build"), None);
        assert!(check("tamis-build", "tamis-testkit").is_some());
    }

    #[test]
    fn a_checker_shares_no_selection_code() {
        let why = check("tamis-check", "tamis-select").unwrap();
        assert_eq!(
            why,
            "what checks selection shares no selection code with it"
        );
    }
}
