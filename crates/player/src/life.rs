//! One message over the whole run: a row of states, and what happened to it on the way.

mod log;

use std::ops::Range;

use broker::MessageId;
use scenario::Scenario;
use sim::SimTime;
use world::{TraceEvent, What, WorkerId};

use crate::Player;

pub use log::{GroupLife, GroupStretch, GroupStretchKind};

/// The life of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// Which message.
    pub message: MessageId,
    /// The states it was in, one after another without gaps.
    pub stretches: Vec<Stretch>,
    /// What happened to it or to whoever held it.
    pub marks: Vec<(SimTime, Mark)>,
    /// What it was to each group of the log that it came to, if it came to one.
    pub groups: Vec<GroupLife>,
}

/// A state and how long it lasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Which state.
    pub kind: StretchKind,
    /// Since when.
    pub from: SimTime,
    /// Until when; the end of the run if nothing ended it.
    pub to: SimTime,
}

/// The states of a message's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchKind {
    /// On its way to the broker.
    Published,
    /// Stored, not yet on offer.
    Delayed,
    /// On offer, after this many receives.
    Waiting {
        /// How often it had been received before.
        receives: u32,
    },
    /// Taken and hidden.
    Hidden {
        /// Who took it.
        worker: WorkerId,
        /// Which receive it was.
        receive: u32,
        /// When the hidden time would end, if the clock ends it.
        until: Option<SimTime>,
        /// When the worker let go of it, if it did before the stretch was over.
        held_until: Option<SimTime>,
    },
    /// Acked and deleted.
    Acked,
    /// Moved aside.
    DeadLettered,
    /// Deleted by retention or purge.
    Expired,
    /// A request that has its answer, and is in no queue.
    Answered {
        /// What the answer said, as a status of HTTP.
        status: u16,
    },
    /// A request that its sender waits for no longer, or whose connection broke.
    Unanswered,
    /// No queue has taken it: it was refused, known already, or wanted by none.
    TurnedDown,
}

/// What happened to a message or to whoever held it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Its holder died.
    HolderCrashed(WorkerId),
    /// An external service had its effect, for the nth time.
    Effected {
        /// Which time.
        nth: u32,
    },
    /// An ack of it was turned down.
    AckRefused(WorkerId),
    /// An ack of it was lost.
    AckLost(WorkerId),
    /// It was made one that can never succeed.
    Poisoned,
    /// It was lost for good.
    Lost,
}

impl Player {
    /// The life of a message. Empty if there is no such message in the run.
    #[must_use]
    pub fn life(&self, message: MessageId) -> Life {
        let mut life = Life::of(message);
        for event in self.trace() {
            life.take(self.scenario(), event);
        }
        life.end(self.end());
        life
    }

    /// The lives of the messages at these positions, in one pass over the trace.
    #[must_use]
    pub fn lives(&self, positions: Range<u32>) -> Vec<Life> {
        let mut lives: Vec<Life> =
            positions.clone().map(|at| Life::of(MessageId::from_index(at))).collect();
        for event in self.trace() {
            match Concern::of(&event.what) {
                Concern::Nobody => {}
                Concern::One(message) => {
                    let place = message.index().checked_sub(positions.start as usize);
                    if let Some(life) = place.and_then(|place| lives.get_mut(place)) {
                        life.take(self.scenario(), event);
                    }
                }
                Concern::Anybody => {
                    lives.iter_mut().for_each(|life| life.take(self.scenario(), event));
                }
            }
        }
        lives.iter_mut().for_each(|life| life.end(self.end()));
        lives
    }
}

/// Whose life an event may change.
enum Concern {
    /// None.
    Nobody,
    /// That of one message.
    One(MessageId),
    /// That of any: whoever is held by a worker, or read by a group.
    Anybody,
}

