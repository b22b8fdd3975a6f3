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
                            (fold(card, "interview.answer", words))
                        }
                    }
                }
            }
        }
    })
}

/// A card whose second half, or else all of it, is behind a fold named by `key`.
pub fn fold(card: &Card, key: &str, words: &Words) -> Markup {
    let (before, after) = match card.halves() {
        (before, Some(after)) => (before, after),
        (all, None) => (String::new(), all),
    };
    html! {
        article.question {
            (drawn(&card.head.html))
            @if !before.is_empty() { div.prose { (drawn(&before)) } }
            details { summary { (words.say(key)) } div.prose { (drawn(&after)) } }
        }
    }
}
