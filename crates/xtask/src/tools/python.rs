//! Python with SimPy, the yardstick of the benchmarks, in an environment of its own.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, heading};
use crate::failure::{Failure, Outcome};
use crate::project::Project;

const SIMPY_VERSION: &str = "4.1.1";

/// The `python` of an environment in the cache that has SimPy.
///
/// # Errors
/// When there is no Python, or the environment cannot be made.
pub fn simpy(project: &Project) -> Outcome<PathBuf> {
    let folder = project.cache.join(format!("simpy-{SIMPY_VERSION}"));
    let python = if cfg!(windows) {
        folder.join("Scripts").join("python.exe")
    } else {
        folder.join("bin").join("python")
    };
    if command::read(Command::new(&python).args(["-c", "import simpy"])).is_some() {
        return Ok(python);
    }
    heading(&format!("SimPy {SIMPY_VERSION}: the yardstick of the benchmarks (pip, seconds)"));
    let by_hand = "install Python 3 with its venv module; on Debian `apt-get install python3-venv`";
    let system = command::find("python3")
        .or_else(|| command::find("python"))
        .ok_or_else(|| Failure::new("Python 3 is missing").remedy(by_hand))?;
    command::run(Command::new(system).args(["-m", "venv"]).arg(&folder))
        .map_err(|failure| Failure::new(failure.to_string()).remedy(by_hand))?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command::run(pip.arg(format!("simpy=={SIMPY_VERSION}")))?;
    Ok(python)
}
