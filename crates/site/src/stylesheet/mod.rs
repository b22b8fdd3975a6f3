//! The stylesheets: the parts that `static/css/inflight.css` lists, made fit for a shadow root, and
//! those of `pages.css`, which stand around exhibits.

mod fallback;
mod minify;
mod rem;

use std::collections::BTreeSet;

use crate::source::Source;

const FOLDER: &str = "static/css";

/// The whole sheet that `list` names the parts of, small.
///
/// # Errors
/// Names the part that is missing, or the rule that would not work inside a shadow root.
pub fn stylesheet(source: &Source, list: &str) -> Result<String, String> {
    let list = source.text(&format!("{FOLDER}/{list}"))?;
    let mut whole = String::new();
    for line in minify::without_comments(&list).lines() {
        match imported(line) {
            Some(name) => whole.push_str(&part(source, name)?),
            None => whole.push_str(line),
        }
    }
    Ok(minify::small(&whole))
}

/// The names of the classes that a sheet has rules for.
#[must_use]
pub fn classes(sheet: &str) -> BTreeSet<&str> {
    // What follows a dot in a length, or stands within a string, is no name of ours and in no page.
    let names = sheet.split('.').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    });
    names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect()
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
    fn classes_are_found() {
        let found =
            classes(".a,.b__c:hover>.d--e{margin:.5em 1.25rem}@media(min-width:30.5em){.f{}}");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "b__c", "d--e", "f"]);
    }

    #[test]
    fn the_project_s_own_sheet_is_whole() {
        let here = std::env::current_dir().expect("a current folder");
        let source = Source::above(&here).expect("the project");
        let lists = ["inflight.css", "later.css", "study.css", "pages.css", "reading.css"];
        let mut listed = String::new();
        for list in lists {
            let sheet = stylesheet(&source, list).expect("a stylesheet");
            assert!(!sheet.contains("@import"), "an import is left in {list}");
            assert_eq!(sheet.matches('{').count(), sheet.matches('}').count(), "braces of {list}");
            listed += &source.text(&format!("static/css/{list}")).expect("the list");
        }
        for name in source.list("static/css", ".css").expect("the folder") {
            let imports = listed.matches(&format!("@import \"{name}\";")).count();
            let wanted = usize::from(!lists.contains(&name.as_str()));
            assert_eq!(imports, wanted, "{name} is not listed, or twice");
        }
    }
}
