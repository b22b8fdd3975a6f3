//! Node.js, and what comes from its packages: wasm-opt, Terser and the project of the browser tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Tool, find_or_install};
use crate::command::{self, heading};
use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// Older ones lack the test runner that the browser tests use.
const OLDEST_NODE: u32 = 20;

/// The npm package that carries wasm-opt, and the version that wasm-opt then reports.
const BINARYEN: (&str, &str) = ("132.0.0", "132");

/// The version of Terser.
const TERSER: &str = "5.51.4";

/// The folder that holds wasm-opt, or nothing when the PATH has it.
pub fn wasm_opt(project: &Project) -> Outcome<Option<PathBuf>> {
    let (package, version) = BINARYEN;
    let package = format!("binaryen@{package}");
    packaged(project, &package, "wasm-opt", version, "makes the module smaller and faster")
}

/// The folder that holds Terser, or nothing when the PATH has it.
pub fn terser(project: &Project) -> Outcome<Option<PathBuf>> {
    packaged(project, &format!("terser@{TERSER}"), "terser", TERSER, "makes scripts smaller")
}

/// The folder that holds a program of a package, or nothing when the PATH has it.
fn packaged(
    project: &Project,
    package: &str,
    name: &str,
    version: &str,
    purpose: &str,
) -> Outcome<Option<PathBuf>> {
    let root = project.cache.join(package.replace('@', "-"));
    let tool = Tool {
        name,
        version,
        folder: root.join("node_modules").join(".bin"),
        purpose,
        cost: "an npm package, seconds",
        by_hand: format!("`npm install --global {package}`"),
    };
    find_or_install(&tool, || {
        fs::create_dir_all(&root)
            .map_err(|error| Failure::new(format!("cannot make {}: {error}", root.display())))?;
        // Without a manifest of its own npm would look for one in the folders above.
        let _ = fs::write(root.join("package.json"), "{ \"private\": true }\n");
        let mut npm = npm(&root)?;
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error"]);
        npm.arg(package);
        command::run(&mut npm)
            .map_err(|failure| Failure::new(failure.to_string()).remedy(tool.by_hand.clone()))
    })
}

/// Installs what a Node project's lock file lists, unless that has been done already.
///
/// # Errors
/// When Node.js is missing or the packages cannot be had.
pub fn npm_project(folder: &Path) -> Outcome {
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules").join(".installed-from");
    let wanted = fs::read_to_string(&lock)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", lock.display())))?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return program().map(drop);
    }
    heading("packages of the browser tests (npm, seconds)");
    let mut npm = npm(folder)?;
    npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    command::run(&mut npm).map_err(|failure| {
        Failure::new(failure.to_string()).remedy(format!("`npm ci` in {}", folder.display()))
    })?;
    fs::write(&stamp, wanted)
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", stamp.display())))
}

/// The program `node`, new enough.
///
/// # Errors
/// When it is missing or too old.
pub fn program() -> Outcome<PathBuf> {
    let by_hand =
        format!("install Node.js {OLDEST_NODE} or later, with npm, and put it on the PATH");
    let node = command::find("node")
        .ok_or_else(|| Failure::new("Node.js is missing").remedy(by_hand.clone()))?;
    let printed = command::read(Command::new(&node).arg("--version")).unwrap_or_default();
    match major_version(&printed) {
        Some(major) if major >= OLDEST_NODE => Ok(node),
        _ => Err(Failure::new(format!("Node.js is too old ({printed})")).remedy(by_hand)),
    }
}

fn npm(folder: &Path) -> Outcome<Command> {
    program()?;
    let npm = command::find("npm").ok_or_else(|| {
        Failure::new("npm is missing")
            .remedy("it comes with Node.js; some systems package it apart")
    })?;
    let mut command = Command::new(npm);
    command.current_dir(folder);
    Ok(command)
}

fn major_version(printed: &str) -> Option<u32> {
    printed.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_the_first_number() {
        let rows = [("v20.20.2", Some(20)), ("v6.0.0\n", Some(6)), ("", None), ("next", None)];
        for (printed, expected) in rows {
            assert_eq!(major_version(printed), expected, "{printed}");
        }
    }
}
