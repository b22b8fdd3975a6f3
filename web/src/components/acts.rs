//! Actions: what a learner can break at the playhead, and what they can take back.

use sim::SimTime;
use yew::{Html, NodeRef};

use super::Page;
use super::icon::{Sign, icon};
use crate::asked::Asked;
use crate::markup::{Mark, button, el};
use crate::state::{Act, Offer, Take};
use crate::words::clock;

/// What can be done, and undone.
pub struct Acts<'a> {
    /// The playhead, when this was drawn.
    pub now: SimTime,
    /// The clock in the label, for the painter.
    pub place: &'a NodeRef,
    /// The exhibit's actions.
    pub offers: Vec<Offer>,
    /// The run's interventions.
    pub takes: Vec<Take>,
    /// Whether the settings are shown.
    pub more: Shown,
}

/// Whether a part that one may fold away is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It is.
    Yes,
    /// It is folded away.
    No,
}

impl Acts<'_> {
    /// Buttons for what can be broken.
    pub fn draw(&self, page: &Page) -> Html {
        let label = || {
            el("span", "acts__label")
                .say(page.words, "acts.label")
                .text(" ")
                .with(el("span", "").at(self.place).text(clock(self.now)))
        };
        let more = || {
            page.signed("btn btn--quiet", Sign::More, "acts.more", Asked::More)
                .is("aria-expanded", self.more == Shown::Yes)
        };
        let takes = || el("div", "takes").list(self.takes.iter().map(|take| take_back(page, take)));
        el("div", "acts")
            .set("role", "group")
            .set("aria-label", page.text("acts.group"))
            .with((!self.offers.is_empty()).then(label))
            .list(self.offers.iter().enumerate().map(|(i, offer)| act(page, i, offer)))
            .with(more())
            .with((!self.takes.is_empty()).then(takes))
            .html()
    }
}

/// An action that cannot act stays where it is and says why.
fn act(page: &Page, position: usize, offer: &Offer) -> Mark {
    let can = offer.reason.is_empty();
    let note = if can { &offer.note } else { &offer.reason };
    let mark = button("act").when(!can, "aria-disabled", "true");
    let mark = if can { mark.click(page.on, Asked::Act(Act::Break(position))) } else { mark };
    mark.with(el("span", "act__sign").with(icon(offer.sign)))
        .with(el("span", "").text(&offer.label).text(" ").with(el("small", "").text(note)))
}

fn take_back(page: &Page, take: &Take) -> Mark {
    page.act("take", Act::TakeBack(take.index)).with(icon(Sign::Undo)).text(&take.label)
}