impl Concern {
    /// Whom an event concerns. What is not known here is shown to everybody: that costs time alone.
    fn of(what: &What) -> Concern {
        match *what {
            What::StepStarted { .. }
            | What::StepEnded { .. }
            | What::Executed { .. }
            | What::RowsCommitted { .. }
            | What::Confirmed { .. }
            | What::CameEmpty { .. }
            | What::Answered { .. } => Concern::Nobody,
            What::Requested { message, .. }
            | What::Responded { message, .. }
            | What::Published { message, .. }
            | What::Stored { message, .. }
            | What::Appended { message, .. }
            | What::Available { message, .. }
            | What::Received { message, .. }
            | What::Fetched { message, .. }
            | What::Extended { message, .. }
            | What::Lapsed { message, .. }
            | What::Requeued { message, .. }
            | What::Nacked { message, .. }
            | What::Effected { message, .. }
            | What::DeadLettered { message, .. }
            | What::Expired { message, .. }
            | What::Dropped { message, .. }
            | What::Forgotten { message, .. }
            | What::Acked { message, .. } => Concern::One(message),
            What::Copied { copy, .. } => Concern::One(copy),
            _ => Concern::Anybody,
        }
    }
}

impl Life {
    /// Whether a broker had it at some time. What services ask of each other is in none.
    #[must_use]
    pub fn reached_a_broker(&self) -> bool {
        use StretchKind::{Answered, Published, Unanswered};
        let asked = |kind: StretchKind| matches!(kind, Published | Answered { .. } | Unanswered);
        self.stretches.iter().any(|stretch| !asked(stretch.kind))
    }

    /// The life of a message of which nothing is known yet.
    fn of(message: MessageId) -> Life {
        Life { message, stretches: Vec::new(), marks: Vec::new(), groups: Vec::new() }
    }

    /// Takes note of an event, if it has to do with the message.
    fn take(&mut self, scenario: &Scenario, event: &TraceEvent) {
        self.follow(event);
        log::follow(&mut self.groups, scenario, self.message, event);
    }

    /// Nothing more happens after this.
    fn end(&mut self, at: SimTime) {
        if let Some(last) = self.stretches.last_mut() {
            last.to = at;
        }
        self.groups.iter_mut().for_each(|group| group.end(at));
    }

    fn follow(&mut self, event: &TraceEvent) {
        let at = event.at;
        match event.what {
            What::Requested { message, .. } | What::Published { message, .. } => {
                use StretchKind::{Answered, TurnedDown, Unanswered};
                let anew =
                    matches!(self.kind(), None | Some(Answered { .. } | Unanswered | TurnedDown));
                if message == self.message && anew {
                    self.enter(at, StretchKind::Published);
                }
            }
            What::Responded { message, status, .. } if message == self.message => {
                self.leave_for(at, StretchKind::Answered { status });
            }
            What::TimedOut { message, .. } | What::Reset { message, .. }
                if message == self.message =>
            {
                self.leave_for(at, StretchKind::Unanswered);
            }
            What::PublishRefused { message, .. }
            | What::Deduplicated { message, .. }
            | What::Unrouted { message, .. }
                if message == self.message =>
            {
                self.leave_for(at, StretchKind::TurnedDown);
            }
            What::Copied { copy, .. } if copy == self.message => {
                self.enter(at, StretchKind::Published);
            }
            What::Stored { message, visible_at, .. } if message == self.message => {
                let waits = StretchKind::Waiting { receives: 0 };
                self.enter(at, if visible_at > at { StretchKind::Delayed } else { waits });
            }
            What::Appended { message, .. } if message == self.message => {
                self.enter(at, StretchKind::Waiting { receives: 0 });
            }
            What::Available { message, .. } if message == self.message => {
                self.enter(at, StretchKind::Waiting { receives: 0 });
            }
            What::Received { message, worker, count, until, .. } if message == self.message => {
                let held_until = None;
                self.enter(at, StretchKind::Hidden { worker, receive: count, until, held_until });
            }
            What::Extended { message, until, .. } if message == self.message => {
                self.move_end(until);
            }
            _ => self.returns(event),
        }
    }

