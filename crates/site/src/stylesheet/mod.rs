//! The one stylesheet: the parts that `static/css/inflight.css` lists, made fit for a shadow root.

mod fallback;
mod minify;
mod rem;

use crate::source::Source;

const FOLDER: &str = "static/css";

/// The whole sheet, small.
///
/// # Errors
/// Names the part that is missing, or the rule that would not work inside a shadow root.
pub fn stylesheet(source: &Source) -> Result<String, String> {
    let list = source.text(&format!("{FOLDER}/inflight.css"))?;
    let mut whole = String::new();
    for line in minify::without_comments(&list).lines() {
        match imported(line) {
            Some(name) => whole.push_str(&part(source, name)?),
            None => whole.push_str(line),
        }
    }
    Ok(minify::small(&whole))
}

fn part(source: &Source, name: &str) -> Result<String, String> {
    let path = format!("{FOLDER}/{name}");
    let text = minify::without_comments(&source.text(&path)?);
    let older = fallback::lists(&text);
    rem::relative_to_reader(&(text + &older)).map_err(|error| format!("{path}: {error}"))
}

fn imported(line: &str) -> Option<&str> {
    line.trim().strip_prefix("@import \"")?.strip_suffix("\";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_recognised() {
        let check = |line: &str, want: Option<&str>| assert_eq!(imported(line), want, "{line}");
        check("@import \"tokens.css\";", Some("tokens.css"));
        check("@layer tokens, base;", None);
        check("", None);
    }

    #[test]
    fn the_project_s_own_sheet_is_whole() {
        let here = std::env::current_dir().expect("a current folder");
        let source = Source::above(&here).expect("the project");
        let sheet = stylesheet(&source).expect("a stylesheet");
        assert!(!sheet.contains("@import"), "an import is left");
        assert_eq!(sheet.matches('{').count(), sheet.matches('}').count(), "braces");
        let listed = source.text("static/css/inflight.css").expect("the list");
        for name in source.list("static/css", ".css").expect("the folder") {
            let import = format!("@import \"{name}\";");
            assert!(name == "inflight.css" || listed.contains(&import), "{name} is not listed");
        }
    }
}
