//! Queueing theory: closed forms, and simulations held to them.
//!
//! A file is `{ "formulas": …, "mm1": [ … ], "mmc": [ … ], "mg1": [ … ], "mm1k": [ … ],
//! "fluid": [ … ] }`; each row gives the parameters of a station and what the theory makes of them.
//! A row is checked twice: every value by its formula, to nine digits, and the means by simulation
//! with `sim::models::Station`.
//!
//! # Confidence
//!
//! A simulation is 16 independent replications. It agrees with the theory when the mean of the 16
//! lies within 4.07 standard errors of the closed form, the bound that Student's distribution with
//! 15 degrees of freedom crosses once in a thousand runs. Percentiles may be off by another 0.4 %,
//! the error of the histogram, and a station with room by the share of its run in which it fills up
//! and empties. The length of a replication follows from the load (Whitt, "Planning
//! Queueing Simulations", *Management Science* 35 (1989)); above a load of 0.96 it would take too
//! long for a test, and the row is checked by its formulas alone. The seeds are fixed: a row passes
//! always or never.

mod formulas;
mod rows;
mod simulation;

use super::json::Node;
use super::{Case, Problem};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    root.get("formulas").is_some() && rows::GROUPS.iter().any(|group| root.get(group).is_some())
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for (key, node) in root.members()? {
        cases.append(&mut rows::cases(key, &node)?);
    }
    Ok(cases)
}
