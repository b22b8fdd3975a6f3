//! The fast look (`check`) and the rewriting of golden files (`bless`).

use crate::bundle;
use crate::command::{self, heading};
use crate::failure::Outcome;
use crate::project::Project;
use crate::tools;

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

/// Builds a bundle that notes which of its functions are called, opens its pages in a browser, and
/// writes down which of them a first picture needs: `site` cuts the module by that list.
///
/// # Errors
/// When a tool is missing, or a build or the browser fails.
pub fn bless_first(project: &Project) -> Outcome {
    let toolbox = tools::everything(project)?;
    let watched = project.target.join("watched");
    heading("the bundle, watched");
    let mut trunk = bundle::trunk(project, &toolbox)?;
    trunk.args(["build", "--release", "--dist"]).arg(&watched).env(bundle::WATCH, "1");
    command::run(&mut trunk)?;
    heading("what its pages call");
    let mut node = toolbox.command(tools::node()?);
    node.arg("first.mjs").current_dir(project.browser_tests());
    node.env("INFLIGHT_DIST", &watched).env("CHROME", tools::chromium()?);
    command::run(&mut node)
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
