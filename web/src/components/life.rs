//! The life strip: the followed message as a line of states over time, and as a list.

use broker::MessageId;
use player::MessageState;
use yew::prelude::*;

use super::glyph::{Glyph, numbered, token};
use super::icon::{Sign, icon};
use crate::state::{Act, End, Look, Phase, Piece, Pin, PinSort, Row, Strip, WIDTH, place};
use crate::words::{Words, clock};

/// The middle of the line, from the top of the picture.
const LINE: f64 = 64.0;

/// What the strip shows.
pub struct LifeStrip {
    /// The catalogue.
    pub words: Words,
    /// The followed message, if one is.
    pub message: Option<MessageId>,
    /// Its sign now.
    pub glyph: Option<Glyph>,
    /// Its key, from 0.
    pub key_number: u16,
    /// What it carries, in short.
    pub carries: String,
    /// How often it was received, in words.
    pub receives: String,
    /// Its life.
    pub strip: Strip,
    /// The playhead, when this was drawn.
    pub now: sim::SimTime,
    /// The playhead on the strip, for the painter.
    pub head: NodeRef,
    /// The paper that lies over what is still to come.
    pub veil: NodeRef,
    /// Where acts go.
    pub on: Callback<Act>,
}

impl LifeStrip {
    /// One message's life.
    pub fn draw(&self) -> Html {
        let words = &self.words;
        let Some(message) = self.message else {
            return html! {
                <section class="life" aria-label={words.text("life.label")}>
                    <p class="life__none">{ words.text("life.none") }</p>
                </section>
            };
        };
        let n = words.number(u64::from(message.number()));
        let key = ["k", &(self.key_number % 8 + 1).to_string()].concat();
        html! {
            <section class={classes!("life", key)} aria-label={words.text("life.label")}>
                <div class="life__head">
                    { for self.glyph.map(|mark| numbered(mark, message, 26)) }
                    <b>{ words.say("life.following", &[("n", &n)]) }</b>
                    if !self.carries.is_empty() { <span class="mono">{ &self.carries }</span> }
                    <span>{ &self.receives }</span>
                    <button
                        type="button"
                        class="btn btn--quiet"
                        onclick={self.on.reform(|_| Act::Follow(None))}
                    >
                        { icon(Sign::Close) }<span>{ words.text("life.stop") }</span>
                    </button>
                </div>
                if self.strip.pieces.is_empty() {
                    <p class="life__none">{ words.text("life.not_yet") }</p>
                } else {
                    { line(self) }
                    <ol class="lifelist only-narrow">
                        { for self.strip.rows.iter().map(row) }
                    </ol>
                }
            </section>
        }
    }
}

fn line(props: &LifeStrip) -> Html {
    let strip = &props.strip;
    let viewbox = ["0 0 ", &WIDTH.to_string(), " 142"].concat();
    let head = place(props.now, strip.span);
    let moved = shift(head);
    html! {
        <svg class="lifemap only-wide" viewBox={viewbox} aria-hidden="true">
            { for strip.ticks.iter().map(|(x, label)| html! {
                <>
                    <path class="grid" d={format!("M{x} 22V118")} />
                    <text x={x.to_string()} y="134" class="t-sub" text-anchor="middle">{ label }</text>
                </>
            }) }
            { for strip.pieces.iter().map(tube) }
            <g ref={props.veil.clone()} transform={moved.clone()}>
                <rect class="lf-future" x="0" y="43" width={WIDTH.to_string()} height="42" />
            </g>
            { for strip.pieces.iter().map(|piece| ghost(piece, head)) }
            { for strip.pieces.iter().map(|piece| station(props, piece, head)) }
            { for strip.pins.iter().map(|pin| flag(pin, head)) }
            { for labels(strip, head).iter().map(lettering) }
            <g ref={props.head.clone()} transform={moved}>
                <path class="lf-head" d="M0 18V118" />
            </g>
        </svg>
    }
}

/// How the painter and the drawing put a thing at a place on the strip.
#[must_use]
pub fn shift(x: f64) -> String {
    format!("translate({x} 0)")
}

/// A piece of the line as it was.
fn tube(piece: &Piece) -> Html {
    match piece.look {
        Look::Published => html! { <path class="lf lf-pub" d={along(piece.from, piece.to)} /> },
        Look::Waits => html! { <path class="lf lf-wait" d={along(piece.from, piece.to)} /> },
        Look::Tube => {
            let held = piece.held_to - piece.from - 10.0;
            html! {
                <>
                    { hull("lf-tube", piece.from, piece.to) }
                    if held > 0.0 {
                        <rect
                            class="lf-held"
                            x={(piece.from + 5.0).to_string()}
                            y="58"
                            width={held.to_string()}
                            height="12"
                            rx="6"
                        />
                    }
                </>
            }
        }
        Look::Ended(_) => Html::default(),
    }
}

/// The same where it is still to come.
fn ghost(piece: &Piece, head: f64) -> Html {
    let from = piece.from.max(head + 2.0);
    if from >= piece.to {
        return Html::default();
    }
    match piece.look {
        Look::Published | Look::Waits => {
            html! { <path class="lf lf-wait is-future" d={along(from, piece.to)} /> }
        }
        Look::Tube => hull("lf-tube lf-ghost", from, piece.to),
        Look::Ended(_) => Html::default(),
    }
}

fn along(from: f64, to: f64) -> String {
    format!("M{from} {LINE}H{to}")
}

fn hull(class: &'static str, from: f64, to: f64) -> Html {
    let width = (to - from).max(0.0).to_string();
    html! { <rect class={class} x={from.to_string()} y="53" width={width} height="22" rx="11" /> }
}

