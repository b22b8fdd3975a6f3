//! The views of a run that stand where the map stands, once one is chosen.

use std::cell::{Cell, RefCell};

use broker::MessageId;
use course::View;
use sim::SimTime;
use yew::NodeRef;

use super::app::App;
use crate::browser;
use crate::components::{
    Page, SequenceView, TimelineView, keep_in_middle, keep_in_sight, share_percent,
};
use crate::map::layout::num;
use crate::markup::Mark;
use crate::state::{Sequence, Session, sequence, share, timeline};

/// Where the things of a view are that move between two events.
#[derive(Clone, Debug, Default)]
pub struct ViewPlaces {
    /// What lies over the view and moves with the playhead.
    over: NodeRef,
    /// What scrolls.
    scroll: NodeRef,
    /// What is drawn.
    drawn: RefCell<Drawn>,
    /// What was last kept in sight: a message, or a height.
    seen: Cell<Option<i64>>,
}

/// The view that is drawn, as far as the playhead needs it.
#[derive(Clone, Debug, Default)]
enum Drawn {
    /// None of these.
    #[default]
    Nothing,
    /// The timeline, with its scale and the message that was made last.
    Timeline((SimTime, SimTime), Option<MessageId>),
    /// The sequence.
    Sequence(Sequence),
}

impl ViewPlaces {
    /// Puts the playhead where it is now.
    #[inline(never)]
    pub fn paint(&self, now: SimTime) {
        match &*self.drawn.borrow() {
            Drawn::Nothing => {}
            Drawn::Timeline(span, newest) => {
                let seen = newest.map(|message| i64::from(message.number()));
                if self.seen.replace(seen) != seen {
                    keep_in_sight(&self.scroll);
                }
                browser::set_style(&self.over, "--pos", &share_percent(share(now, *span)));
            }
            Drawn::Sequence(shown) => {
                let place = shown.place(now);
                browser::set_style(&self.over, "--pos", &(num(place) + "px"));
                #[allow(clippy::cast_possible_truncation, reason = "a few thousand pixels")]
                let seen = Some(place as i64);
                if self.seen.replace(seen) != seen {
                    keep_in_middle(&self.scroll, &self.over, place);
                }
            }
        }
    }
}

/// The view that is chosen in place of the map.
#[inline(never)]
pub fn chosen(app: &App, page: &Page, session: &mut Session) -> Option<Mark> {
    let places = &app.places.views;
    let (mark, drawn) = match session.view() {
        View::Topology | View::Transcript | View::Traces | View::Matrix => return None,
        View::Timeline => {
            let shown = timeline(session, page.words);
            let view = TimelineView {
                shown: &shown,
                followed: session.followed(),
                over: &places.over,
                scroll: &places.scroll,
            };
            (view.draw(page), Drawn::Timeline(shown.span, shown.newest))
        }
        View::Sequence => {
            let shown = sequence(session, page.words);
            let view = SequenceView {
                shown: &shown,
                names: session.names(),
                cursor: session.cursor(),
                over: &places.over,
                scroll: &places.scroll,
            };
            (view.draw(page), Drawn::Sequence(shown))
        }
    };
    *places.drawn.borrow_mut() = drawn;
    Some(mark)
}
