//! Anti-patterns: a card for each, module by module. Following a module's link leaves its cards
//! alone on the page, which takes a stylesheet and no script.

use maud::{Markup, html};

use super::cards::{self, Card, Section};
use super::{Site, paper};
use crate::course::Module;
use crate::markdown::{Heading, Paper};
use crate::words::{Words, drawn};

/// The page of all anti-patterns.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let sections = cards::sections(&paper.pieces);
    paper::framed(site, name, paper, None, |root| {
        html! {
            div.filtered {
                @for section in sections.iter().filter(|section| section.head.is_none()) {
                    (paper::stretch_of(site, section.opening, root))
                }
                (filter(site, &sections, &site.words))
                @for section in &sections {
                    @if let Some(head) = section.head { (group(site, section, head, root)) }
                }
            }
        }
    })
}

fn filter(site: &Site, sections: &[Section], words: &Words) -> Markup {
    html! {
        nav.filter #all aria-label=(words.say("patterns.filter")) {
            a href="#all" { (words.say("gallery.all")) }
            @for head in sections.iter().filter_map(|section| section.head) {
                a href={ "#" (head.id) } { (bullet(site, head)) (head.title) }
            }
        }
    }
}

/// The module that a section is named after.
fn module<'a>(site: &'a Site, head: &Heading) -> Option<&'a Module> {
    site.course.module_called(&head.title)
}

fn bullet(site: &Site, head: &Heading) -> Markup {
    html! {
        @if let Some(module) = module(site, head) {
            span.bullet aria-hidden="true" { (module.number) } " "
        }
    }
}

fn group(site: &Site, section: &Section, head: &Heading, root: &str) -> Markup {
    html! {
        section.filtered__group id=(head.id) {
            h2 {
                (bullet(site, head))
                @if let Some(module) = module(site, head) {
                    a href={ (root) (module.id) "/" } { (head.title) }
                } @else { (head.title) }
            }
            @if !section.opening.is_empty() { (paper::stretch_of(site, section.opening, root)) }
            @if !section.cards.is_empty() { ul.cards { @for card in &section.cards { li { (pattern(card)) } } } }
        }
    }
}

fn pattern(card: &Card) -> Markup {
    html! {
        article.card.pattern { (drawn(&card.head.html)) (drawn(&card.html())) }
    }
}
