//! A message as a sign: colour is the key, shape is the state, the badge is the attempt.
//!
//! Hollow means hidden. A dot in a ring has left its producer, a solid disc waits, a hollow disc is
//! in flight, a ring with a tick is acked, a disc with a returning arc was given back, a square with
//! a cross is a dead letter. A dashed ring is a second copy, a yellow diamond marks what is wrong
//! (poison, or acked and lost), and the magenta halo is for the message that is followed.

use broker::MessageId;
use player::{MessageFrame, MessageState};
use yew::prelude::*;

use crate::map::layout::{Point, Rect, at};
use crate::map::mark::{circle, group, path, rect};
use crate::markup::{Mark, el};

/// What the sign of a message shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is in its life, or what of it this is.
    pub look: Look,
    /// Which of the run's keys it carries, from 0.
    pub key: u16,
    /// The number on it, where it is large enough for one; four digits are too many for any.
    pub number: Option<u32>,
    /// The attempt on its badge.
    pub attempt: Option<u32>,
    /// Whether a yellow diamond says that it can never succeed.
    pub taint: Taint,
    /// Whether it is the one that is followed.
    pub focus: Focus,
}

/// The shapes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A state of its life.
    State(MessageState),
    /// Hidden, with a ring of the time left around it.
    Ringed,
    /// A copy in somebody's hands.
    Copy,
    /// A copy of what has had its effect already.
    SecondCopy,
    /// Acked, and its work was not done.
    Lost,
}

/// Whether a message can succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taint {
    /// It can.
    Sound,
    /// It can never.
    Poison,
}

/// Whether a message is the one that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// It is one of many.
    Other,
    /// It is the one.
    Followed,
}

/// The radius of the ring of time left.
pub const RING: f64 = 14.5;
/// The length of that ring.
pub const RING_LENGTH: f64 = RING * std::f64::consts::TAU;

impl Token {
    /// The sign of a message as it is, with its number.
    #[must_use]
    pub fn of(message: &MessageFrame, followed: Option<MessageId>) -> Token {
        let given_back = message.state == MessageState::Redelivered;
        let dead = message.state == MessageState::DeadLettered;
        let told = message.receives > 1 || ((given_back || dead) && message.receives > 0);
        Token {
            look: if message.lost { Look::Lost } else { Look::State(message.state) },
            key: message.key,
            number: Some(message.id.number()),
            attempt: told.then_some(message.receives),
            taint: if message.poison { Taint::Poison } else { Taint::Sound },
            focus: if followed == Some(message.id) { Focus::Followed } else { Focus::Other },
        }
    }

    /// The same message in another look.
    #[must_use]
    pub fn seen_as(self, look: Look) -> Token {
        Token { look, ..self }
    }

    /// The same sign without a number and without a badge, for where it is small.
    #[must_use]
    pub fn plain(self) -> Token {
        Token { number: None, attempt: None, ..self }
    }

    /// The classes of its group.
    #[must_use]
    pub fn class(self) -> String {
        let mut class = String::from("tok ");
        class.push_str(self.name());
        class.push_str(" k");
        class.push(char::from(b'1' + u8::try_from(self.key % 8).unwrap_or(0)));
        if self.focus == Focus::Followed {
            class.push_str(" is-followed");
        }
        class
    }

    fn name(self) -> &'static str {
        match self.look {
            Look::State(MessageState::Published) => "tok-published",
            Look::State(MessageState::Available) => "tok-available",
            Look::State(MessageState::InFlight) | Look::Ringed => "tok-inflight",
            Look::State(MessageState::Acked) => "tok-acked",
            Look::State(MessageState::Redelivered) => "tok-redelivered",
            Look::State(MessageState::DeadLettered) => "tok-dead",
            Look::State(MessageState::Expired) => "tok-expired",
            Look::Copy => "tok-copy",
            Look::SecondCopy => "tok-dup",
            Look::Lost => "tok-dup tok-lost",
        }
    }

    /// How far the sign reaches from its middle.
    #[must_use]
    pub fn reach(self) -> f64 {
        match (self.look, self.focus) {
            (Look::Ringed, _) => 17.0,
            (_, Focus::Followed) => 15.0,
            _ => 12.0,
        }
    }
}

/// The shapes of the sign around the origin. A ring of time left (`Look::Ringed`) is drawn by
/// `ring`, whose share of it changes with time.
#[must_use]
pub fn shapes(token: Token, ring: Option<Html>) -> Vec<Html> {
    let mut all = Vec::with_capacity(6);
    if token.focus == Focus::Followed {
        let halo = if token.look == Look::Ringed { 19.5 } else { 13.8 };
        all.push(disc("tok-halo", halo));
    }
    body(token, ring, &mut all);
    if let (Some(number @ ..1_000), true) = (token.number, carries_number(token.look)) {
        let small = number >= 100;
        let class = if small { "tok-n tok-n-s" } else { "tok-n" };
        let said = number.to_string();
        let text = el("text", "").class(class).set("y", if small { "3.4" } else { "3.9" });
        all.push(text.text(said).html());
    }
    if let (Some(number), Look::State(MessageState::Published)) = (token.number, token.look) {
        // A dot has no room for its number: it goes along above.
        let text =
            el("text", "").class("t-num t-halo").set("y", "-18").set("text-anchor", "middle");
        all.push(text.text(number.to_string()).html());
    }
    if let Some(attempt) = token.attempt {
        all.push(badge(attempt, if token.look == Look::Ringed { 12.0 } else { 10.0 }));
    }
    if token.taint == Taint::Poison || token.look == Look::Lost {
        all.push(hazard());
    }
    all
}

