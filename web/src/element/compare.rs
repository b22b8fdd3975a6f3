//! The run that the one in hand is compared with: its part of the page.

use yew::Html;

use crate::components::{Page, compare as drawn};
use crate::map::{Shown, Stage};
use crate::state::{Session, compared, scene};

/// The two runs in words, and the map of the other.
#[inline(never)]
pub fn compare(page: &Page, session: &mut Session, stage: &mut Stage) -> Html {
    let Some(shown) = compared(session, page.words) else { return Html::default() };
    let Some(other) = session.other() else { return Html::default() };
    let label = scene(page.words, other.names(), other.frame(), None);
    let map = Shown {
        frame: other.frame(),
        words: page.words,
        label: &label,
        followed: None,
        selected: None,
        reorder: None,
    };
    stage.plan(other.names(), page.words);
    drawn(page, &shown, stage.draw_beside(&map)).html()
}
