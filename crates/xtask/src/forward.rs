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

/// Lints exhibits, quizzes, decision trees and scenarios, a line a finding.
///
/// # Errors
/// When something is found or a file cannot be read; the status is passed on.
pub fn lint(project: &Project, arguments: &[String]) -> Outcome {
    forward(project, "lint", arguments)
}

/// Imports a quiz of mdbook-quiz.
///
/// # Errors
/// When the file cannot be read, or holds nothing that can be carried over.
pub fn import(project: &Project, arguments: &[String]) -> Outcome {
    forward(project, "import", arguments)
}

fn forward(project: &Project, program: &str, arguments: &[String]) -> Outcome {
    let mut cargo = command::cargo(&project.root);
    // File names are the caller's, so the program runs where the caller is.
    cargo.current_dir(env::current_dir().as_deref().unwrap_or(Path::new(".")));
    cargo.arg("run").arg("--manifest-path").arg(project.root.join("Cargo.toml"));
    cargo.args(["--release", "--quiet", "--package", "tests", "--bin", program, "--"]);
    command::run_quietly(cargo.args(arguments))
}
