//! The gallery: every exhibit with its still, module by module. Following a module's link leaves
//! its exhibits alone on the page, which takes a stylesheet and no script. With a script there is a
//! choice by kind and by part besides, and the choices go together.

use maud::{Markup, html};

use super::{Page, Site, layout, sheet};
use crate::exhibit::Exhibit;
use crate::parts::PARTS;
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
        runs: Some(&site.scripts.gallery),
    };
    let mut lines: Vec<&str> = site.exhibits.iter().map(|(exhibit, _)| exhibit.line()).collect();
    lines.sort_unstable();
    lines.dedup();
    let content = html! {
        div.gallery.filtered {
            header.module__head { h1 { (words.say("gallery.title")) } }
            p.lead { (words.say("gallery.lead")) }
            (choices(site, &lines))
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
                section.filtered__group id={ "module-" (line) } data-module=(line) {
                    h2 {
                        span.bullet aria-hidden="true" { (line) } " "
                        a href={ "../m" (line) "/" } { (module_title(site, line)) }
                    }
                    ul.cards {
                        @for (exhibit, still) in &site.exhibits {
                            @if exhibit.line() == *line {
                                li data-kind=(SIMULATOR) data-has=(exhibit.parts.join(" ")) {
                                    (card(exhibit, still, words))
                                }
                            }
                        }
                        @for study in &site.studies {
                            @if study.line() == *line { (quiz_item(study, words)) }
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
                section.filtered__group #across data-module="across" {
                    h2 { (words.say("gallery.across")) }
                    ul.cards {
                        @for study in across(site) { (quiz_item(study, words)) }
                    }
                }
            }
        }
    };
    layout(site, &page, &content)
}

/// The kind of what is played and not answered.
const SIMULATOR: &str = "simulator";

/// A kind as an address has it: the end of its key in the words.
fn kind_of(study: &Study) -> &'static str {
    study.kind().rsplit('.').next().unwrap_or_default()
}

/// What the script makes a choice of; without one it is not shown.
fn choices(site: &Site, lines: &[&str]) -> Markup {
    let words = &site.words;
    let mut kinds = vec![(SIMULATOR, words.say("gallery.simulator"))];
    for study in &site.studies {
        let kind = (kind_of(study), words.say(study.kind()));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut modules: Vec<(&str, &str)> =
        lines.iter().map(|line| (*line, module_title(site, line))).collect();
    if across(site).next().is_some() {
        modules.push(("across", words.say("gallery.across")));
    }
    let parts: Vec<(&str, &str)> =
        PARTS.iter().map(|part| (*part, words.say(&part_key(part)))).collect();
    html! {
        form.gallery__choices hidden data-gallery
            data-one=(words.say("gallery.count.one")) data-many=(words.say("gallery.count"))
            data-none=(words.say("gallery.count.none")) {
            (choice("module", words.say("gallery.by.module"), &modules, words))
            (choice("kind", words.say("gallery.by.kind"), &kinds, words))
            (choice("has", words.say("gallery.by.part"), &parts, words))
            button.btn type="reset" { (words.say("gallery.reset")) }
            p.gallery__count role="status" data-count {}
        }
    }
}

fn choice(name: &str, label: &str, options: &[(&str, &str)], words: &Words) -> Markup {
    html! {
        label.field {
            span { (label) }
            select name=(name) {
                option value="" { (words.say("gallery.any")) }
                @for (value, said) in options { option value=(value) { (said) } }
            }
        }
    }
}

fn part_key(part: &str) -> String {
    format!("gallery.part.{part}")
}

/// Parts by their names.
fn named(parts: &[&str], words: &Words) -> String {
    parts.iter().map(|part| words.say(&part_key(part))).collect::<Vec<_>>().join(", ")
}

fn quiz_item(study: &Study, words: &Words) -> Markup {
    html! {
        li data-kind=(kind_of(study)) data-has=(study.parts().join(" ")) {
            (quiz_card(study, words))
        }
    }
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
            p.card__meta {
                (words.fill("exhibit.number", &[("number", &exhibit.number)]))
                @if !exhibit.parts.is_empty() { " · " (named(&exhibit.parts, words)) }
            }
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
            p.card__meta {
                (words.say(study.kind()))
                @if !study.parts().is_empty() { " · " (named(&study.parts(), words)) }
            }
            p { (study.lesson()) }
            p.card__ask { (study.first()) }
        }
    }
}
