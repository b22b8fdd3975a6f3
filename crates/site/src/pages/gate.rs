//! The gate: a checklist with room for evidence. It can be filled in and printed as it stands; with
//! a script it is kept, judged and exported.

use maud::{Markup, html};

use super::cards::{self, Card, Section};
use super::{Site, paper};
use crate::markdown::Paper;
use crate::words::{Words, drawn};

/// The section of what decides.
const DECIDES: &str = "five-that-decide";
/// The section of what is asked for, and does not decide.
const ASKED: &str = "five-more-to-ask-for";

/// The page of the checklist.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let words = &site.words;
    let (list, aside): (Vec<_>, Vec<_>) =
        cards::sections(&paper.pieces).into_iter().partition(is_of_the_list);
    paper::framed(site, name, paper, Some(&site.scripts.gate), |root| {
        html! {
            (paper::contents(paper, words))
            div.paper__body {
                form.gate data-gate autocomplete="off" {
                    @for section in &list { (part(site, section, root)) }
                }
                div.gate__aside { @for section in &aside { (part(site, section, root)) } }
            }
        }
    })
}

/// Whether a section is the opening or one of checks; the others stand beside the list.
fn is_of_the_list(section: &Section) -> bool {
    section.head.is_none_or(|head| head.id == DECIDES || head.id == ASKED)
}

fn part(site: &Site, section: &Section, root: &str) -> Markup {
    let decides = section.head.is_some_and(|head| head.id == DECIDES);
    html! {
        section.part data-gating[decides] {
            @if let Some(head) = section.head { div.prose { (drawn(&head.html)) } }
            (paper::stretch_of(site, section.opening, root))
            @if section.head.is_none() { (desk(&site.words)) }
            @for card in &section.cards { (check(card, &site.words)) }
        }
    }
}

/// Something to tick, with room to say where it can be seen.
fn check(card: &Card, words: &Words) -> Markup {
    let id = &card.head.id;
    html! {
        article.gate__check data-check=(id) {
            (drawn(&card.head.html))
            div.prose { (drawn(&card.html())) }
            label.check { input type="checkbox" name=(id); (words.say("gate.seen")) }
            label.field {
                span { (words.say("gate.where")) }
                textarea name={ (id) "-where" } rows="2" maxlength="2000" {}
            }
            p.gate__doubt data-doubt=(words.say("gate.doubt"))
                data-empty=(words.say("gate.doubt.empty")) hidden {}
        }
    }
}

/// What the design is called, how it stands, and what can be done with the list.
fn desk(words: &Words) -> Markup {
    html! {
        div.gate__desk {
            label.field {
                span { (words.say("gate.design")) }
                input type="text" name="design" maxlength="200";
            }
            p.gate__stands role="status" hidden
                data-open=(words.say("gate.stands.open"))
                data-blocked=(words.say("gate.stands.blocked"))
                data-passed=(words.say("gate.stands.passed")) {
                b.plate."plate--unknown" {} " " span {}
            }
            p.gate__acts hidden {
                button.btn type="button" data-do="save" { (words.say("gate.save")) }
                button.btn type="button" data-do="copy" data-done=(words.say("page.copied")) {
                    (words.say("gate.copy"))
                }
                button.btn type="button" data-do="print" { (words.say("gate.print")) }
                button.btn type="button" data-do="clear" data-sure=(words.say("gate.clear.sure")) {
                    (words.say("gate.clear"))
                }
            }
            p.gate__kept hidden data-kept=(words.say("gate.kept"))
                data-lost=(words.say("gate.kept.not")) {}
            noscript { p { (words.say("gate.noscript")) } }
        }
    }
}
