//! The own page of a quiz, a tree or a worksheet: the unit itself, and how to embed it.

use maud::{Markup, html};

use super::{Page, Site, layout, snippet};

/// A unit with a page of its own.
pub struct Unit<'a> {
    /// Its id, which is the folder of its page.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// What it is, in a sentence or two.
    pub description: &'a str,
    /// The page that lists it: its address from the root, and the key of its name.
    pub from: (&'static str, &'static str),
}

impl Unit<'_> {
    /// The page. `fallback` is what stands there without a script, given the way to the root.
    pub fn page(&self, site: &Site, fallback: impl Fn(&str) -> Markup) -> Markup {
        let words = &site.words;
        let page = Page {
            path: &format!("exhibits/{}/index.html", self.id),
            title: &words.fill("exhibit.page-title", &[("title", self.title)]),
            description: self.description,
            shows: None,
            runs: None,
        };
        let root = page.root();
        let (list, name) = self.from;
        let content = html! {
            nav.crumb aria-label=(words.say("page.here")) {
                ol {
                    li { a href={ (root) "./" } { (words.say("page.nav.home")) } }
                    li { a href={ (root) (list) } { (words.say(name)) } }
                    li aria-current="page" { h1 { (self.title) } }
                }
            }
            in-flight exhibit=(self.id) frame="sign" heading-level="2" { (fallback(&root)) }
            section.lane #embed {
                h2 { (words.say("exhibit.embed")) }
                p { (words.say("exhibit.embed.lead")) }
                div."lane--split" {
                    (snippet::element((self.id, self.title), &root, words))
                    (snippet::frame((self.id, self.title), &root, words))
                }
            }
        };
        layout(site, &page, &content)
    }
}
