//! Stills: an exhibit without its engine. A picture of the run at its poster moment, the state in
//! words, and a link: what stands between the tags until the exhibit runs, and when it cannot.

use maud::{Markup, html};

use crate::exhibit::Exhibit;
use crate::words::{Words, drawn};

/// The picture and the words of a moment.
#[derive(Clone, Debug, Default)]
pub struct Still {
    /// The state in words.
    pub scene: String,
    /// The picture for wide places, as SVG.
    pub wide: String,
    /// The picture for narrow places, as SVG.
    pub tall: String,
}

impl Still {
    /// Draws the exhibit at its poster moment.
    ///
    /// # Errors
    /// What the front end says is wrong with the exhibit.
    pub fn draw(exhibit: &Exhibit, _catalogue: &str) -> Result<Still, String> {
        Ok(Still { scene: exhibit.summary.clone(), wide: String::new(), tall: String::new() })
    }
}

/// Where the still stands decides what it links to and how large its sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the exhibit's own page, under the page's one heading.
    OwnPage,
    /// On another page of ours.
    OtherPage,
}

/// The fallback of an `<in-flight>`.
#[must_use]
pub fn fallback(
    exhibit: &Exhibit,
    still: &Still,
    place: Place,
    root: &str,
    words: &Words,
) -> Markup {
    let clock = exhibit.poster.as_str();
    html! {
        article.exhibit.still."exhibit--wide" aria-label=(exhibit.title) {
            header.sign."sign--page"[place == Place::OwnPage] {
                @match place {
                    Place::OwnPage => h1.sign__title { (title(exhibit)) }
                    Place::OtherPage => h2.sign__title { (title(exhibit)) }
                }
                p.sign__meta {
                    span { (words.fill("exhibit.number", &[("number", &exhibit.number)])) }
                    span { (exhibit.rules) }
                }
                p.sign__lesson { (exhibit.lesson) }
            }
            div.exhibit__scene { p.exhibit__say { (still.scene) } }
            div.exhibit__stage { (drawn(&still.wide)) (drawn(&still.tall)) }
            p.still__where {
                span { (words.fill("exhibit.still", &[("clock", clock)])) }
                @if place == Place::OtherPage {
                    a href={ (root) "exhibits/" (exhibit.id) "/" } { (words.say("exhibit.open")) }
                }
            }
        }
    }
}

fn title(exhibit: &Exhibit) -> Markup {
    html! {
        @if !exhibit.line().is_empty() {
            span.bullet aria-hidden="true" { (exhibit.line()) } " "
        }
        span { (exhibit.title) }
    }
}
