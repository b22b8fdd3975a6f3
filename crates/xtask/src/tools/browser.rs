//! A browser for the tests: the user's Chromium or Chrome, else Debian's.
//!
//! No driver is needed beside it: the tests speak the DevTools protocol to the browser itself
//! (playwright-core, which brings no browser of its own).

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, heading};
use crate::failure::{Failure, Outcome};

const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const USUAL_PLACES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

/// The browser's program: `$CHROME`, else one on the PATH or in the usual places, else installed
/// from Debian's packages where that is possible.
///
/// # Errors
/// When there is none and it cannot be installed.
pub fn chromium() -> Outcome<PathBuf> {
    if let Some(chosen) = env::var_os("CHROME").map(PathBuf::from) {
        return if chosen.is_file() {
            Ok(chosen)
        } else {
            Err(Failure::new(format!("$CHROME names {}, which is no file", chosen.display()))
                .remedy("unset it, or set it to the program of Chromium or Chrome"))
        };
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    heading("chromium: runs the browser tests (Debian packages, about a minute)");
    let become_root = debian_root()?;
    let apt = |arguments: &[&str]| {
        let mut words = become_root.iter().copied().chain(["apt-get"]);
        let mut command = Command::new(words.next().unwrap_or("apt-get"));
        command.args(words).args(["-qq", "-o", "Dpkg::Use-Pty=0"]).args(arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    command::run(&mut apt(&["update"]))?;
    command::run(&mut apt(&["install", "-y", "chromium", "fonts-liberation"]))
        .map_err(|failure| Failure::new(failure.to_string()).remedy(BY_HAND))?;
    find().ok_or_else(|| Failure::new("chromium was installed but is not found").remedy(BY_HAND))
}

const BY_HAND: &str = "install Chromium or Chrome by hand, then put it on the PATH or name its \
                       program in $CHROME";

fn find() -> Option<PathBuf> {
    let usual = USUAL_PLACES.iter().map(PathBuf::from).find(|place| place.is_file());
    NAMES.iter().find_map(|name| command::find(name)).or(usual)
}

/// The words to put before `apt-get`; an error where there is no Debian or no right to install.
fn debian_root() -> Outcome<&'static [&'static str]> {
    let missing = || Failure::new("no Chromium or Chrome was found").remedy(BY_HAND);
    // Ubuntu has apt-get too, but its package only points at a snap, which cannot run headless in
    // a container.
    let system = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    if !system.lines().any(|line| line == "ID=debian") || !Path::new("/usr/bin/apt-get").is_file() {
        return Err(missing());
    }
    if command::read(Command::new("id").arg("-u")).as_deref() == Some("0") {
        return Ok(&[]);
    }
    let sudo = command::read(Command::new("sudo").args(["-n", "true"]));
    if sudo.is_some() { Ok(&["sudo", "-n"]) } else { Err(missing()) }
}
