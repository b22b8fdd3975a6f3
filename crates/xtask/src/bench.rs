//! The benchmarks: builds what is measured, then hands over to `tests/bench/bench.mjs`.

use std::fs;
use std::path::PathBuf;

use crate::bundle;
use crate::command::{self, heading};
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::tools::{self, Toolbox};

/// Has a page play for ten minutes.
const LONG: &str = "--long";

/// What can be measured by itself; `bench.mjs` has the same names.
const PARTS: [&str; 7] = ["engine", "worlds", "sizes", "slider", "crowds", "loading", "playing"];

/// Measures, prints a table and writes `target/bench/report.json`. With `--long` a page plays for ten
/// minutes and not for one; the names of parts leave out the others.
///
/// # Errors
/// When something cannot be built or measured.
pub fn bench(project: &Project, arguments: &[String]) -> Outcome {
    if let Some(other) = arguments.iter().find(|word| !is_known(word)) {
        let known = PARTS.join(", ");
        return Err(Failure::new(format!("bench cannot measure `{other}`"))
            .remedy(format!("`--long` is an option, and these are the parts: {known}")));
    }
    let toolbox = tools::everything(project)?;
    let python = tools::simpy(project)?;
    bundle::build(project, &toolbox)?;
    let native = native(project)?;
    let module = module(project, &toolbox)?;
    let long = arguments.iter().any(|word| word == LONG);
    let takes = if long { "a quarter of an hour" } else { "five minutes" };
    heading(&format!("measuring (about {takes}; leave the machine alone)"));
    let report = project.target.join("bench").join("report.json");
    let mut node = toolbox.command(tools::node()?);
    node.arg("bench.mjs")
        .arg(&report)
        .args(arguments)
        .current_dir(project.root.join("tests").join("bench"));
    node.env("NATIVE", native).env("MODULE", module).env("PYTHON", python);
    node.env("INFLIGHT_DIST", project.dist()).env("INFLIGHT_TARGET", &project.target);
    node.env("CHROME", tools::chromium()?);
    command::run(&mut node)?;
    println!("written to {}", report.display());
    Ok(())
}

fn is_known(word: &str) -> bool {
    word == LONG || PARTS.contains(&word)
}

/// The engine's benchmark as a program of this machine.
fn native(project: &Project) -> Outcome<PathBuf> {
    heading("the engine, natively");
    let mut cargo = command::cargo(&project.root);
    command::run(cargo.args(["build", "--release", "--quiet", "-p", "tests", "--bin", "mm1"]))?;
    let name = if cfg!(windows) { "mm1.exe" } else { "mm1" };
    Ok(project.target.join("release").join(name))
}

/// The folder of the front end's module with the exports that only benchmarks need.
fn module(project: &Project, toolbox: &Toolbox) -> Outcome<PathBuf> {
    heading("the engine, in WebAssembly");
    let target = "wasm32-unknown-unknown";
    let mut cargo = command::cargo(&project.root);
    cargo.args(["build", "--release", "--quiet", "-p", "web", "--lib"]);
    bundle::keep_paths_out(&mut cargo);
    command::run(cargo.args(["--target", target, "--features", "bench"]))?;
    let built = project.target.join(target).join("release").join("inflight.wasm");
    let folder = project.target.join("bench").join("module");
    let _ = fs::remove_dir_all(&folder);
    let mut bindgen = toolbox.command(found(toolbox, "wasm-bindgen")?);
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", "inflight", "--out-dir"]);
    command::run(bindgen.arg(&folder).arg(&built))?;
    // As the published module is, but in one piece.
    let made = folder.join("inflight_bg.wasm");
    bundle::drop_relocations(&made)?;
    let wasm_opt = toolbox.command(found(toolbox, "wasm-opt")?);
    bundle::shrink(wasm_opt, &made)?;
    Ok(folder)
}

fn found(toolbox: &Toolbox, name: &str) -> Outcome<PathBuf> {
    toolbox.find(name).ok_or_else(|| Failure::new(format!("{name} is not there")))
}
