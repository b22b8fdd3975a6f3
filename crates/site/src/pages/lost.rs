//! The page for addresses that lead nowhere. A host serves it at any depth: its own addresses hold
//! everywhere if the site's address is known, and else only for what is missing at the root.

use maud::{Markup, html};

use super::{Page, Site, layout};

/// Where hosts look for it.
pub const PATH: &str = "404.html";

/// The page for a lost visitor.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let page = Page {
        path: PATH,
        title: words.say("lost.title"),
        description: words.say("lost.say"),
        shows: None,
        runs: None,
    };
    let content = html! {
        div.lost {
            h1 { (words.say("lost.h1")) }
            p { (words.say("lost.say")) }
            a.btn."btn--ink" href=(site.base_url.as_deref().unwrap_or("./")) {
                (words.say("lost.home"))
            }
        }
    };
    layout(site, &page, &content)
}
