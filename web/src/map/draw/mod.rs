//! The drawing of a frame on a plan, from the ground up: zones and lines, stations and platforms,
//! trains, and what is on its way.

mod berth;
mod lines;
mod platform;
mod program;
mod route;
mod sheet;
mod siding;
mod station;
mod travel;

use broker::MessageId;
use player::{ComponentFrame, Frame, MessageFrame, QueueFrame};
use scenario::ComponentId;
use world::WorkerId;
use yew::prelude::*;

use super::layout::{Label, Plan, translate};
use super::lift::Lift;
use super::mark::{group, text};
use super::motion::{Motions, Part};
use crate::markup::{Mark, el};
use crate::token::{Look, Token, hit_area, ring_of, shapes};
use crate::words::Words;

/// Everything that a drawing depends on.
pub struct Scene<'a> {
    /// Where everything is.
    pub plan: &'a Plan,
    /// What is.
    pub frame: &'a Frame,
    /// How it is said.
    pub words: &'a Words,
    /// What moves.
    pub motions: &'a Motions,
    /// The message that is followed.
    pub followed: Option<MessageId>,
    /// The component that is looked at.
    pub selected: Option<ComponentId>,
    /// Whether it answers to hands.
    pub mode: Mode,
    /// The workers whose handler can be reordered.
    pub reorder: Option<ComponentId>,
    /// The line that has been picked up.
    pub lift: Option<Lift>,
}

/// Whether a map answers to hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It does.
    Live,
    /// It is a picture.
    Still,
}

/// What in a map can be chosen. Its code is the `data-go` of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A message, to follow.
    Message(MessageId),
    /// A component, to look at.
    Component(ComponentId),
    /// A line of a handler, to pick up.
    Line(usize),
    /// The gap above a line (or below the last), to put one down.
    Gap(usize),
}

impl Goal {
    /// Its code.
    #[must_use]
    pub fn code(self) -> String {
        let (letter, n) = match self {
            Self::Message(id) => ("m", id.index()),
            Self::Component(id) => ("c", id.index()),
            Self::Line(n) => ("l", n),
            Self::Gap(n) => ("g", n),
        };
        [letter, &n.to_string()].concat()
    }

    /// What a code stands for.
    #[must_use]
    pub fn read(code: &str) -> Option<Goal> {
        let n: u32 = code.get(1..)?.parse().ok()?;
        let index = n as usize;
        match code.as_bytes()[0] {
            b'm' => Some(Self::Message(MessageId::from_index(n))),
            b'c' if u16::try_from(n).is_ok() => Some(Self::Component(ComponentId::new(index))),
            b'l' => Some(Self::Line(index)),
            b'g' => Some(Self::Gap(index)),
            _ => None,
        }
    }
}

/// The whole picture.
#[must_use]
pub fn picture(scene: &Scene) -> Vec<Html> {
    let route = route::route(scene.plan, scene.frame, scene.followed);
    if let Some(sheet) = &scene.plan.sheet {
        return sheet::picture(scene, sheet, &route);
    }
    let mut all = lines::ground(scene, &route);
    all.extend(scene.plan.stations.iter().map(|station| station::station(scene, station)));
    for queue in &scene.plan.queues {
        if let Some(state) = scene.queue(queue.id) {
            all.extend(platform::queue(scene, queue, state, &route));
        }
    }
    all.extend(scene.plan.crews.iter().map(|crew| berth::crew(scene, crew)));
    all.extend(scene.plan.berths.iter().map(|berth| berth::berth(scene, berth)));
    all.push(travel::travels(scene));
    all
}

