//! The bundle: Trunk compiles the front end, then our hook has the `site` crate write the pages.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::command::{self, heading, spoken};
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::tools::{self, Toolbox};

/// Set while the bundle is built to learn which functions a first picture needs.
pub const WATCH: &str = "INFLIGHT_WATCH";

/// Writes `dist/`, ready for any static host.
///
/// # Errors
/// When a tool is missing or the build fails.
pub fn dist(project: &Project) -> Outcome {
    let toolbox = tools::for_bundle(project)?;
    build(project, &toolbox)
}

/// As [`dist`], with tools that are already there.
///
/// # Errors
/// When the build fails.
pub fn build(project: &Project, toolbox: &Toolbox) -> Outcome {
    heading("dist: the bundle, optimized");
    let start = Instant::now();
    let mut trunk = trunk(project, toolbox)?;
    command::run(trunk.args(["build", "--release"]))?;
    let total: u64 = files_below(&project.dist()).iter().map(|(_, bytes)| bytes).sum();
    println!("  {} KB in {} ({})", total / 1024, project.dist().display(), spoken(start.elapsed()));
    Ok(())
}

/// Trunk in the root of the project, finding our tools, with every crate already downloaded.
///
/// # Errors
/// When crates cannot be downloaded.
pub fn trunk(project: &Project, toolbox: &Toolbox) -> Outcome<Command> {
    // Trunk works offline, so what Cargo.lock names must be there before.
    let mut fetch = command::cargo(&project.root);
    command::run(fetch.args(["fetch", "--quiet"]))?;
    let program = toolbox.find("trunk").ok_or_else(|| Failure::new("trunk is not there"))?;
    let mut trunk = toolbox.command(program);
    // Trunk takes the value of this variable for that of its option and refuses `1`.
    trunk.env_remove("NO_COLOR");
    // A failed build is told of by the compiler; a trace of Trunk itself would only bury that.
    trunk.env("RUST_BACKTRACE", "0").current_dir(&project.root);
    keep_paths_out(&mut trunk);
    Ok(trunk)
}

/// Has the module name files of other crates from the registry's folder on, not from the root of
/// the machine that built it: what is published is the same wherever it was built.
pub fn keep_paths_out(command: &mut Command) {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let user = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?;
        Some(PathBuf::from(user).join(".cargo"))
    });
    if let Some(sources) = home.map(|home| home.join("registry").join("src")) {
        // Names of the newer kind tell type parameters apart, and the module is cut by names; its
        // data is cut by what the linker knows of addresses.
        let flag = format!(
            "--remap-path-prefix={}=crates -Csymbol-mangling-version=v0 -Clink-arg=--emit-relocs",
            sources.display()
        );
        // Only for the module: the host's programs are shared with the native tests.
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flag);
    }
}

/// What Trunk's hook calls between building and publishing: names the module for what it is, then
/// has `site` write the pages, the loader and the content beside it.
///
/// # Errors
/// When not called by Trunk, or when the pages cannot be written.
pub fn pages(project: &Project) -> Outcome {
    let staging = env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from).ok_or_else(|| {
        Failure::new("`pages` is the hook that Trunk calls")
            .remedy("`cargo xtask dist` runs it all")
    })?;
    let module = rename_module(&staging)?;
    drop_relocations(&module)?;
    let release = env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "release");
    if release {
        // Trunk hands the PATH on that `trunk` above has set.
        shrink(Command::new("wasm-opt"), &module)?;
    }
    let mut site = command::cargo(&project.root);
    site.args(["run", "--quiet", "--package", "site", "--"]).arg(&staging);
    if release {
        site.arg("--release");
        let target = project.target.join("wasm32-unknown-unknown");
        site.arg("--linked").arg(target.join("release").join("inflight.wasm"));
    }
    if env::var_os(WATCH).is_some() {
        site.arg("--watch");
    }
    command::run(&mut site)?;
    if release {
        for script in scripts_in(&staging) {
            shrink_script(&script)?;
        }
    }
    Ok(())
}

/// The scripts that a page asks for, in any folder; examples are there to be read.
fn scripts_in(folder: &Path) -> Vec<PathBuf> {
    let examples = folder.join("examples");
    let all = files_below(folder).into_iter().map(|(file, _)| file);
    let scripts = all.filter(|file| file.extension().is_some_and(|extension| extension == "js"));
    scripts.filter(|file| !file.starts_with(&examples)).collect()
}

