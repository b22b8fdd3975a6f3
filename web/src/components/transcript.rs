//! The transcript: every trace event near the playhead as a sentence, in a real list.

use broker::MessageId;
use yew::NodeRef;

use super::Page;
use super::glyph::glyph;
use super::heading::heading;
use crate::asked::Asked;
use crate::markup::{Mark, el};
use crate::state::{Act, Filter, Line};
use crate::words::{clock, rich};

/// What the transcript shows.
pub struct Transcript<'a> {
    /// The lines around the playhead, those that have happened first.
    pub lines: &'a [Line],
    /// How many of them have happened.
    pub past: usize,
    /// There are earlier lines.
    pub earlier: More,
    /// There are later lines.
    pub later: More,
    /// How many events the whole run has.
    pub total: usize,
    /// Which lines are shown.
    pub filter: Filter,
    /// The message that the middle filter is about.
    pub followed: Option<MessageId>,
    /// Where the list is.
    pub place: &'a NodeRef,
}

/// Whether there are more lines in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// There are.
    Yes,
    /// There are none.
    No,
}

impl Transcript<'_> {
    /// The list of what happens.
    pub fn draw(&self, page: &Page) -> Mark {
        let words = page.words;
        let more = |there, label| (there == More::Yes).then(|| more(page, label));
        let title = heading(page.level + 1, "transcript__title").say(words, "transcript.title");
        let list = el("ol", "transcript__list")
            .at(self.place)
            .set("tabindex", "0")
            .set("aria-label", words.text("transcript.list"))
            .with(more(self.earlier, "transcript.earlier"))
            .list(self.lines.iter().enumerate().map(|(i, line)| self.entry(page, i, line)))
            .with(more(self.later, "transcript.later"));
        el("section", "transcript")
            .set("aria-label", page.landmark("transcript.title"))
            .with(el("div", "transcript__head").with(title).with(self.filters(page)))
            .with(list)
    }

    /// The event that the playhead is at.
    #[must_use]
    pub fn now(&self) -> Option<usize> {
        self.lines.get(self.past.checked_sub(1)?)?.index
    }

    fn filters(&self, page: &Page) -> Mark {
        let words = page.words;
        let of = self.followed.map(|id| {
            let n = words.number(u64::from(id.number()));
            self.chip(page, Filter::Of(id), words.say("transcript.of", &[("n", &n)]))
        });
        let total = words.number(self.total as u64);
        let all = words.say("transcript.all", &[("n", &total)]);
        el("div", "chips")
            .set("role", "group")
            .set("aria-label", words.text("transcript.show"))
            .with(self.chip(page, Filter::HandOvers, words.text("transcript.hand_overs")))
            .with(of)
            .with(self.chip(page, Filter::All, all))
    }

    fn chip(&self, page: &Page, filter: Filter, label: String) -> Mark {
        let pressed = self.filter == filter;
        page.act("chip", Act::SetFilter(filter)).is("aria-pressed", pressed).text(label)
    }

    fn entry(&self, page: &Page, position: usize, line: &Line) -> Mark {
        let Some(index) = line.index else {
            // Between keyed lines anything without a key would have all of them made anew.
            let key = ["gap", &position.to_string()].concat();
            return el("li", "line__gap").key(key).with(rich(&line.text));
        };
        let now = position + 1 == self.past;
        let mut class = String::from("line");
        if now {
            class.push_str(" is-now");
        }
        if position >= self.past {
            class.push_str(" is-next");
        }
        if line.fault {
            class.push_str(" is-fault");
        }
        let sign = line.mark.map_or_else(|| el("span", "").html(), |mark| glyph(mark, 18));
        let button = page
            .act("", Act::SeekEvent(index))
            .with(el("time", "").text(clock(line.at)))
            .with(sign)
            .with(el("span", "").with(rich(&line.text)));
        el("li", "").key(index).class(class).when(now, "aria-current", "true").with(button)
    }
}

fn more(page: &Page, label: &'static str) -> Mark {
    let button = page.ask("transcript__more", Asked::Lines).say(page.words, label);
    el("li", "").key(label).with(button)
}

/// Scrolls the list, and nothing but the list, so that the current line can be seen.
pub fn keep_in_sight(list: &NodeRef) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else { return };
    let Ok(Some(line)) = list.query_selector(".is-now") else { return };
    let (frame, line) = (list.get_bounding_client_rect(), line.get_bounding_client_rect());
    let middle = (frame.height() - line.height()) / 2.0;
    let off = line.top() - frame.top();
    if off < 0.0 || off + line.height() > frame.height() * 0.8 {
        list.set_scroll_top(list.scroll_top() + (off - middle) as i32);
    }
}
