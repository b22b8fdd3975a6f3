//! Tools that come as crates: Trunk bundles, wasm-bindgen writes the JavaScript beside the module.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{Tool, find_or_install};
use crate::command;
use crate::failure::{Failure, Outcome};
use crate::project::Project;

/// The newest Trunk that our compiler builds.
const TRUNK_VERSION: &str = "0.21.14";

/// The folder that holds Trunk, or nothing when the PATH has it.
pub fn trunk(project: &Project) -> Outcome<Option<PathBuf>> {
    let root = project.cache.join(format!("trunk-{TRUNK_VERSION}"));
    let tool = Tool {
        name: "trunk",
        version: TRUNK_VERSION,
        folder: root.join("bin"),
        purpose: "bundles the front end, serves it and rebuilds on change",
        cost: "built from source, two to three minutes on two cores",
        by_hand: format!("`cargo install trunk --version {TRUNK_VERSION} --locked`"),
    };
    find_or_install(&tool, || {
        // It only ever waits for compilers, so it is built for building fast; TLS and the look for
        // newer versions are left out because it works offline.
        let mut cargo = install(project, "trunk", TRUNK_VERSION);
        cargo.args(["--locked", "--no-default-features"]).arg("--root").arg(&root);
        cargo.args(["--config", "profile.release.opt-level=0"]);
        finish(project, "trunk", &mut cargo, &tool.by_hand)
    })
}

/// The folder that holds wasm-bindgen of the locked version, or nothing when the PATH has it.
pub fn wasm_bindgen(project: &Project) -> Outcome<Option<PathBuf>> {
    let version = project.locked_version("wasm-bindgen")?;
    let root = project.cache.join(format!("wasm-bindgen-{version}"));
    let tool = Tool {
        name: "wasm-bindgen",
        version: &version,
        folder: root.join("bin"),
        purpose: "writes the JavaScript that loads the module; its version is that of Cargo.lock",
        cost: "built from source, one to two minutes on two cores",
        by_hand: format!("`cargo install wasm-bindgen-cli --version {version}`"),
    };
    find_or_install(&tool, || {
        // Its own lock file can name versions that a registry mirror does not have yet.
        let mut cargo = install(project, "wasm-bindgen-cli", &version);
        cargo.args(["--bin", "wasm-bindgen"]).arg("--root").arg(&root);
        cargo.args(["--config", "profile.release.opt-level=1"]);
        finish(project, "wasm-bindgen", &mut cargo, &tool.by_hand)
    })
}

fn install(project: &Project, package: &str, version: &str) -> Command {
    let mut cargo = command::cargo(&project.root);
    cargo.args(["install", package, "--version", version, "--force"]);
    cargo.arg("--target-dir").arg(build_folder(project));
    for setting in ["lto=\"off\"", "codegen-units=16", "debug=false"] {
        cargo.arg("--config").arg(format!("profile.release.{setting}"));
    }
    cargo
}

/// Builds and, when that went well, throws the build folder away; both tools are rarely built.
fn finish(project: &Project, name: &str, cargo: &mut Command, by_hand: &str) -> Outcome {
    command::run_counting(name, cargo, |line| line.trim_start().starts_with("Compiling"))
        .map_err(|failure| Failure::new(failure.to_string()).remedy(by_hand))?;
    let _ = fs::remove_dir_all(build_folder(project));
    Ok(())
}

fn build_folder(project: &Project) -> PathBuf {
    project.cache.join("build")
}
