//! The own page of a quiz or a tree: what is asked, and how to embed it.

use maud::{Markup, html};

use super::{Page, Site, layout, snippet};
use crate::still::Place;
use crate::study::{Study, fallback};

/// The page of one quiz or tree.
pub fn page(site: &Site, study: &Study) -> Markup {
    let words = &site.words;
    let title = study.title();
    let page = Page {
        path: &format!("exhibits/{}/index.html", study.id),
        title: &words.fill("exhibit.page-title", &[("title", title)]),
        description: study.lesson(),
        shows: None,
        runs: None,
    };
    let root = page.root();
    let content = html! {
        nav.crumb aria-label=(words.say("page.here")) {
            ol {
                li { a href={ (root) "./" } { (words.say("page.nav.home")) } }
                li { a href="../" { (words.say("page.nav.gallery")) } }
                li aria-current="page" { h1 { (title) } }
            }
        }
        in-flight exhibit=(study.id) frame="sign" heading-level="2" {
            (fallback(study, Place::OwnPage, &root, words))
        }
        section.lane #embed {
            h2 { (words.say("exhibit.embed")) }
            p { (words.say("exhibit.embed.lead")) }
            div."lane--split" {
                (snippet::element((&study.id, title), &root, words))
                (snippet::frame((&study.id, title), &root, words))
            }
        }
    };
    layout(site, &page, &content)
}
