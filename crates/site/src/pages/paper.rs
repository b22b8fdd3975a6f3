//! A paper in a page: its contents, its prose with exhibits between, and its sources.

use maud::{Markup, html};

use super::{Page, Site, crumbs, layout};
use crate::course::Form;
use crate::markdown::{Embed, Paper, Piece, stretches};
use crate::sheet;
use crate::still::{Place, fallback};
use crate::study;
use crate::words::{Words, drawn};

/// The page of a paper outside the course: a glossary, a list of figures.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let kind = site.course.papers.iter().find(|(kind, _)| kind.name == name);
    let columns = kind.is_some_and(|(kind, _)| kind.form == Form::Words);
    framed(site, name, paper, None, |root| {
        html! {
            (contents(paper, &site.words))
            div.paper__body."paper__body--words"[columns] { (body(site, paper, root)) }
        }
    })
}

/// What the page of any paper outside the course has, around a content that is told the way to the
/// root.
pub fn framed(
    site: &Site,
    name: &str,
    paper: &Paper,
    runs: Option<&str>,
    content: impl FnOnce(&str) -> Markup,
) -> Markup {
    let words = &site.words;
    let page = Page {
        path: &format!("{name}/index.html"),
        title: &words.fill("module.page-title", &[("title", &paper.front.title)]),
        description: &paper.front.lead,
        shows: None,
        runs,
    };
    let root = page.root();
    let title = &paper.front.title;
    let kind = site.course.papers.iter().find(|(kind, _)| kind.name == name);
    let content = html! {
        @if kind.is_some_and(|(kind, _)| kind.is_for_authors()) {
            (crumbs::of_authors(&root, name, title, site))
        } @else {
            (crumbs::of_course(&root, title, words))
        }
        article.paper {
            header.module__head { h1 { (title) } }
            p.lead { (paper.front.lead) }
            (content(&root))
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

/// Sections from top to bottom, then what is cited.
pub fn body(site: &Site, paper: &Paper, root: &str) -> Markup {
    html! {
        @for stretch in stretches(&paper.pieces, 2) {
            section.part { (stretch_of(site, stretch, root)) }
        }
        (sources(paper, &site.words))
    }
}

/// Prose with its headings, and exhibits between.
pub fn stretch_of(site: &Site, pieces: &[Piece], root: &str) -> Markup {
    let is_exhibit = |piece: &Piece| matches!(piece, Piece::Exhibit(_));
    html! {
        @for run in pieces.chunk_by(|a, b| !is_exhibit(a) && !is_exhibit(b)) {
            @if let [Piece::Exhibit(embed)] = run { (shown(site, embed, root)) }
            @else { div.prose { @for piece in run { (said(piece)) } } }
        }
    }
}

fn said(piece: &Piece) -> Markup {
    match piece {
        Piece::Heading(heading) => drawn(&heading.html),
        Piece::Prose(html) => drawn(html),
        Piece::Exhibit(_) => Markup::default(),
    }
}

/// What a paper cites.
pub fn sources(paper: &Paper, words: &Words) -> Markup {
    html! {
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