impl Scene<'_> {
    fn queue(&self, id: ComponentId) -> Option<&QueueFrame> {
        match self.frame.components.get(id.index()) {
            Some(ComponentFrame::Queue(queue)) => Some(queue),
            _ => None,
        }
    }

    fn label(&self, id: ComponentId) -> &str {
        &self.plan.net.part(id).label
    }

    /// Marks an element as one that can be chosen, with what it is called.
    fn reach(&self, mark: Mark, goal: Goal, label: String) -> Mark {
        if self.mode == Mode::Still {
            return mark;
        }
        // One element of a kind is in the tab order; the arrow keys lead from it to the others.
        let first = match goal {
            Goal::Message(id) => self.first_message() == Some(id),
            Goal::Component(id) => self.selected.map_or(id.index() == 0, |s| s == id),
            Goal::Line(n) => self.lift.map_or(n == 0, |lift| lift.from == n),
            Goal::Gap(_) => false,
        };
        mark.set("role", "button")
            .set("tabindex", if first { "0" } else { "-1" })
            .set("data-go", goal.code())
            .set("aria-label", label)
    }

    fn first_message(&self) -> Option<MessageId> {
        let shown = |id: &MessageId| self.frame.message(*id).is_some();
        let followed = self.followed.filter(shown);
        if self.plan.sheet.is_some() {
            return followed.or_else(|| self.frame.messages.first().map(|message| message.id));
        }
        let queues = || self.plan.queues.iter().filter_map(|q| self.queue(q.id));
        let waiting = || queues().find_map(|q| q.available.first().copied());
        let hidden = || queues().find_map(|q| q.in_flight.first().map(|hidden| hidden.message));
        let done = || queues().find_map(|q| q.acked.last().copied());
        followed.or_else(waiting).or_else(hidden).or_else(done)
    }

    fn worker_name(&self, id: WorkerId) -> String {
        let n = (u32::from(id.instance) + 1).to_string();
        self.words.say("map.worker", &[("name", self.label(id.component)), ("n", &n)])
    }

    /// A copy of a message; a second one where its work has been done before.
    fn copy_of(&self, id: MessageId) -> Look {
        match self.frame.message(id) {
            Some(message) if message.receives > 1 && message.effects > 0 => Look::SecondCopy,
            _ => Look::Copy,
        }
    }

    /// What a message is called: its number and its state.
    fn called(&self, message: &MessageFrame) -> String {
        use player::MessageState::*;
        let state = match message.state {
            Published => "published",
            Available => "available",
            InFlight => "in_flight",
            Acked => "acked",
            Redelivered => "redelivered",
            DeadLettered => "dead_lettered",
            Expired => "expired",
        };
        let key = ["map.message.", state].concat();
        let number = self.words.number(message.id.number().into());
        let count = message.receives.to_string();
        let mut said = self.words.say(&key, &[("n", &number), ("count", &count)]);
        if message.lost {
            said.push_str(&self.words.text("map.message.lost"));
        }
        if message.poison {
            said.push_str(&self.words.text("map.message.poison"));
        }
        said
    }

    /// A message at rest, or moved by the motion of `part` if there is one.
    fn token(&self, id: MessageId, look: Option<Look>, place: &Placed) -> Option<Html> {
        let message = self.frame.message(id)?;
        let mut token = Token::of(message, self.followed);
        if let Some(look) = look {
            token = token.seen_as(look);
        }
        match place.size {
            Size::Small => token = token.plain(),
            // To a group of a log it is what the group has made of it.
            Size::Lane => token.attempt = None,
            Size::Full | Size::Held => {}
        }
        let moved = place.part.and_then(|part| self.motions.of(part));
        let transform =
            moved.as_ref().map_or(translate(place.at), |(_, motion)| motion.value(self.frame.now));
        // A group inside is scaled, because the painter writes the place alone.
        let scale = match place.size {
            Size::Full | Size::Lane => None,
            Size::Held => Some("scale(.95)"),
            Size::Small => Some("scale(.62)"),
        };
        let ring = (token.look == Look::Ringed).then(|| self.ring(id));
        let inner = shapes(token, ring.flatten());
        let mark = group(token.class())
            .key(place.key.clone())
            .set("transform", transform)
            .maybe("data-m", moved.map(|(name, _)| name));
        let mark = match scale {
            Some(scale) => mark.with(el("g", "").set("transform", scale).all(inner).html()),
            None => mark.all(inner),
        };
        // What is chosen lies over the sign, so that it is large enough to hit and has one name.
        let area = hit_area(super::layout::at(0.0, 0.0), token.reach().max(12.5));
        let hand = el("g", "").with(area);
        let hand = match (self.mode, place.meaning) {
            (Mode::Still, _) => return Some(mark.html()),
            (_, Meaning::Message) => self.reach(hand, Goal::Message(id), self.called(message)),
            (_, Meaning::Copy) => hand.set("data-go", Goal::Message(id).code()),
        };
        Some(mark.with(hand.html()).html())
    }

    fn ring(&self, id: MessageId) -> Option<Html> {
        let (name, motion) = self.motions.of(Part::Ring(id))?;
        let left = 1.0 - player::fraction(self.frame.now, motion.from, motion.until);
        Some(ring_of(left, Some(name.into())))
    }

    /// A text that a motion may change.
    fn moving_text(&self, class: &'static str, place: &Label, part: Part, still: &str) -> Html {
        match self.motions.of(part) {
            Some((name, motion)) => {
                let said = motion.value(self.frame.now);
                text(class, place, said).set("data-m", name).html()
            }
            None => text(class, place, still.to_owned()).html(),
        }
    }
}

/// Where and how a message is drawn.
struct Placed {
    at: super::layout::Point,
    part: Option<Part>,
    size: Size,
    key: String,
    meaning: Meaning,
}

/// How large a message is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// As on a platform.
    Full,
    /// As on the lane of a log, without the receives of its queue.
    Lane,
    /// As in a worker's hands.
    Held,
    /// As beside a line, without a number.
    Small,
}

/// Whether a sign stands for the message, or for a copy of it that is elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Message,
    Copy,
}
