//! Where a paper's links lead: papers and exhibits link to each other as files of the project, so
//! that the links hold where the files are read too, and pages link to pages.

/// The folder of everything that is read.
const CONTENT: &str = "crates/course/content/";

/// The address, from the root of the site, of what `link` in the paper at `paper` leads to.
///
/// # Errors
/// If it leads neither to another host nor to something that has a page.
pub fn of_page(paper: &str, link: &str) -> Result<Address, String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(Address::Elsewhere);
    }
    let (file, fragment) = link.split_once('#').map_or((link, None), |(f, id)| (f, Some(id)));
    if file.is_empty() {
        return Ok(Address::Here);
    }
    let mut steps: Vec<&str> = paper.split('/').collect();
    steps.pop();
    for step in file.split('/') {
        match step {
            "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    let path = steps.join("/");
    let page = path.strip_prefix(CONTENT).and_then(page);
    let page =
        page.ok_or_else(|| format!("`{link}` has no page: link to a paper or an exhibit"))?;
    let fragment = fragment.map(|id| format!("#{id}")).unwrap_or_default();
    Ok(Address::Page(page + &fragment))
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// To another host.
    Elsewhere,
    /// To a place in the same paper.
    Here,
    /// To a page, from the root of the site.
    Page(String),
}

/// The way from the page of the paper at `paper` to the root of the site.
#[must_use]
pub fn way_up(paper: &str) -> String {
    let page = paper.strip_prefix(CONTENT).and_then(page);
    "../".repeat(page.map_or(1, |page| page.matches('/').count()))
}

/// The folder of the page made from a file of the content.
fn page(file: &str) -> Option<String> {
    if file == "exhibits/" {
        return Some(file.to_owned());
    }
    if let Some(id) = file.strip_prefix("exhibits/") {
        return id.strip_suffix(".json").map(|id| format!("exhibits/{id}/"));
    }
    let name = file.strip_prefix("modules/").unwrap_or(file).strip_suffix(".md")?;
    let inner = name.strip_prefix("authors/").unwrap_or(name);
    (!inner.contains('/')).then(|| format!("{name}/"))
}

#[cfg(test)]
mod tests {
    use super::{Address, of_page, way_up};

    const PAPER: &str = "crates/course/content/modules/m1.md";

    #[test]
    fn links_between_files_become_links_between_pages() {
        let check = |link: &str, want: &str| {
            assert_eq!(of_page(PAPER, link), Ok(Address::Page(want.to_owned())), "{link}");
        };
        check("m2.md", "m2/");
        check("./m2.md#the-ack", "m2/#the-ack");
        check("../glossary.md#ack", "glossary/#ack");
        check("../exhibits/event-life.json", "exhibits/event-life/");
        check("../exhibits/", "exhibits/");
    }

    #[test]
    fn a_page_within_a_page_is_further_from_the_root() {
        assert_eq!(way_up(PAPER), "../");
        assert_eq!(way_up("crates/course/content/authors.md"), "../");
        let inner = "crates/course/content/authors/format.md";
        assert_eq!(way_up(inner), "../../");
        let check = |link: &str, want: &str| {
            assert_eq!(of_page(inner, link), Ok(Address::Page(want.to_owned())), "{link}");
        };
        check("../authors.md#attributes", "authors/#attributes");
        check("../modules/m1.md", "m1/");
    }

    #[test]
    fn other_links_stay_or_are_refused() {
        assert_eq!(of_page(PAPER, "https://example.org/a"), Ok(Address::Elsewhere));
        assert_eq!(of_page(PAPER, "#here"), Ok(Address::Here));
        for link in ["../../src/lib.rs", "m2.html", "../exhibits/a.png", "../a/b.md"] {
            assert!(of_page(PAPER, link).is_err(), "{link}");
        }
    }
}
