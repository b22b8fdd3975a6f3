//! The benchmarks.

use crate::failure::Outcome;
use crate::project::Project;

/// Measures.
pub fn bench(_project: &Project, _arguments: &[String]) -> Outcome {
    Ok(())
}
