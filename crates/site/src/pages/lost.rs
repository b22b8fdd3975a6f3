//! The page for addresses that lead nowhere. A host serves it at any depth, so its own addresses
//! hold only where the site's place is known, or one folder deep.

use maud::{Markup, html};

use super::{Page, Site, layout};

/// The page for a lost visitor.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let page = Page {
        path: "404.html",
        title: words.say("lost.title"),
        description: words.say("lost.say"),
        shows: None,
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
