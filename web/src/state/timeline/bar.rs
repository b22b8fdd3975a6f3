//! A life as a bar: its pieces, what happened on the way, and all of it in words.

use player::{GroupLife, GroupStretch, GroupStretchKind, Life, MessageState, Stretch, StretchKind};
use sim::SimTime;

use super::{Bar, share};
use crate::state::scene::stretch_at;
use crate::state::strip::{self, PinSort};
use crate::words::{Names, Words, clock, seconds};

/// A piece of a bar. Places are percent of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bit {
    /// What it looks like.
    pub look: BitLook,
    /// From here.
    pub from: f64,
    /// To here. An end is a place: there it is the same.
    pub to: f64,
    /// How far somebody held the message, where it is in flight.
    pub held_to: f64,
    /// Which attempt it is, where it is in flight.
    pub attempt: u32,
}

/// The looks of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitLook {
    /// On its way to a broker or a service.
    Sent,
    /// Stored, and kept back.
    Delayed,
    /// On offer.
    Waiting,
    /// Out, and hidden from others.
    InFlight,
    /// Done: acked, committed, answered.
    Done,
    /// Moved aside, refused or given up.
    Dead,
    /// Gone, and its work was not done.
    Lost,
}

/// Something that happened at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// Where, in percent of the scale.
    pub at: f64,
    /// Whether it broke something.
    pub sort: PinSort,
    /// What.
    pub name: String,
}

/// What bars are drawn by.
pub(super) struct Scale<'a> {
    pub words: &'a Words,
    pub names: &'a Names,
    pub span: (SimTime, SimTime),
    pub now: SimTime,
}

/// When the last thing happens to a message.
pub(super) fn over(life: &Life) -> Option<SimTime> {
    let marked = life.marks.iter().map(|(at, _)| *at).max().unwrap_or(SimTime::ZERO);
    Some(settled(life)?.max(marked))
}

/// When it is settled, or else the end of the run.
fn settled(life: &Life) -> Option<SimTime> {
    let last = life.stretches.last()?;
    if life.groups.is_empty() {
        return Some(if strip::settled(last.kind) { last.from } else { last.to });
    }
    let ends = life.groups.iter().filter_map(|group| group.stretches.last());
    ends.map(|last| if of_group(last.kind).1 == Ending::Over { last.from } else { last.to }).max()
}

/// Whether a state is an end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Over,
    Open,
}

fn of_group(kind: GroupStretchKind) -> (BitLook, Ending) {
    match kind {
        GroupStretchKind::Unread => (BitLook::Waiting, Ending::Open),
        GroupStretchKind::Read { .. } => (BitLook::InFlight, Ending::Open),
        GroupStretchKind::Committed => (BitLook::Done, Ending::Over),
        GroupStretchKind::Lost | GroupStretchKind::Gone => (BitLook::Lost, Ending::Over),
    }
}

fn of_queue(kind: StretchKind) -> BitLook {
    match kind {
        StretchKind::Published => BitLook::Sent,
        StretchKind::Delayed => BitLook::Delayed,
        StretchKind::Waiting { .. } => BitLook::Waiting,
        StretchKind::Hidden { .. } => BitLook::InFlight,
        StretchKind::Acked | StretchKind::Answered { status: 0..400 } => BitLook::Done,
        StretchKind::Expired => BitLook::Lost,
        StretchKind::DeadLettered
        | StretchKind::Answered { .. }
        | StretchKind::Unanswered
        | StretchKind::TurnedDown => BitLook::Dead,
    }
}

