//! Verbs that are programs of the `tests` crate; they are called here so that there is one runner.

use std::env;
use std::path::Path;

use crate::command;
use crate::failure::Outcome;
use crate::project::Project;

/// Replays conformance vectors, a line a case.
///
/// # Errors
/// When a case fails; the status is passed on.
pub fn conform(project: &Project, arguments: &[String]) -> Outcome {
    forward(project, "conform", arguments)
}

/// Runs a scenario and prints its trace, measures and properties.
///
/// # Errors
/// When the scenario is wrong or a property is broken; the status is passed on.
pub fn run(project: &Project, arguments: &[String]) -> Outcome {
    forward(project, "run", arguments)
}

/// Tries a crash at each border of a scenario's handlers and prints what it costs.
///
/// # Errors
/// When the scenario is wrong; the status is passed on.
pub fn explore(project: &Project, arguments: &[String]) -> Outcome {
    forward(project, "explore", arguments)
}

fn forward(project: &Project, program: &str, arguments: &[String]) -> Outcome {
    let mut cargo = command::cargo(&project.root);
    // File names are the caller's, so the program runs where the caller is.
    cargo.current_dir(env::current_dir().as_deref().unwrap_or(Path::new(".")));
    cargo.arg("run").arg("--manifest-path").arg(project.root.join("Cargo.toml"));
    cargo.args(["--release", "--quiet", "--package", "tests", "--bin", program, "--"]);
    command::run_quietly(cargo.args(arguments))
}
