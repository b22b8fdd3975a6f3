//! Rules of the log.

use super::{Case, Node, Problem};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    ["idempotent_producer", "retention", "share_group"].iter().any(|key| root.get(key).is_some())
}

pub(super) fn replay(_root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    Ok(Vec::new())
}
