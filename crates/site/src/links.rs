//! Links: every relative address in a page must lead to a file that was written.

use crate::output::Output;

/// Checks every `href` and `src` of every page.
///
/// # Errors
/// Lists the pages and their dead links.
pub fn check(output: &Output) -> Result<(), String> {
    let mut dead = Vec::new();
    for (page, html) in output.pages() {
        for address in addresses(html) {
            match target(page, address) {
                Target::Elsewhere => {}
                Target::Here(fragment) => {
                    if !fragment.is_empty() && !has_id(html, fragment) {
                        dead.push(format!("{page}: {address} (no such id)"));
                    }
                }
                Target::File(path, _) if !output.has(&path) => {
                    dead.push(format!("{page}: {address} (no {path})"));
                }
                Target::File(path, fragment) => {
                    // What another page holds is known only of the pages that were written now.
                    let there = output.pages().get(&path);
                    if !fragment.is_empty() && there.is_some_and(|html| !has_id(html, fragment)) {
                        dead.push(format!("{page}: {address} (no such id in {path})"));
                    }
                }
                Target::Absolute => dead.push(format!("{page}: {address} (not relative)")),
            }
        }
    }
    if dead.is_empty() { Ok(()) } else { Err(format!("dead links:\n{}", dead.join("\n"))) }
}

fn has_id(html: &str, id: &str) -> bool {
    html.contains(&format!(" id=\"{id}\""))
}

/// Where an address leads.
#[derive(Debug, PartialEq, Eq)]
enum Target<'a> {
    /// To another host.
    Elsewhere,
    /// To a place in the same page.
    Here(&'a str),
    /// To a file of this folder, and a place in it.
    File(String, &'a str),
    /// To the root of whatever host this will be on: works from no sub-path.
    Absolute,
}

fn target<'a>(page: &str, address: &'a str) -> Target<'a> {
    if let Some(fragment) = address.strip_prefix('#') {
        return Target::Here(fragment);
    }
    if address.contains("://") || address.starts_with("mailto:") || address.starts_with("data:") {
        return Target::Elsewhere;
    }
    if address.starts_with('/') {
        return Target::Absolute;
    }
    let bare = address.split(['#', '?']).next().unwrap_or("");
    let mut steps: Vec<&str> = page.split('/').collect();
    steps.pop();
    for step in bare.split('/') {
        match step {
            "." | "" => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    let is_folder = bare.is_empty() || bare.ends_with('/') || bare.ends_with('.');
    if is_folder {
        steps.push("index.html");
    }
    let fragment = address.split_once('#').map_or("", |(_, fragment)| fragment);
    Target::File(steps.join("/"), fragment)
}

/// The values of `href` and `src` attributes of tags, and not of tags that are shown as text.
fn addresses(html: &str) -> impl Iterator<Item = &str> {
    let in_tag = |at: usize| html[..at].rfind('<') > html[..at].rfind('>');
    [" href=\"", " src=\""].into_iter().flat_map(move |mark| {
        html.match_indices(mark)
            .filter(move |(at, _)| in_tag(*at))
            .filter_map(move |(at, _)| html[at + mark.len()..].split('"').next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_in_tags_only() {
        let html =
            r#"<a href="a/">x</a><script src="b.js"></script><code>&lt;img src="c.png"&gt;</code>"#;
        assert_eq!(addresses(html).collect::<Vec<_>>(), ["a/", "b.js"]);
    }

    #[test]
    fn addresses_lead_somewhere() {
        let check = |page: &str, address: &str, want: Target| {
            assert_eq!(target(page, address), want, "{address} in {page}");
        };
        let file = |path: &str| Target::File(path.to_owned(), "");
        check("index.html", "./", file("index.html"));
        check("index.html", "exhibits/event-life/", file("exhibits/event-life/index.html"));
        check("exhibits/a/index.html", "../../", file("index.html"));
        let at = |path: &str, id: &'static str| Target::File(path.to_owned(), id);
        check("exhibits/a/index.html", "../../element.js?x#y", at("element.js", "y"));
        check("exhibits/a/index.html", "../b/#top", at("exhibits/b/index.html", "top"));
        check("index.html", "#top", Target::Here("top"));
        check("index.html", "/element.js", Target::Absolute);
        check("index.html", "https://example.org/", Target::Elsewhere);
    }
}