impl Scale<'_> {
    /// The bar of a message; of a record, one for each group that reads it. None for a message
    /// that is never sent.
    pub fn bars(&self, life: &Life, key: u16) -> Vec<Bar> {
        if life.stretches.is_empty() {
            return Vec::new();
        }
        let bar = |state, group, bits, what: Vec<String>| Bar {
            message: life.message,
            key,
            state,
            group,
            bits,
            flags: self.flags(life),
            said: self.said(life, &what),
        };
        if life.groups.is_empty() {
            let bits = life.stretches.iter().map(|stretch| self.bit(stretch)).collect();
            let here = stretch_at(life, self.now).map(|stretch| state(stretch.kind));
            let what = life.stretches.iter().map(|stretch| self.told(life, stretch));
            return vec![bar(here, String::new(), bits, what.collect())];
        }
        let several = life.groups.len() > 1;
        let sent = life.stretches.first().filter(|s| s.kind == StretchKind::Published);
        let of = |group: &GroupLife| {
            let mut bits: Vec<Bit> = sent.map(|stretch| self.bit(stretch)).into_iter().collect();
            bits.extend(group.stretches.iter().map(|stretch| self.group_bit(stretch)));
            let scenario = self.names.scenario();
            let name = scenario.group_name(group.group.reader).unwrap_or_default();
            let name = if several { name.to_owned() } else { String::new() };
            let mut what: Vec<String> =
                sent.map(|stretch| self.told(life, stretch)).into_iter().collect();
            what.extend(group.stretches.iter().map(|stretch| self.group_told(stretch)));
            bar(self.group_state(sent, group), name, bits, what)
        };
        life.groups.iter().map(of).collect()
    }

    fn share(&self, at: SimTime) -> f64 {
        share(at, self.span)
    }

    fn piece(&self, look: BitLook, from: SimTime, to: SimTime) -> Bit {
        let from = self.share(from);
        let to = if matches!(look, BitLook::Done | BitLook::Dead | BitLook::Lost) {
            from
        } else {
            self.share(to)
        };
        Bit { look, from, to, held_to: from, attempt: 0 }
    }

    fn bit(&self, stretch: &Stretch) -> Bit {
        let bit = self.piece(of_queue(stretch.kind), stretch.from, stretch.to);
        match stretch.kind {
            StretchKind::Hidden { receive, held_until, .. } => {
                let held = held_until.unwrap_or(stretch.to).min(stretch.to);
                Bit { held_to: self.share(held), attempt: receive, ..bit }
            }
            _ => bit,
        }
    }

    fn group_bit(&self, stretch: &GroupStretch) -> Bit {
        let bit = self.piece(of_group(stretch.kind).0, stretch.from, stretch.to);
        match stretch.kind {
            GroupStretchKind::Read { nth, .. } => Bit { held_to: bit.to, attempt: nth, ..bit },
            _ => bit,
        }
    }

    fn flags(&self, life: &Life) -> Vec<Flag> {
        let flag = |(at, mark): &(SimTime, player::Mark)| {
            let (sort, name) = strip::mark_words(self.words, self.names, mark);
            Flag { at: self.share(*at), sort, name }
        };
        life.marks.iter().map(flag).collect()
    }

    /// What a stretch was, and when it began.
    fn told(&self, life: &Life, stretch: &Stretch) -> String {
        let row = strip::row(self.words, self.names, life, stretch);
        self.moment(&row.name, stretch.from)
    }

    fn group_told(&self, stretch: &GroupStretch) -> String {
        let long = seconds(stretch.to.saturating_since(stretch.from));
        let words = self.words;
        let what = match stretch.kind {
            GroupStretchKind::Unread => words.say("life.row.stored", &[("long", &long)]),
            GroupStretchKind::Read { worker, .. } => {
                words.say("timeline.read", &[("worker", &self.names.worker(worker))])
            }
            GroupStretchKind::Committed => words.text("timeline.committed"),
            GroupStretchKind::Lost => words.text("life.lost"),
            GroupStretchKind::Gone => words.text("timeline.gone"),
        };
        self.moment(&what, stretch.from)
    }

    fn moment(&self, what: &str, at: SimTime) -> String {
        self.words.say("timeline.moment", &[("what", what), ("at", &clock(at))])
    }

    fn said(&self, life: &Life, what: &[String]) -> String {
        let n = self.words.number(u64::from(life.message.number()));
        let mut what = what.to_vec();
        what.extend(life.marks.iter().map(|(at, mark)| {
            self.moment(&strip::mark_words(self.words, self.names, mark).1, *at)
        }));
        self.words.say("timeline.said", &[("n", &n), ("list", &what.join("; "))])
    }

    fn group_state(&self, sent: Option<&Stretch>, group: &GroupLife) -> Option<MessageState> {
        let after = group.stretches.partition_point(|stretch| stretch.from <= self.now);
        let Some(stretch) = after.checked_sub(1).map(|at| group.stretches[at]) else {
            return sent.filter(|sent| sent.from <= self.now).map(|_| MessageState::Published);
        };
        Some(match stretch.kind {
            GroupStretchKind::Unread => MessageState::Available,
            GroupStretchKind::Read { .. } => MessageState::InFlight,
            GroupStretchKind::Committed => MessageState::Acked,
            GroupStretchKind::Lost | GroupStretchKind::Gone => MessageState::Expired,
        })
    }
}

/// The sign of a state.
fn state(kind: StretchKind) -> MessageState {
    match kind {
        StretchKind::Published => MessageState::Published,
        StretchKind::Delayed | StretchKind::Waiting { receives: 0 } => MessageState::Available,
        StretchKind::Waiting { .. } => MessageState::Redelivered,
        StretchKind::Hidden { .. } => MessageState::InFlight,
        StretchKind::Acked | StretchKind::Answered { status: 0..400 } => MessageState::Acked,
        StretchKind::Expired => MessageState::Expired,
        StretchKind::DeadLettered
        | StretchKind::Answered { .. }
        | StretchKind::Unanswered
        | StretchKind::TurnedDown => MessageState::DeadLettered,
    }
}
