//! The gate: a checklist with room for evidence. It can be filled in and printed as it stands; with
//! a script it is kept, judged and exported.

use maud::{Markup, html};

use super::cards::{self, Card, Section};
use super::{Site, interview, paper};
use crate::markdown::Paper;
use crate::words::{Words, drawn};

/// The section of what decides.
const DECIDES: &str = "five-that-decide";
/// The section of what is asked for, and does not decide.
const ASKED: &str = "five-more-to-ask-for";

/// The page of the checklist.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let words = &site.words;
    paper::framed(site, name, paper, Some(&site.scripts.gate), |root| {
        html! {
            (paper::contents(paper, words))
            form.paper__body.gate data-gate autocomplete="off" {
                @for section in cards::sections(&paper.pieces) { (part(site, &section, root)) }
            }
        }
    })
}

fn part(site: &Site, section: &Section, root: &str) -> Markup {
    let words = &site.words;
    let id = section.head.map_or("", |head| head.id.as_str());
    let checked = id == DECIDES || id == ASKED;
    html! {
        section.part."gate__aside"[!checked && section.head.is_some()] data-gating[id == DECIDES] {
            @if let Some(head) = section.head { div.prose { (drawn(&head.html)) } }
            (paper::stretch_of(site, section.opening, root))
            @if section.head.is_none() { (desk(words)) }
            @for card in &section.cards {
                @if checked { (check(card, words)) }
                @else { (interview::fold(card, "gate.verdict", words)) }
            }
        }
    }
}

/// Something to tick, with room to say where it can be seen.
fn check(card: &Card, words: &Words) -> Markup {
    let id = &card.head.id;
    html! {
        article.gate__check data-check=(id) {
            (drawn(&card.head.html))
            div.prose { (drawn(&card.halves().0)) }
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
