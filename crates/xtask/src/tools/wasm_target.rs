//! The WebAssembly target of the pinned compiler.

use std::process::Command;

use crate::command::{self, heading};
use crate::failure::{Failure, Outcome};
use crate::project::Project;

const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the target to the toolchain that `rust-toolchain.toml` names.
pub fn ensure(project: &Project) -> Outcome {
    if installed(project) {
        return Ok(());
    }
    heading(&format!("{TARGET}: what the browser runs is compiled for it (seconds)"));
    let mut rustup = Command::new("rustup");
    command::run(rustup.args(["target", "add", TARGET]).current_dir(&project.root)).map_err(
        |failure| {
            Failure::new(format!("the target {TARGET} is missing\n{failure}")).remedy(format!(
                "with rustup: `rustup target add {TARGET}`; without it, install the standard \
                 library for {TARGET} from where your compiler came from"
            ))
        },
    )
}

/// Whether the compiler has the target's standard library.
fn installed(project: &Project) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]).current_dir(&project.root);
    command::read(&mut rustc).is_some_and(|folder| std::path::Path::new(&folder).is_dir())
}
