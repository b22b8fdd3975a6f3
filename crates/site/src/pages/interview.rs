//! Interview: questions to answer aloud, each with an answer behind a fold.

use maud::{Markup, html};

use super::cards::{self, Card};
use super::{Site, paper};
use crate::markdown::Paper;
use crate::words::{Words, drawn};

/// The page of questions.
pub fn page(site: &Site, name: &str, paper: &Paper) -> Markup {
    let words = &site.words;
    paper::framed(site, name, paper, None, |root| {
        html! {
            (paper::contents(paper, words))
            div.paper__body {
                @for section in cards::sections(&paper.pieces) {
                    section.part {
                        @if let Some(head) = section.head { div.prose { (drawn(&head.html)) } }
                        (paper::stretch_of(site, section.opening, root))
                        @for card in &section.cards {
                            (fold(card, words))
                        }
                    }
                }
            }
        }
    })
}

/// A question, and its answer behind a fold.
fn fold(card: &Card, words: &Words) -> Markup {
    html! {
        article.question {
            (drawn(&card.head.html))
            details {
                summary { (words.say("interview.answer")) }
                div.prose { (drawn(&card.html())) }
            }
        }
    }
}