/// The message itself where it enters a state.
fn station(props: &LifeStrip, piece: &Piece, head: f64) -> Html {
    let state = match piece.look {
        Look::Published => MessageState::Published,
        Look::Tube => MessageState::InFlight,
        Look::Ended(End::Acked) => MessageState::Acked,
        Look::Ended(End::DeadLettered | End::Expired) => MessageState::DeadLettered,
        Look::Waits => return Html::default(),
    };
    if piece.from > head && piece.look == Look::Tube {
        return Html::default();
    }
    let mark = Glyph { state, key: props.key_number };
    let at = format!("translate({} {LINE})", piece.from);
    let number = props.message.filter(|_| piece.look == Look::Tube).map(MessageId::number);
    html! {
        <g transform={at} opacity={(piece.from > head).then_some("0.5")}>
            { token(mark, number) }
        </g>
    }
}

/// What happened on the way.
fn flag(pin: &Pin, head: f64) -> Html {
    let at = format!("translate({} {LINE})", pin.at);
    let faint = (pin.at > head).then_some("0.5");
    match pin.sort {
        PinSort::Effect => html! {
            <g transform={at} opacity={faint}>
                <title>{ &pin.name }</title>
                <circle class="tok-case" r="6.5" /><circle class="lf-held" r="4.5" />
            </g>
        },
        PinSort::Fault => html! {
            <g transform={at} opacity={faint}>
                <title>{ &pin.name }</title>
                <rect class="lf-bolt" x="-10" y="-10" width="20" height="20" rx="2" />
                <g class="lf-boltp">
                    <g class="pict" transform="translate(-7.5 -7.5) scale(0.62)">
                        <path d="M13.5 2.5L5 13.6h5.4L9.4 21.5 19 9.8h-5.8z" class="fill" />
                    </g>
                </g>
            </g>
        },
    }
}

/// A label with its place.
struct Label {
    x: f64,
    y: f64,
    anchor: &'static str,
    name: String,
    note: String,
    future: bool,
}

/// The labels that have room; what has none is in the list.
fn labels(strip: &Strip, head: f64) -> Vec<Label> {
    let mut all: Vec<Label> = Vec::new();
    for pin in strip.pins.iter().filter(|pin| pin.sort == PinSort::Fault) {
        let (name, note) = (pin.name.clone(), pin.note.clone());
        put(
            &mut all,
            Label { x: pin.at, y: 98.0, anchor: "start", name, note, future: pin.at > head },
        );
    }
    for (i, piece) in strip.pieces.iter().enumerate() {
        let (name, mut note) = (piece.name.clone(), piece.note.clone());
        let (x, y, anchor) = match piece.look {
            Look::Tube => (piece.from, 36.0, "start"),
            Look::Published => {
                // How long it then waits is said here: its own piece is often short.
                note = strip.pieces.get(i + 1).map_or(note, |next| next.note.clone());
                (piece.from - 8.0, 98.0, "start")
            }
            Look::Waits if i < 2 => continue,
            Look::Waits => ((piece.from + piece.to) / 2.0, 36.0, "middle"),
            Look::Ended(_) => (piece.from, 98.0, "middle"),
        };
        put(&mut all, Label { x, y, anchor, name, note, future: piece.from > head });
    }
    all
}

/// Adds a label if it overlaps none of its row.
fn put(all: &mut Vec<Label>, label: Label) {
    if label.name.is_empty() && label.note.is_empty() {
        return;
    }
    let (from, to) = extent(&label);
    let free = all.iter().filter(|other| (other.y - label.y).abs() < 1.0).all(|other| {
        let (other_from, other_to) = extent(other);
        to + 10.0 < other_from || other_to + 10.0 < from
    });
    if free && from >= 0.0 && to <= WIDTH {
        all.push(label);
    }
}

/// About how much room a label takes.
fn extent(label: &Label) -> (f64, f64) {
    let letters = if label.y < LINE {
        label.name.chars().count() + label.note.chars().count() + 2
    } else {
        label.name.chars().count().max(label.note.chars().count())
    };
    let wide = letters as f64 * 6.9;
    match label.anchor {
        "middle" => (label.x - wide / 2.0, label.x + wide / 2.0),
        _ => (label.x, label.x + wide),
    }
}

fn lettering(label: &Label) -> Html {
    let (x, y) = (label.x.to_string(), label.y.to_string());
    let (name, note) = if label.future { ("t-ghost", "t-ghost") } else { ("t-name", "t-sub") };
    if label.y < LINE {
        return html! {
            <text x={x} y={y} text-anchor={label.anchor}>
                <tspan class={name}>{ &label.name }</tspan>
                <tspan class={note} dx="8">{ &label.note }</tspan>
            </text>
        };
    }
    let below = (label.y + 16.0).to_string();
    html! {
        <>
            <text x={x.clone()} y={y} class={name} text-anchor={label.anchor}>{ &label.name }</text>
            <text x={x} y={below} class={note} text-anchor={label.anchor}>{ &label.note }</text>
        </>
    }
}

fn row(row: &Row) -> Html {
    let (class, dot) = match row.phase {
        Phase::Past => (None, row.dot),
        Phase::Now => (Some("is-now"), "now"),
        Phase::Next => (Some("is-next"), "next"),
    };
    let hidden = (row.hidden && row.phase == Phase::Past).then_some("is-hidden");
    let dot = ["lifelist__dot lifelist__dot--", dot].concat();
    let now = (row.phase == Phase::Now).then_some("true");
    let at = row.at;
    html! {
        <li class={classes!(class, hidden)} aria-current={now}>
            <time>{ clock(at) }</time>
            <span class={dot}></span>
            <span><b>{ &row.name }</b>{ " " }<small>{ &row.note }</small></span>
        </li>
    }
}
