//! The transcript: every trace event near the playhead as a sentence, in a real list.

use broker::MessageId;
use yew::prelude::*;

use super::glyph::glyph;
use super::heading::heading;
use crate::state::{Act, Filter, Line};
use crate::words::{Words, clock, rich};

/// What the transcript shows.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct TranscriptProps {
    /// The catalogue.
    pub words: Words,
    /// The lines around the playhead, those that have happened first.
    pub lines: Vec<Line>,
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
    /// The level of its heading.
    pub level: u8,
    /// Where acts go.
    pub on: Callback<Act>,
    /// Asked for more lines than these.
    pub on_more: Callback<()>,
}

/// Whether there are more lines in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// There are.
    Yes,
    /// There are none.
    No,
}

/// The list of what happens.
#[component]
pub fn Transcript(props: &TranscriptProps) -> Html {
    let words = &props.words;
    let list = use_node_ref();
    let now =
        props.past.checked_sub(1).and_then(|last| props.lines.get(last)).and_then(|l| l.index);
    {
        let list = list.clone();
        use_effect_with((now, props.filter), move |_| keep_in_sight(&list));
    }
    let title = html! { { words.text("transcript.title") } };
    html! {
        <section class="transcript" aria-label={words.text("transcript.title")}>
            <div class="transcript__head">
                { heading(props.level, "transcript__title", None, title) }
                { filters(props) }
            </div>
            <ol class="transcript__list" ref={list} tabindex="0" aria-label={words.text("transcript.list")}>
                if props.earlier == More::Yes { { more(props, "transcript.earlier") } }
                { for props.lines.iter().enumerate().map(|(i, line)| entry(props, i, line)) }
                if props.later == More::Yes { { more(props, "transcript.later") } }
            </ol>
        </section>
    }
}

fn filters(props: &TranscriptProps) -> Html {
    let words = &props.words;
    let of = props.followed.map(|id| {
        let n = words.number(u64::from(id.number()));
        chip(props, Filter::Of(id), words.say("transcript.of", &[("n", &n)]))
    });
    let total = words.number(props.total as u64);
    html! {
        <div class="chips" role="group" aria-label={words.text("transcript.show")}>
            { chip(props, Filter::HandOvers, words.text("transcript.hand_overs")) }
            { for of }
            { chip(props, Filter::All, words.say("transcript.all", &[("n", &total)])) }
        </div>
    }
}

fn chip(props: &TranscriptProps, filter: Filter, label: String) -> Html {
    let pressed = if props.filter == filter { "true" } else { "false" };
    let onclick = props.on.reform(move |_| Act::SetFilter(filter));
    html! {
        <button type="button" class="chip" aria-pressed={pressed} onclick={onclick}>{ label }</button>
    }
}

fn more(props: &TranscriptProps, label: &str) -> Html {
    html! {
        <li key={label}>
            <button type="button" class="transcript__more" onclick={props.on_more.reform(|_| ())}>
                { props.words.text(label) }
            </button>
        </li>
    }
}

fn entry(props: &TranscriptProps, position: usize, line: &Line) -> Html {
    let Some(index) = line.index else {
        return html! { <li class="line__gap">{ rich(&line.text) }</li> };
    };
    let now = position + 1 == props.past;
    let class = classes!(
        "line",
        now.then_some("is-now"),
        (position >= props.past).then_some("is-next"),
        line.fault.then_some("is-fault"),
    );
    let onclick = props.on.reform(move |_| Act::SeekEvent(index));
    html! {
        <li key={index} class={class} aria-current={now.then_some("true")}>
            <button type="button" onclick={onclick}>
                <time>{ clock(line.at) }</time>
                { line.mark.map_or_else(|| html! { <span></span> }, |mark| glyph(mark, 18)) }
                <span>{ rich(&line.text) }</span>
            </button>
        </li>
    }
}

/// Scrolls the list, and nothing but the list, so that the current line can be seen.
fn keep_in_sight(list: &NodeRef) {
    let Some(list) = list.cast::<web_sys::HtmlElement>() else { return };
    let Ok(Some(line)) = list.query_selector(".is-now") else { return };
    let (frame, line) = (list.get_bounding_client_rect(), line.get_bounding_client_rect());
    let middle = (frame.height() - line.height()) / 2.0;
    let off = line.top() - frame.top();
    if off < 0.0 || off + line.height() > frame.height() * 0.8 {
        list.set_scroll_top(list.scroll_top() + (off - middle) as i32);
    }
}
