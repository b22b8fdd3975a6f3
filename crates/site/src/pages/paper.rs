//! A paper in a page: its contents, its prose with exhibits between, and its sources.

use maud::{Markup, html};

use super::{Page, Site, layout};
use crate::markdown::{Embed, Paper, Piece};
use crate::sheet;
use crate::still::{Place, fallback};
use crate::study;
use crate::words::{Words, drawn};

/// The page of a paper outside the course: a glossary, a list of figures.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let words = &site.words;
    let page = Page {
        path: &format!("{name}/index.html"),
        title: &words.fill("module.page-title", &[("title", &paper.front.title)]),
        description: &paper.front.lead,
        shows: None,
    };
    let content = html! {
        article.paper {
            header.module__head { h1 { (paper.front.title) } }
            p.lead { (paper.front.lead) }
            (contents(paper, words))
            (body(site, paper, &page.root()))
        }
    };
    layout(site, &page, &content)
}

/// The sections, as links.
pub fn contents(paper: &Paper, words: &Words) -> Markup {
    html! {
        nav.contents aria-labelledby="contents" {
            h2 #contents { (words.say("module.contents")) }
            ol {
                @for section in &paper.sections {
                    li { a href={ "#" (section.id) } { (section.title) } }
                }
            }
        }
    }
}

/// Prose and exhibits from top to bottom, then what is cited.
pub fn body(site: &Site, paper: &Paper, root: &str) -> Markup {
    let words = &site.words;
    html! {
        @for piece in &paper.pieces {
            @match piece {
                Piece::Prose(html) => { div.prose { (drawn(html)) } }
                Piece::Exhibit(embed) => (shown(site, embed, root)),
            }
        }
        @if !paper.sources.is_empty() {
            section.sources aria-labelledby="sources" {
                h2 #sources { (words.say("module.sources")) }
                ol {
                    @for (i, source) in paper.sources.iter().enumerate() {
                        li id={ "source-" (i + 1) } {
                            (drawn(source)) " "
                            a.sources__back href={ "#mention-" (i + 1) }
                                aria-label=(words.say("module.sources.back")) { "↩\u{fe0e}" }
                        }
                    }
                }
            }
        }
    }
}

/// An exhibit, as its own page shows it, one heading lower.
fn shown(site: &Site, embed: &Embed, root: &str) -> Markup {
    let found = site.exhibits.iter().find(|(exhibit, _)| exhibit.id == embed.id);
    html! {
        @if let Some(study) = site.studies.iter().find(|study| study.id == embed.id) {
            in-flight exhibit=(study.id) frame="sign" heading-level="3" {
                (study::fallback(study, Place::InPaper, root, &site.words))
            }
        }
        @if let Some(worksheet) = site.sheets.iter().find(|sheet| sheet.id == embed.id) {
            in-flight exhibit=(worksheet.id) frame="sign" heading-level="3" {
                (sheet::fallback(worksheet, Place::InPaper, root, &site.words))
            }
        }
        @if let Some((exhibit, still)) = found {
            in-flight exhibit=(exhibit.id) run=[&still.run] frame="sign" heading-level="3" {
                (fallback(exhibit, still, Place::InPaper, root, &site.words))
            }
        }
    }
}