/// The sign as a picture of its own in a line of text, `size` pixels wide.
pub fn glyph(token: Token, size: u32) -> Html {
    let reach = match (token.look, token.focus) {
        (Look::Ringed, _) => "-18 -18 36 36",
        (Look::State(MessageState::Redelivered), _) | (_, Focus::Followed) => "-17 -17 34 34",
        _ => "-13 -13 26 26",
    };
    let ring = (token.look == Look::Ringed).then(|| ring_of(0.6, None));
    let size = size.to_string();
    el("svg", "")
        .class("glyph")
        .set("width", size.clone())
        .set("height", size)
        .set("viewBox", reach)
        .set("aria-hidden", "true")
        .with(group(token.class()).all(shapes(token, ring)).html())
        .html()
}

/// The ring of time left: a share of the circle from the top, clockwise. `name` is what moves it.
pub fn ring_of(share: f64, name: Option<AttrValue>) -> Html {
    disc_mark("tok-ring", RING)
        .set("transform", "rotate(-90)")
        .set("stroke-dasharray", ring_dash(share))
        .maybe("data-m", name)
        .html()
}

/// The dashes that leave this share (0 to 1) of the ring.
#[must_use]
pub fn ring_dash(share: f64) -> String {
    let mut out = String::with_capacity(16);
    crate::map::layout::put(&mut out, share.clamp(0.0, 1.0) * RING_LENGTH);
    // The gap is longer than the ring, so that nothing comes after it.
    out.push_str(" 120");
    out
}

fn body(token: Token, ring: Option<Html>, all: &mut Vec<Html>) {
    match token.look {
        Look::State(MessageState::Published) => {
            all.extend([disc("tok-case", 11.5), disc("tok-orbit", 9.2), disc("tok-body", 4.6)]);
        }
        Look::State(MessageState::Available) => {
            all.extend([disc("tok-case", 11.8), disc("tok-body", 10.0)]);
        }
        Look::State(MessageState::InFlight) => {
            all.extend([disc("tok-case", 12.0), disc("tok-hollow", 9.0)]);
        }
        Look::Ringed => {
            all.extend([disc("tok-case", 17.0), disc("tok-ringway", RING)]);
            all.extend(ring);
            all.push(disc("tok-hollow", 9.0));
        }
        Look::State(MessageState::Acked) => {
            all.extend([disc("tok-case", 11.5), disc("tok-done", 9.2)]);
            all.push(path("tok-tick", "M-4 .3l2.8 2.9L4.2-3"));
        }
        Look::State(MessageState::Redelivered) => {
            all.push(disc("tok-case", 11.8));
            all.push(path("tok-return", "M-9.6-9.9A13.8 13.8 0 0 0 9.9 9.6"));
            all.push(path("tok-returnhead", "M-14-8.9l5.6-2.4.6 6"));
            all.push(disc("tok-body", 10.0));
        }
        Look::State(MessageState::DeadLettered) => {
            all.push(rect("tok-case", Rect::new(-11.5, -11.5, 23.0, 23.0), 4.0).html());
            all.push(rect("tok-body", Rect::new(-9.5, -9.5, 19.0, 19.0), 2.5).html());
            all.push(path("tok-cross", "M-4.2-4.2l8.4 8.4M4.2-4.2l-8.4 8.4"));
        }
        Look::State(MessageState::Expired) => {
            all.extend([disc("tok-case", 11.5), disc("tok-done", 9.2)]);
            all.push(path("tok-tick", "M-4.5 0h9"));
        }
        Look::Copy => all.extend([disc("tok-case", 11.5), disc("tok-body", 9.6)]),
        Look::SecondCopy | Look::Lost => {
            all.extend([disc("tok-case", 11.5), disc("tok-dash", 9.0)]);
        }
    }
}

/// Whether a sign has room for the number of its message.
#[must_use]
pub fn carries_number(look: Look) -> bool {
    match look {
        Look::Ringed | Look::Copy | Look::SecondCopy | Look::Lost => true,
        Look::State(state) => matches!(
            state,
            MessageState::Available | MessageState::InFlight | MessageState::Redelivered
        ),
    }
}

fn badge(attempt: u32, out: f64) -> Html {
    let text = el("text", "").set("y", "3.3");
    let said = if attempt > 99 { "…".to_owned() } else { attempt.to_string() };
    group("tok-badge")
        .set("transform", crate::map::layout::translate(at(out, -out)))
        .with(el("circle", "").set("r", "6.6").html())
        .with(text.text(said).html())
        .html()
}

fn hazard() -> Html {
    el("g", "")
        .set("transform", "translate(-20 0)")
        .with(path("tok-hazard", "M10 3.2l6.6 6.8L10 16.8 3.4 10z"))
        .with(path("tok-hazard-i", "M10 6.8v3.8M10 12.7v.2"))
        .html()
}

fn disc_mark(class: &'static str, radius: f64) -> Mark {
    el("circle", "").class(class).num("r", radius)
}

fn disc(class: &'static str, radius: f64) -> Html {
    disc_mark(class, radius).html()
}

/// An invisible disc that makes a sign easy to hit.
pub fn hit_area(middle: Point, radius: f64) -> Html {
    circle("hit-area", middle, radius).html()
}
