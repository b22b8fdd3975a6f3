//! The fast look (`check`) and the rewriting of golden files (`bless`).

use crate::command::{self, heading};
use crate::failure::Outcome;
use crate::project::Project;

/// Formatting, lints with warnings denied, native tests.
///
/// # Errors
/// At the first that fails.
pub fn check(project: &Project) -> Outcome {
    heading("formatting");
    command::run(command::cargo(&project.root).args(["fmt", "--all", "--check"]))?;
    heading("lints");
    let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    command::run(command::cargo(&project.root).args(lints))?;
    heading("native tests");
    command::run(command::cargo(&project.root).args(["test", "--workspace", "--quiet"]))
}

/// Runs the native tests with golden files rewritten instead of compared, then shows which changed.
///
/// # Errors
/// When a test fails for another reason than its golden file.
pub fn bless(project: &Project) -> Outcome {
    heading("goldens, rewritten");
    let mut tests = command::cargo(&project.root);
    command::run(tests.args(["test", "--workspace", "--quiet"]).env("INFLIGHT_BLESS", "1"))?;
    let mut git = std::process::Command::new("git");
    git.args(["status", "--short", "--", "tests", "crates"]).current_dir(&project.root);
    match command::read(&mut git).as_deref() {
        Some("") => println!("nothing changed"),
        Some(changes) => println!("changed (read the differences before you commit):\n{changes}"),
        None => {}
    }
    Ok(())
}