    /// What comes after it was taken: back on offer, or to its end.
    fn returns(&mut self, event: &TraceEvent) {
        let at = event.at;
        match event.what {
            What::Lapsed { message, count, .. } | What::Requeued { message, count, .. }
                if message == self.message =>
            {
                self.enter(at, StretchKind::Waiting { receives: count });
            }
            What::Nacked { message, visible_at, .. } if message == self.message => {
                self.let_go(at, None);
                if visible_at > at {
                    self.move_end(visible_at);
                } else if let Some(StretchKind::Hidden { receive, .. }) = self.kind() {
                    self.enter(at, StretchKind::Waiting { receives: receive });
                }
            }
            What::Redriven { message, .. } if message == self.message => {
                self.enter(at, StretchKind::Waiting { receives: 0 });
            }
            What::Duplicated { message, .. } if message == self.message => {
                if let Some(StretchKind::Hidden { receive, .. }) = self.kind() {
                    self.enter(at, StretchKind::Waiting { receives: receive });
                }
            }
            What::ReceiveLost { message, worker, count, until, .. } if message == self.message => {
                let (until, held_until) = (Some(until), Some(at));
                self.enter(at, StretchKind::Hidden { worker, receive: count, until, held_until });
            }
            What::Misplaced { message, .. } if message == self.message => {
                self.enter(at, StretchKind::Expired);
            }
            What::Acked { message, .. } | What::Forgotten { message, .. }
                if message == self.message =>
            {
                self.enter(at, StretchKind::Acked);
            }
            What::DeadLettered { message, .. } if message == self.message => {
                self.enter(at, StretchKind::DeadLettered);
            }
            What::Expired { message, .. } | What::Dropped { message, .. }
                if message == self.message =>
            {
                self.enter(at, StretchKind::Expired);
            }
            other => self.note(at, other),
        }
    }

    fn note(&mut self, at: SimTime, what: What) {
        let mark = match what {
            What::Crashed { worker, .. } => {
                if !self.let_go(at, Some(worker)) {
                    return;
                }
                Mark::HolderCrashed(worker)
            }
            What::Effected { message, nth, .. } if message == self.message => {
                Mark::Effected { nth }
            }
            What::AckRefused { message, worker, .. } if message == self.message => {
                Mark::AckRefused(worker)
            }
            What::AckLost { message, worker, .. } if message == self.message => {
                self.let_go(at, Some(worker));
                Mark::AckLost(worker)
            }
            What::Poisoned { message } if message == self.message => Mark::Poisoned,
            What::Lost { message } | What::LostToGroup { message, .. }
                if message == self.message =>
            {
                Mark::Lost
            }
            _ => return,
        };
        self.marks.push((at, mark));
    }

    fn kind(&self) -> Option<StretchKind> {
        self.stretches.last().map(|stretch| stretch.kind)
    }

    fn enter(&mut self, at: SimTime, kind: StretchKind) {
        if let Some(last) = self.stretches.last_mut() {
            last.to = at;
        }
        self.stretches.push(Stretch { kind, from: at, to: at });
    }

    /// What was on its way is so no longer. A message that a queue has is none of that.
    fn leave_for(&mut self, at: SimTime, kind: StretchKind) {
        if self.kind() == Some(StretchKind::Published) {
            self.enter(at, kind);
        }
    }

    /// Whoever took it has let go of it, if that was `who` (anybody if `None`) and it was held.
    fn let_go(&mut self, at: SimTime, who: Option<WorkerId>) -> bool {
        match self.stretches.last_mut().map(|stretch| &mut stretch.kind) {
            Some(StretchKind::Hidden { worker, held_until: held @ None, .. })
                if who.is_none_or(|who| who == *worker) =>
            {
                *held = Some(at);
                true
            }
            _ => false,
        }
    }

    fn move_end(&mut self, to: SimTime) {
        if let Some(Stretch { kind: StretchKind::Hidden { until, .. }, .. }) =
            self.stretches.last_mut()
        {
            *until = Some(to);
        }
    }
}
