//! Where things are: the work tree, the build folder and the project's own cache.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The folders that tasks work in.
#[derive(Debug)]
pub struct Project {
    /// The root of the work tree.
    pub root: PathBuf,
    /// Cargo's build folder, which also takes reports and screenshots.
    pub target: PathBuf,
    /// Where tools are installed, apart from the user's own.
    pub cache: PathBuf,
}

impl Project {
    /// Finds the folders from the place of this crate and the environment.
    pub fn locate() -> Self {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf();
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |folder| root.join(folder));
        Self { root, target, cache: cache_folder(|name| env::var_os(name).map(PathBuf::from)) }
    }

    /// The bundle that static hosts serve.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// The Node project of the browser tests.
    pub fn browser_tests(&self) -> PathBuf {
        self.root.join("tests").join("browser")
    }

    /// The version of a package that `Cargo.lock` holds.
    ///
    /// # Errors
    /// When there is no lock file or the package is not in it.
    pub fn locked_version(&self, package: &str) -> Outcome<String> {
        let lock = self.root.join("Cargo.lock");
        let text = fs::read_to_string(&lock).map_err(|error| {
            Failure::new(format!("cannot read {}: {error}", lock.display()))
                .remedy("`cargo generate-lockfile` makes it anew")
        })?;
        version_in_lock(&text, package)
            .ok_or_else(|| Failure::new(format!("Cargo.lock has no package `{package}`")))
    }
}

/// `$INFLIGHT_CACHE`, else the platform's cache folder with our name under it.
fn cache_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    if let Some(chosen) = variable("INFLIGHT_CACHE") {
        return chosen;
    }
    let platform = variable("XDG_CACHE_HOME").or_else(|| variable("LOCALAPPDATA")).or_else(|| {
        let home = variable("HOME")?;
        Some(if cfg!(target_os = "macos") {
            home.join("Library").join("Caches")
        } else {
            home.join(".cache")
        })
    });
    platform.unwrap_or_else(env::temp_dir).join("inflight")
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let mut lines = lock.lines();
    lines.find(|line| *line == format!("name = \"{package}\""))?;
    let version = lines.next()?.strip_prefix("version = \"")?;
    version.strip_suffix('"').map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_follows_the_environment() {
        let rows: [(&[(&str, &str)], &str); 3] = [
            (&[("INFLIGHT_CACHE", "/mine"), ("XDG_CACHE_HOME", "/xdg")], "/mine"),
            (&[("XDG_CACHE_HOME", "/xdg"), ("HOME", "/h")], "/xdg/inflight"),
            (&[("LOCALAPPDATA", "/local")], "/local/inflight"),
        ];
        for (environment, expected) in rows {
            let found = cache_folder(|name| {
                environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
            });
            assert_eq!(found, PathBuf::from(expected), "{environment:?}");
        }
    }

    #[test]
    fn a_version_is_read_from_the_lock() {
        let lock = "[[package]]\nname = \"yew-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"yew\"\nversion = \"0.23.0\"\n";
        assert_eq!(version_in_lock(lock, "yew").as_deref(), Some("0.23.0"));
        assert_eq!(version_in_lock(lock, "trunk"), None);
    }
}
