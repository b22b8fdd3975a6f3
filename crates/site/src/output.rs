//! The folder that is written, and names that change only when the content does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder being filled.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    pages: BTreeMap<String, String>,
    written: usize,
}

impl Output {
    /// An output into `folder`, which must exist.
    #[must_use]
    pub fn into_folder(folder: &Path) -> Output {
        Output { folder: folder.to_owned(), pages: BTreeMap::new(), written: 0 }
    }

    /// Writes `content` at `path`, folders and all.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn put(&mut self, path: &str, content: impl AsRef<[u8]>) -> Result<(), String> {
        let target = self.folder.join(path);
        let written = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&target, content));
        self.written += 1;
        written.map_err(|error| format!("{path}: {error}"))
    }

    /// The text of a file that is there.
    ///
    /// # Errors
    /// Names the file that could not be read.
    pub fn text(&self, path: &str) -> Result<String, String> {
        fs::read_to_string(self.folder.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    /// Writes `content` under a name with its hash in it, to be cached for ever, and tells the name.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn put_hashed(&mut self, path: &str, content: impl AsRef<[u8]>) -> Result<String, String> {
        let (stem, ending) = path.rsplit_once('.').unwrap_or((path, ""));
        // Thirty-two bits: the loader lists a hundred of these names, and is to stay small.
        let name = format!("{stem}-{:08x}.{ending}", hash(content.as_ref()) >> 32);
        self.put(&name, content)?;
        Ok(name)
    }

    /// Writes a page and keeps its text, so that links can be checked.
    ///
    /// # Errors
    /// Names the file that could not be written.
    pub fn put_page(&mut self, path: &str, html: String) -> Result<(), String> {
        self.put(path, &html)?;
        self.pages.insert(path.to_owned(), html);
        Ok(())
    }

    /// The pages written so far, by path.
    #[must_use]
    pub fn pages(&self) -> &BTreeMap<String, String> {
        &self.pages
    }

    /// The content of a file that stands there already.
    ///
    /// # Errors
    /// Names the file that could not be read.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        fs::read(self.folder.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    /// Takes a file of the bundler's away.
    ///
    /// # Errors
    /// Names the file that could not be removed.
    pub fn remove(&self, path: &str) -> Result<(), String> {
        fs::remove_file(self.folder.join(path)).map_err(|error| format!("{path}: {error}"))
    }

    /// Whether a file stands at `path`, by us or by the bundler.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.folder.join(path).is_file()
    }

    /// How many files were written.
    #[must_use]
    pub fn written(&self) -> usize {
        self.written
    }

    /// The names of the engine's two files, as the bundler left them.
    ///
    /// # Errors
    /// If there is not exactly one engine, or its files do not belong together.
    pub fn engine(&self) -> Result<Engine, String> {
        let entries = fs::read_dir(&self.folder).map_err(|e| e.to_string())?;
        let names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        let mut found = names.iter().filter_map(|wasm| {
            let stem = wasm.strip_suffix("_bg.wasm").filter(|stem| stem.starts_with("inflight"))?;
            let js = format!("{stem}.js");
            names.contains(&js).then(|| Engine { js, wasm: wasm.clone(), ..Engine::default() })
        });
        match (found.next(), found.next()) {
            (Some(engine), None) => Ok(engine),
            (None, _) => {
                Err("no inflight….js with its …_bg.wasm: build the front end first".into())
            }
            (Some(_), Some(_)) => Err("several engines: empty the folder and build again".into()),
        }
    }
}

/// The engine's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engine {
    /// The JavaScript module.
    pub js: String,
    /// The WebAssembly it needs.
    pub wasm: String,
    /// The second part of it, if it has been cut in two.
    pub rest: String,
    /// The exhibits whose first picture needs the first part alone.
    pub light: Vec<String>,
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo): names files by content; it guards nothing.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn hashes_are_those_of_the_reference() {
        let check = |text: &str, want: u64| assert_eq!(hash(text.as_bytes()), want, "{text}");
        check("", 0xcbf2_9ce4_8422_2325);
        check("a", 0xaf63_dc4c_8601_ec8c);
        check("foobar", 0x8594_4171_f739_67e8);
    }
}
