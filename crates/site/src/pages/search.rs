//! Search: a field, and the list that a script fills from the index.

use maud::{Markup, html};
use serde_json::json;

use super::{Page, Site, layout};
use crate::index::KINDS;
use crate::words::script_json;

/// Its folder.
pub const FOLDER: &str = "search/";
/// Where it stands.
pub const PATH: &str = "search/index.html";

/// The page of the search.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let title = words.say("search.title");
    let page = Page {
        path: PATH,
        title: &words.fill("module.page-title", &[("title", title)]),
        description: words.say("search.lead"),
        shows: None,
        runs: Some(&site.scripts.search),
    };
    let root = page.root();
    let kinds: Vec<_> = KINDS
        .iter()
        .map(|(key, weight, title)| {
            let name = words.say(&format!("search.kind.{key}"));
            json!({ "name": name, "weight": weight, "title": title })
        })
        .collect();
    let content = html! {
        div.search {
            header.module__head { h1 { (title) } }
            form.search__form role="search" hidden data-search data-index={ (root) (site.index) }
                data-root=(root) data-kinds=(script_json(&kinds))
                data-count=(words.say("search.count")) data-one=(words.say("search.one"))
                data-none=(words.say("search.none")) data-many=(words.say("search.many"))
                data-failed=(words.say("search.failed")) {
                label for="query" { (words.say("search.label")) }
                div {
                    input #query type="search" name="q" autocomplete="off" spellcheck="false"
                        maxlength="100" enterkeyhint="search";
                    button.btn."btn--ink" type="submit" { (words.say("search.do")) }
                }
            }
            noscript {
                p.lead { (words.say("search.noscript")) }
                ul.search__instead {
                    @for (key, address) in [
                        ("page.nav.course", "./#course"),
                        ("page.nav.gallery", "exhibits/"),
                        ("page.nav.glossary", "glossary/"),
                        ("page.nav.fidelity", "fidelity/"),
                    ] {
                        li { a href={ (root) (address) } { (words.say(key)) } }
                    }
                }
            }
            p.search__found role="status" data-found {}
            ol.results data-results {}
        }
    };
    layout(site, &page, &content)
}
