//! `element.js`: the loader's parts joined into one classic script, with this build's names in it.

use std::collections::BTreeMap;

use crate::output::Engine;
use crate::source::Source;
use crate::words::{Words, script_json};

/// The parts, in the order in which they lean on each other.
const PARTS: [&str; 7] = ["attributes", "failures", LENT, "engine", "theme", "screens", "element"];

/// The part that the engine for scripts has as well.
const LENT: &str = "lent";

/// What the loader must know of this build: where its files are, from its own address.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Assets {
    /// The engine's module.
    pub js: String,
    /// The engine itself.
    pub wasm: String,
    /// What no first picture needs of it; empty if the engine is in one piece.
    pub rest: String,
    /// The exhibits whose first picture does not need the rest.
    pub light: Vec<String>,
    /// The stylesheets by what asks for them.
    #[serde(flatten)]
    pub styles: Styles,
    /// What the files of exhibits have in their names, all the same, so that the loader need not list
    /// them.
    pub edition: String,
    /// Exhibits by id.
    #[serde(skip)]
    pub exhibits: Vec<String>,
    /// Catalogues by language: the words of a first picture, and the others.
    pub lang: BTreeMap<String, [String; 2]>,
}

/// The stylesheets.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Styles {
    /// What every exhibit has.
    pub css: String,
    /// What most have on top of it, but no first picture whose exhibit is light.
    pub later: String,
    /// What a quiz or a worksheet has.
    pub study: String,
}

impl Assets {
    /// The assets of a build whose exhibits and catalogues are yet to be added.
    #[must_use]
    pub fn new(engine: Engine, styles: Styles) -> Assets {
        let Engine { js, wasm, rest, light } = engine;
        Assets {
            js,
            wasm,
            rest,
            light,
            styles,
            edition: String::new(),
            exhibits: Vec::new(),
            lang: BTreeMap::new(),
        }
    }

    /// The file of an exhibit.
    #[must_use]
    pub fn exhibit(&self, id: &str) -> Option<String> {
        let known = self.exhibits.iter().any(|other| other == id);
        known.then(|| format!("exhibits/{id}-{}.json", self.edition))
    }
}

/// The whole script.
///
/// # Errors
/// Names the part that is missing or breaks the loader's rules for comments.
pub fn element_js(source: &Source, assets: &Assets, words: &Words) -> Result<String, String> {
    let mut parts = String::new();
    for name in PARTS {
        let path = format!("static/element/{name}.js");
        parts.push_str(&small(&source.text(&path)?).map_err(|error| format!("{path}: {error}"))?);
    }
    let assets = script_json(assets);
    let words = script_json(&words.under("loader."));
    Ok(format!(
        "// Inflight: defines <in-flight>. See embed.html beside this file for pages without scripts.\n\
         (() => {{\n\"use strict\";\n\
         if (typeof HTMLElement === \"undefined\" || !window.customElements) return;\n\
         if (customElements.get(\"in-flight\")) return;\n\
         const script = document.currentScript || document.querySelector('script[src*=\"element.js\"]');\n\
         const base = new URL(\".\", script ? script.src : document.baseURI).href;\n\
         const assets = {assets};\nconst words = {words};\n{parts}}})();\n"
    ))
}

/// `inflight.js`, the engine for scripts: the template with this build's names in it, and with what it
/// shares with the loader.
///
/// # Errors
/// Names the file that the template does not ask for.
pub fn api_js(source: &Source, assets: &Assets) -> Result<String, String> {
    let template = source.text("static/api/inflight.js")?;
    let lent = source.text(&format!("static/element/{LENT}.js"))?;
    let names = [("%js%", &assets.js), ("%wasm%", &assets.wasm), ("%rest%", &assets.rest)];
    let mut names = names.into_iter().chain([("%lent%", &lent)]);
    names.try_fold(template, |text, (place, name)| {
        if text.contains(place) {
            Ok(text.replace(place, name))
        } else {
            Err(format!("static/api/inflight.js: there is no {place}"))
        }
    })
}

/// A script without its comment lines and indentation.
///
/// # Errors
/// If a line could only be read right by a parser: a template literal that spans lines, or a block
/// comment.
pub fn small(script: &str) -> Result<String, String> {
    let mut out = String::new();
    for (i, line) in script.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let ticks = line.matches('`').count();
        if line.starts_with("/*") || !ticks.is_multiple_of(2) {
            return Err(format!("line {}: no block comments, no open template literals", i + 1));
        }
        out.push_str(line);
        out.push('\n');
    }
    Ok(out)
}

/// The module that wasm-bindgen writes, as [`small`]: its block comments stand on lines of their
/// own, between statements.
///
/// # Errors
/// As [`small`].
pub fn small_module(script: &str) -> Result<String, String> {
    let mut inside = false;
    let code = script.lines().filter(|line| {
        let line = line.trim();
        let comment = inside || line.starts_with("/*");
        inside = comment && !line.ends_with("*/");
        !comment
    });
    small(&code.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_loses_its_documentation() {
        let module = "/**\n * Takes it out.\n */\nexport class A {\n    /** Goes. */\n    b() {\n";
        assert_eq!(small_module(module).as_deref(), Ok("export class A {\nb() {\n"));
    }

    #[test]
    fn comments_and_indentation_go() {
        let check = |script: &str, want: &str| assert_eq!(small(script).as_deref(), Ok(want));
        check("// why\n  a();\n\n  b(\"// no\");\n", "a();\nb(\"// no\");\n");
        check("a(`x ${y}`);", "a(`x ${y}`);\n");
    }

    #[test]
    fn what_a_line_reader_cannot_read_is_refused() {
        assert!(small("a(`x\ny`);").is_err());
        assert!(small("/* no */").is_err());
    }
}
