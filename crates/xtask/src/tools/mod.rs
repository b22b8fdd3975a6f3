//! Tools that verbs need: each pinned, looked for first, else installed under the project's cache.
//!
//! Nothing of the user's own is replaced: what is installed is put before the PATH of the programs
//! that a verb starts, and nowhere else. What cannot be installed is named with the way to do it by
//! hand.

mod browser;
mod cargo_tools;
mod node;
mod python;
mod wasm_target;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::command::{self, heading, spoken};
use crate::failure::Outcome;
use crate::project::Project;

pub use browser::chromium;
pub use node::program as node;
pub use python::simpy;

/// Folders to put before the PATH of what a verb starts.
#[derive(Debug, Default)]
pub struct Toolbox {
    folders: Vec<PathBuf>,
}

impl Toolbox {
    /// A command of this name that finds the tools.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", command::path_with(&self.folders));
        command
    }

    /// The full path of a tool in this box, or on the PATH.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let ours = self.folders.iter().find_map(|folder| command::program_in(folder, name));
        ours.or_else(|| command::find(name))
    }
}

/// What building the bundle needs: the WebAssembly target, Trunk, wasm-bindgen, wasm-opt and Terser.
///
/// # Errors
/// When something is missing and cannot be installed.
pub fn for_bundle(project: &Project) -> Outcome<Toolbox> {
    wasm_target::ensure(project)?;
    let folders = [
        node::wasm_opt(project)?,
        node::terser(project)?,
        cargo_tools::wasm_bindgen(project)?,
        cargo_tools::trunk(project)?,
    ];
    Ok(Toolbox { folders: folders.into_iter().flatten().collect() })
}

/// Everything that `serve` and `test` need.
///
/// # Errors
/// When something is missing and cannot be installed.
pub fn everything(project: &Project) -> Outcome<Toolbox> {
    let start = Instant::now();
    let toolbox = for_bundle(project)?;
    node::npm_project(&project.browser_tests())?;
    let chromium = chromium()?;
    println!("browser: {}", chromium.display());
    println!("all tools are there ({})", spoken(start.elapsed()));
    Ok(toolbox)
}

/// Where a tool was found.
enum Found {
    /// The user has it, in the right version.
    OnPath,
    /// We installed it earlier, into this folder.
    InCache(PathBuf),
}

/// Looks for a tool of a version on the PATH, then in a folder of the cache.
fn look_for(name: &str, version: &str, folder: &Path) -> Option<Found> {
    if command::find(name).is_some_and(|program| reports(&program, version)) {
        return Some(Found::OnPath);
    }
    let ours = command::program_in(folder, name)?;
    reports(&ours, version).then(|| Found::InCache(folder.to_path_buf()))
}

/// Whether `--version` names the version as one of its words.
fn reports(program: &Path, version: &str) -> bool {
    let printed = command::read(Command::new(program).arg("--version"));
    printed.is_some_and(|text| names_version(&text, version))
}

fn names_version(printed: &str, version: &str) -> bool {
    printed.split_whitespace().any(|word| word.trim_start_matches('v') == version)
}

/// Finds a tool or installs it; the folder to put before the PATH, if any.
fn find_or_install(tool: &Tool<'_>, install: impl FnOnce() -> Outcome) -> Outcome<Option<PathBuf>> {
    let find = || look_for(tool.name, tool.version, &tool.folder);
    match find() {
        Some(Found::OnPath) => return Ok(None),
        Some(Found::InCache(folder)) => return Ok(Some(folder)),
        None => {}
    }
    heading(&format!("{} {}: {} ({})", tool.name, tool.version, tool.purpose, tool.cost));
    let start = Instant::now();
    install()?;
    match find() {
        Some(Found::InCache(folder)) => {
            println!("  installed in {} ({})", folder.display(), spoken(start.elapsed()));
            Ok(Some(folder))
        }
        _ => Err(crate::failure::Failure::new(format!(
            "{} was installed, but does not report version {}",
            tool.name, tool.version
        ))
        .remedy(tool.by_hand.clone())),
    }
}

/// A tool as it is pinned.
struct Tool<'a> {
    name: &'a str,
    version: &'a str,
    /// The folder of the cache that its program is installed into.
    folder: PathBuf,
    /// What it is for.
    purpose: &'a str,
    /// How long it takes to install.
    cost: &'a str,
    /// How to install it by hand.
    by_hand: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_whole_words() {
        let rows = [
            ("trunk 0.21.14", "0.21.14", true),
            ("trunk 0.21.140", "0.21.14", false),
            ("wasm-opt version 132 (version_132)", "132", true),
            ("v20.20.2", "20.20.2", true),
            ("wasm-bindgen 0.2.130 (abc)", "0.2.13", false),
        ];
        for (printed, version, expected) in rows {
            assert_eq!(names_version(printed, version), expected, "{printed}");
        }
    }
}
