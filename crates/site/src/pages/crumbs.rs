//! Crumbs: where a page lies, from the home page down.

use maud::{Markup, html};

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
