//! The gallery: every exhibit with its still, module by module. Following a module's link leaves
//! its exhibits alone on the page, which takes a stylesheet and no script.

use maud::{Markup, html};

use super::{Page, Site, layout, sheet};
use crate::exhibit::Exhibit;
use crate::still::Still;
use crate::study::Study;
use crate::words::{Words, drawn};

/// Where it stands.
pub const PATH: &str = "exhibits/index.html";

/// The page of all exhibits.
pub fn page(site: &Site) -> Markup {
    let words = &site.words;
    let page = Page {
        path: PATH,
        title: &words.fill("module.page-title", &[("title", words.say("gallery.title"))]),
        description: words.say("gallery.lead"),
        shows: None,
        runs: None,
    };
    let mut lines: Vec<&str> = site.exhibits.iter().map(|(exhibit, _)| exhibit.line()).collect();
    lines.sort_unstable();
    lines.dedup();
    let content = html! {
        div.gallery.filtered {
            header.module__head { h1 { (words.say("gallery.title")) } }
            p.lead { (words.say("gallery.lead")) }
            nav.filter #all aria-label=(words.say("gallery.filter")) {
                a href="#all" { (words.say("gallery.all")) }
                @for line in &lines {
                    a href={ "#module-" (line) } {
                        span.bullet aria-hidden="true" { (line) } " " (module_title(site, line))
                    }
                }
                @if across(site).next().is_some() {
                    a href="#across" { (words.say("gallery.across")) }
                }
            }
            @for line in &lines {
                section.filtered__group id={ "module-" (line) } {
                    h2 {
                        span.bullet aria-hidden="true" { (line) } " "
                        a href={ "../m" (line) "/" } { (module_title(site, line)) }
                    }
                    ul.cards {
                        @for (exhibit, still) in &site.exhibits {
                            @if exhibit.line() == *line { li { (card(exhibit, still, words)) } }
                        }
                        @for study in &site.studies {
                            @if study.line() == *line { li { (quiz_card(study, words)) } }
                        }
                        @for worksheet in &site.sheets {
                            @if worksheet.line() == *line {
                                li { (sheet::card(worksheet, "h3", "", words)) }
                            }
                        }
                    }
                }
            }
            @if across(site).next().is_some() {
                section.filtered__group #across {
                    h2 { (words.say("gallery.across")) }
                    ul.cards {
                        @for study in across(site) { li { (quiz_card(study, words)) } }
                    }
                }
            }
        }
    };
    layout(site, &page, &content)
}

/// What belongs to no one module.
fn across(site: &Site) -> impl Iterator<Item = &Study> {
    site.studies.iter().filter(|study| study.line().is_empty())
}

fn module_title<'a>(site: &'a Site, line: &str) -> &'a str {
    let module = site.course.modules.iter().find(|module| module.number.to_string() == line);
    module.map_or("", |module| &module.paper.front.title)
}

/// One exhibit: what it is called, what it looks like, what it teaches.
fn card(exhibit: &Exhibit, still: &Still, words: &Words) -> Markup {
    html! {
        article.card {
            h3 { a href={ (exhibit.id) "/" } { (exhibit.title) } }
            p.card__meta { (words.fill("exhibit.number", &[("number", &exhibit.number)])) }
            p { (exhibit.lesson) }
            div.card__still aria-hidden="true" { (drawn(&still.tall)) }
        }
    }
}

/// One quiz: what it is called, what it asks first.
fn quiz_card(study: &Study, words: &Words) -> Markup {
    html! {
        article.card."card--quiz" {
            h3 { a href={ (study.id) "/" } { (study.title()) } }
            p.card__meta { (words.say(study.kind())) }
            p { (study.lesson()) }
            p.card__ask { (study.first()) }
        }
    }
}
