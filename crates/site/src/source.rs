//! The project's own files, read from wherever in it the command was started.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the project.
#[derive(Clone, Debug)]
pub struct Source {
    root: PathBuf,
}

impl Source {
    /// Finds the project above `start`.
    ///
    /// # Errors
    /// If no folder above `start` holds the stylesheet's list of parts.
    pub fn above(start: &Path) -> Result<Source, String> {
        start
            .ancestors()
            .find(|folder| folder.join("static/css/inflight.css").is_file())
            .map(|folder| Source { root: folder.to_owned() })
            .ok_or_else(|| "start it inside the project: static/css/inflight.css not found".into())
    }

    /// The text of the file at `path`, from the root.
    ///
    /// # Errors
    /// Names the file that could not be read.
    pub fn text(&self, path: &str) -> Result<String, String> {
        fs::read_to_string(self.root.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    /// The bytes of the file at `path`, from the root.
    ///
    /// # Errors
    /// Names the file that could not be read.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        fs::read(self.root.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    /// The names, in order, of the files of the folder at `path` that end in `ending`.
    ///
    /// # Errors
    /// Names the folder that could not be read.
    pub fn list(&self, path: &str, ending: &str) -> Result<Vec<String>, String> {
        let entries = fs::read_dir(self.root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(ending))
            .collect();
        names.sort();
        Ok(names)
    }
}
