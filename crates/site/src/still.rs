//! Stills: an exhibit without its engine. A picture of the run at its poster moment, the state in
//! words, and a link: what stands between the tags until the exhibit runs, and when it cannot.

use maud::{Markup, html};
use scenario::wire::Diagnostic;

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
    /// The text of `run=` that opens the exhibit at that moment.
    pub run: Option<String>,
}

impl Still {
    /// Draws the exhibit `id`, whose file is `json`, at its poster moment.
    ///
    /// # Errors
    /// What the front end says is wrong with the exhibit.
    pub fn draw(id: &str, json: &str, catalogue: &str) -> Result<Still, String> {
        let drawn = inflight::prerender(json, catalogue).map_err(|wrong| {
            let line =
                |d: &Diagnostic| format!("{id}.json {}: {}: {}", d.path, d.problem, d.repair);
            wrong.iter().map(line).collect::<Vec<_>>().join("\n")
        })?;
        Ok(Still {
            scene: drawn.scene_words,
            wide: drawn.picture_svg_wide,
            tall: drawn.picture_svg_tall,
            run: drawn.run,
        })
    }
}

/// Where the still stands decides what it links to and how large its sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the exhibit's own page.
    OwnPage,
    /// On another page of ours.
    OtherPage,
    /// In a section of a paper.
    InPaper,
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
    let clock = spaced(&exhibit.poster);
    html! {
        article.exhibit.still."exhibit--wide" aria-label=(exhibit.title) {
            header.sign."sign--page"[place != Place::InPaper] {
                @if place == Place::InPaper { h3.sign__title { (title(exhibit)) } }
                @else { h2.sign__title { (title(exhibit)) } }
                p.sign__meta {
                    span { (words.fill("exhibit.number", &[("number", &exhibit.number)])) }
                    span { (exhibit.rules) }
                }
                p.sign__lesson { (exhibit.lesson) }
            }
            div.exhibit__scene { p.exhibit__say { (exhibit.summary) } }
            div.exhibit__body {
                div.exhibit__main {
                    div.exhibit__stage { (drawn(&still.wide)) (drawn(&still.tall)) }
                }
                div.exhibit__side.still__words {
                    p { b { (words.fill("exhibit.still", &[("clock", &clock)])) } }
                    p { (still.scene) }
                    p { (words.say("exhibit.noscript")) }
                    @if place != Place::OwnPage {
                        p {
                            a href={ (root) "exhibits/" (exhibit.id) "/" } {
                                (words.say("exhibit.open"))
                            }
                        }
                    }
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

/// A time as a reader expects it, with a space before its unit.
fn spaced(time: &str) -> String {
    let unit = time.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(time.len());
    [&time[..unit], " ", &time[unit..]].concat().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn units_stand_apart() {
        let check = |time: &str, want: &str| assert_eq!(spaced(time), want);
        check("34.2s", "34.2 s");
        check("500ms", "500 ms");
        check("", "");
    }
}
