//! The scripts of pages: one that every page has, and modules that are fetched where they are needed.
//! A module names another by its file, and is written with the name that this build gives it.

use crate::loader::small;
use crate::output::Output;
use crate::source::Source;

/// The names of this build's scripts.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// What every page has.
    pub page: String,
    /// Progress in the navigation.
    pub progress: String,
    /// The page of progress.
    pub desk: String,
    /// The review gate.
    pub gate: String,
    /// The search.
    pub search: String,
    /// The builder of snippets.
    pub builder: String,
    /// The filter of the gallery.
    pub gallery: String,
}

/// The modules, each after those that it imports.
const MODULES: [&str; 8] =
    ["storage", "store", "progress", "desk", "gate", "search", "builder", "gallery"];

impl Scripts {
    /// Writes every script.
    ///
    /// # Errors
    /// Names the file that could not be read or written, or that imports what is not there.
    pub fn put(source: &Source, output: &mut Output) -> Result<Scripts, String> {
        let page = output.put_hashed("page.js", &small(&source.text("static/page.js")?)?)?;
        let mut scripts = Scripts { page, ..Scripts::default() };
        let mut written: Vec<(&str, String)> = Vec::new();
        for module in MODULES {
            let path = format!("static/pages/{module}.js");
            let text = small(&source.text(&path)?).map_err(|error| format!("{path}: {error}"))?;
            let text = linked(&text, &written).map_err(|error| format!("{path}: {error}"))?;
            let name = output.put_hashed(&format!("{module}.js"), text)?;
            match module {
                "progress" => scripts.progress.clone_from(&name),
                "desk" => scripts.desk.clone_from(&name),
                "gate" => scripts.gate.clone_from(&name),
                "gallery" => scripts.gallery.clone_from(&name),
                "search" => scripts.search.clone_from(&name),
                "builder" => scripts.builder.clone_from(&name),
                _ => {}
            }
            written.push((module, name));
        }
        Ok(scripts)
    }
}

/// The module with the names of this build in its imports.
fn linked(module: &str, written: &[(&str, String)]) -> Result<String, String> {
    let mut text = module.to_owned();
    for (name, file) in written {
        text = text.replace(&format!("from \"./{name}.js\""), &format!("from \"./{file}\""));
    }
    let known = |import: &str| written.iter().any(|(_, file)| import == format!("./{file}"));
    let mut imports = text.split(" from \"").skip(1).filter_map(|rest| rest.split('"').next());
    match imports.find(|import| !known(import)) {
        Some(unknown) => Err(format!("it imports {unknown}, which is not written before it")),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::linked;

    #[test]
    fn imports_name_the_files_of_the_build() {
        let written = [("store", "store-1f.js".to_owned())];
        let module = "import { a } from \"./store.js\";\nexport { b } from \"./store.js\";\n";
        let linked_module = linked(module, &written).expect("a module");
        assert_eq!(linked_module.matches("from \"./store-1f.js\"").count(), 2);
        let message =
            linked("import { a } from \"./other.js\";\n", &written).expect_err("an error");
        assert!(message.contains("./other.js"), "{message}");
    }
}