/// Makes a script smaller in place: names that nobody else knows become short. A file is named by what
/// it was made from, which is always made smaller in the same way.
fn shrink_script(script: &Path) -> Outcome {
    let text = fs::read_to_string(script)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", script.display())))?;
    let mut terser = Command::new("terser");
    terser.arg(script).args(["--compress", "--mangle", "--ecma", "2020"]);
    if text.lines().any(|line| line.starts_with("export ") || line.starts_with("import ")) {
        terser.arg("--module");
    }
    terser.arg("--output").arg(script);
    command::run_quietly(&mut terser)
}

/// What wasm-opt does to the module. Its levels make a module shorter and yet longer once it is
/// compressed: they undo the likeness of one function to the next. These passes shorten both.
const PASSES: [&str; 10] = [
    "--precompute",
    "--optimize-instructions",
    "--vacuum",
    "--duplicate-function-elimination",
    "--remove-unused-brs",
    "--merge-blocks",
    "--remove-unused-module-elements",
    "--simplify-locals-notee-nostructure",
    "--rse",
    "--vacuum",
];

/// The features that the compiler emits for its baseline target.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Makes a module smaller in place. Its names stay (`-g`), because it will be cut by them.
///
/// # Errors
/// When wasm-opt is not there, or cannot read the module.
pub fn shrink(mut wasm_opt: Command, module: &Path) -> Outcome {
    wasm_opt.args(FEATURES).args(PASSES).arg("-g").arg(module).arg("-o").arg(module);
    command::run(&mut wasm_opt)
}

/// Rewrites a module in place without what the linker has left in it for `site`, which takes it from
/// the linker's own file.
///
/// # Errors
/// When the module cannot be read or written.
pub fn drop_relocations(module: &Path) -> Outcome {
    fs::read(module)
        .and_then(|bytes| fs::write(module, without_relocations(&bytes)))
        .map_err(|error| Failure::new(format!("cannot rewrite the module: {error}")))
}

/// A module without its relocations: after wasm-bindgen they are no longer true, and wasm-opt would
/// believe them.
fn without_relocations(module: &[u8]) -> Vec<u8> {
    let mut kept = module.get(..8).unwrap_or(module).to_vec();
    let mut next = kept.len();
    while next < module.len() {
        let Some((length, content)) = number_at(module, next + 1) else { break };
        let end = (content + length).min(module.len());
        let custom = module[next] == 0;
        let name = number_at(module, content).and_then(|(n, at)| module.get(at..at + n));
        let stale = name.is_some_and(|name| name == b"linking" || name.starts_with(b"reloc."));
        if !(custom && stale) {
            kept.extend(&module[next..end]);
        }
        next = end;
    }
    kept
}

/// The number at a place of a module (LEB128), and the place behind it.
fn number_at(module: &[u8], place: usize) -> Option<(usize, usize)> {
    let mut number = 0;
    for (at, shift) in (place..).zip((0..35).step_by(7)) {
        let byte = *module.get(at)?;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((number, at + 1));
        }
    }
    None
}

/// Trunk names the files after the package (`web-*`); people who embed them know `inflight-*`.
/// Says where the module is now.
fn rename_module(staging: &Path) -> Outcome<PathBuf> {
    let io = |error: std::io::Error| Failure::new(format!("cannot rename the module: {error}"));
    let mut found = None;
    for entry in fs::read_dir(staging).map_err(io)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(hashed) = name.strip_prefix("web-") else { continue };
        let renamed = staging.join(format!("inflight-{hashed}"));
        fs::rename(entry.path(), &renamed).map_err(io)?;
        if let Some(hash) = hashed.strip_suffix(".js") {
            let script = fs::read_to_string(&renamed).map_err(io)?;
            let module = format!("inflight-{hash}_bg.wasm");
            fs::write(&renamed, script.replace("web_bg.wasm", &module)).map_err(io)?;
            found = Some(staging.join(module));
        }
    }
    found.ok_or_else(|| Failure::new("Trunk has left no module `web-*.js`"))
}

/// Every file below a folder with its size in bytes.
pub fn files_below(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) => found.push((entry.path(), data.len())),
                Err(_) => {}
            }
        }
    }
    found.sort();
    found
}
