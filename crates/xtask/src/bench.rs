//! The benchmarks: builds what is measured, then hands over to `tests/bench/bench.mjs`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bundle;
use crate::command::{self, heading};
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::tools::{self, Toolbox};

/// Those of `web/index.html`: the measured module is optimized as the published one is.
const WASM_OPT_PARAMETERS: &str = "data-wasm-opt-params=\"";

/// Measures, prints a table and writes `target/bench/report.json`.
///
/// # Errors
/// When something cannot be built or measured.
pub fn bench(project: &Project, arguments: &[String]) -> Outcome {
    if !arguments.is_empty() {
        return Err(Failure::new("bench takes no arguments"));
    }
    let toolbox = tools::everything(project)?;
    let python = tools::simpy(project)?;
    bundle::build(project, &toolbox)?;
    let native = native(project)?;
    let module = module(project, &toolbox)?;
    heading("measuring (about two minutes; leave the machine alone)");
    let report = project.target.join("bench").join("report.json");
    let mut node = toolbox.command(tools::node()?);
    node.arg("bench.mjs").arg(&report).current_dir(project.root.join("tests").join("bench"));
    node.env("NATIVE", native).env("MODULE", module).env("PYTHON", python);
    node.env("INFLIGHT_DIST", project.dist()).env("INFLIGHT_TARGET", &project.target);
    node.env("CHROME", tools::chromium()?);
    command::run(&mut node)?;
    println!("written to {}", report.display());
    Ok(())
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
    let wasm = folder.join("inflight_bg.wasm");
    let mut wasm_opt = toolbox.command(found(toolbox, "wasm-opt")?);
    wasm_opt.args(wasm_opt_options(&project.root)?).arg(&wasm).arg("-o").arg(&wasm);
    command::run(&mut wasm_opt)?;
    Ok(folder)
}

fn found(toolbox: &Toolbox, name: &str) -> Outcome<PathBuf> {
    toolbox.find(name).ok_or_else(|| Failure::new(format!("{name} is not there")))
}

/// Reads level and features from Trunk's page, so that they are written down once.
fn wasm_opt_options(root: &Path) -> Outcome<Vec<String>> {
    let page = root.join("web").join("index.html");
    let text = fs::read_to_string(&page)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", page.display())))?;
    options_in(&text)
        .ok_or_else(|| Failure::new(format!("{} sets no wasm-opt options", page.display())))
}

fn options_in(page: &str) -> Option<Vec<String>> {
    let value = |attribute: &str| Some(page.split(attribute).nth(1)?.split('"').next()?.to_owned());
    let level = value("data-wasm-opt=\"")?;
    let features = value(WASM_OPT_PARAMETERS)?;
    let words = features.split_whitespace().map(str::to_owned);
    Some(std::iter::once(format!("-O{level}")).chain(words).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_from_trunks_page() {
        let page = "<link data-wasm-opt=\"3\"\n data-wasm-opt-params=\"--enable-a  --enable-b\">";
        let expected = ["-O3", "--enable-a", "--enable-b"].map(str::to_owned).to_vec();
        assert_eq!(options_in(page), Some(expected));
        assert_eq!(options_in("<link>"), None);
    }
}
