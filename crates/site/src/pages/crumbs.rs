//! Crumbs: where a page lies, from the home page down.

use maud::{Markup, html};

use super::Site;
use crate::words::Words;

/// The way to a page of the course: home, the course, and the page itself.
pub fn of_course(root: &str, title: &str, words: &Words) -> Markup {
    let course = format!("{root}./#course");
    html! {
        nav.crumb aria-label=(words.say("page.here")) {
            ol {
                li { a href={ (root) "./" } { (words.say("page.nav.home")) } }
                li { a href=(course) { (words.say("page.nav.course")) } }
                li aria-current="page" { (title) }
            }
        }
    }
}

/// The way to a page for authors: home, the pages for authors, and the page itself.
pub fn of_authors(root: &str, name: &str, title: &str, site: &Site) -> Markup {
    let words = &site.words;
    let above = site.course.papers.iter().filter(|(kind, _)| {
        kind.is_for_authors() && name.strip_prefix(kind.name).is_some_and(|rest| !rest.is_empty())
    });
    html! {
        nav.crumb aria-label=(words.say("page.here")) {
            ol {
                li { a href={ (root) "./" } { (words.say("page.nav.home")) } }
                @for (kind, paper) in above {
                    li { a href={ (root) (kind.name) "/" } { (paper.front.title) } }
                }
                li aria-current="page" { (title) }
            }
        }
    }
}
