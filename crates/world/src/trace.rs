//! What happened, in order: the one vocabulary that every view, measure and property reads.
//!
//! A trace event is small and `Copy`; names are ids into the scenario's component list, message
//! numbers are positions in [`crate::Messages`]. An event says what a component *did or saw*, in
//! the field's words; it never says how it should be drawn or worded.

use broker::MessageId;
use patterns::retry::FailureClass;
use scenario::{ComponentId, StepIndex, limits};
use sim::SimTime;

use crate::{Caller, Receipt};

/// One process: a component of workers, or a service, and a position in it, from 0 (shown from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId {
    /// The component.
    pub component: ComponentId,
    /// Which of its instances, from 0.
    pub instance: u16,
}

/// How a step of a handler, or a request, came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It did what it says.
    Ok,
    /// A row with that key is there already.
    Conflict,
    /// No row fitted the condition.
    ZeroRows,
    /// The other side answered with an error of this class.
    Error(FailureClass),
    /// No answer within the step's own timeout.
    Timeout,
    /// The message can never succeed: the handler throws at the first step that reads it.
    Poison,
    /// The broker turned the request down (a stale receipt, a missing message).
    Refused,
}

/// Why an ack or a visibility change was turned down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The receipt has been superseded by a later receive.
    StaleReceipt,
    /// The message is no longer in the queue.
    NoSuchMessage,
    /// The channel of the delivery is closed.
    ChannelClosed,
    /// The change would take the hidden time past twelve hours since the receive.
    TooLong,
}

/// Why a message left its queue without an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Death {
    /// It was received too often.
    Receives,
    /// A consumer rejected it.
    Rejected,
    /// Its time to live ran out.
    Expired,
    /// The queue was at its limit.
    MaxLength,
    /// It came back more often than the delivery limit allows.
    DeliveryLimit,
    /// It would have gone round without end.
    Cycle,
    /// Nobody was there to take it.
    Unattended,
}

/// Why a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The scenario's `until` was reached.
    Until,
    /// Nothing is left that could happen.
    Quiet,
    /// A limit of `scenario::limits` was crossed; the name says which.
    Limit(&'static str),
}

/// One thing that happened, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TraceEvent {
    /// Virtual time since the start of the run.
    pub at: SimTime,
    /// What happened.
    pub what: What,
}

/// The things that can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are the nouns of the variant's sentence")]
pub enum What {
    /// A source sends a request about a message to a service.
    Requested { source: ComponentId, service: ComponentId, message: MessageId },
    /// A service answers the source.
    Responded { service: ComponentId, source: ComponentId, message: MessageId, status: u16 },
    /// A publish call leaves its caller; nothing is promised yet.
    Published { by: ComponentId, queue: ComponentId, message: MessageId },
    /// The broker has committed the message. It is on offer unless delayed until `visible_at`.
    Stored { queue: ComponentId, message: MessageId, visible_at: SimTime },
    /// The broker turned the message down.
    PublishRefused { queue: ComponentId, message: MessageId },
    /// The broker's confirm reaches the publisher.
    Confirmed { by: ComponentId, queue: ComponentId, message: MessageId },
    /// The broker's confirm is lost on the way: the publisher cannot know.
    ConfirmLost { by: ComponentId, queue: ComponentId, message: MessageId },
    /// A delayed message comes on offer.
    Available { queue: ComponentId, message: MessageId },
    /// A worker is handed a message; it is hidden from others until `until`, or until it is settled
    /// if there is no such time. `count` is the receive count.
    Received {
        queue: ComponentId,
        message: MessageId,
        worker: WorkerId,
        receipt: Receipt,
        count: u32,
        until: Option<SimTime>,
    },
    /// A worker starts a line of its handler.
    StepStarted { worker: WorkerId, message: MessageId, step: StepIndex },
    /// A worker finishes a line of its handler.
    StepEnded { worker: WorkerId, message: MessageId, step: StepIndex, outcome: Outcome },
    /// An external service carries out a call: the effect, which cannot be taken back.
    /// `nth` counts the effects for this message at this service, from 1.
    Effected { external: ComponentId, message: MessageId, caller: Caller, nth: u32 },
    /// An external service answers a call with an error, or is down.
    CallFailed { external: ComponentId, message: MessageId, caller: Caller },
    /// The broker accepts an ack and deletes the message.
    Acked { queue: ComponentId, message: MessageId, worker: WorkerId },
    /// The broker turns an ack down.
    AckRefused { queue: ComponentId, message: MessageId, worker: WorkerId, why: Refusal },
    /// An ack is lost on its way to the broker.
    AckLost { queue: ComponentId, message: MessageId, worker: WorkerId },
    /// A worker gives a message back; it is on offer again at `visible_at`.
    Nacked { queue: ComponentId, message: MessageId, worker: WorkerId, visible_at: SimTime },
    /// A worker moves the end of the hidden time.
    Extended { queue: ComponentId, message: MessageId, worker: WorkerId, until: SimTime },
    /// The broker turns a visibility change down.
    ExtendRefused { queue: ComponentId, message: MessageId, worker: WorkerId, why: Refusal },
    /// The visibility timeout ran out: the message is on offer again after `count` receives.
    Lapsed { queue: ComponentId, message: MessageId, count: u32 },
    /// The message is moved aside, or on to where dead letters go.
    DeadLettered { from: ComponentId, to: ComponentId, message: MessageId, count: u32, why: Death },
    /// The message died where nothing takes dead letters, or cannot reach them: it is gone.
    Dropped { queue: ComponentId, message: MessageId, why: Death },
    /// The message is back on offer after `count` receives, because its holder's connection is gone.
    Requeued { queue: ComponentId, message: MessageId, count: u32 },
    /// The broker forgets the message as soon as it has been sent.
    Forgotten { queue: ComponentId, message: MessageId, worker: WorkerId },
    /// The queue had a message with that deduplication id: it is confirmed and not stored.
    Deduplicated { queue: ComponentId, message: MessageId, original: MessageId },
    /// A message gets a copy of its own on its way to `to`.
    Copied { original: MessageId, copy: MessageId, to: ComponentId },
    /// Nothing wants the message, and it is dropped.
    Unrouted { topic: ComponentId, message: MessageId },
    /// Nothing wants the message, and its publisher is told.
    Returned { topic: ComponentId, message: MessageId },
    /// A worker asked for messages and got none.
    CameEmpty { queue: ComponentId, worker: WorkerId },
    /// Someone arms the next delivery of a queue to happen twice.
    DuplicateArmed { queue: ComponentId },
    /// The broker has lost a message that it had confirmed.
    Misplaced { queue: ComponentId, message: MessageId },
    /// Someone starts to take the messages of a queue back to another.
    RedriveBegan { from: ComponentId, to: ComponentId },
    /// A message is taken back, as a new one.
    Redriven { from: ComponentId, to: ComponentId, message: MessageId },
    /// Nothing is left to take back.
    RedriveEnded { from: ComponentId, messages: u32 },
    /// Of several consumers this one now gets everything.
    Activated { queue: ComponentId, worker: WorkerId },
    /// The broker closed a worker's channel, or ended its consumer.
    Disconnected { worker: WorkerId },
    /// Retention ran out: the message is deleted unseen.
    Expired { queue: ComponentId, message: MessageId },
    /// An operator emptied the queue.
    Purged { queue: ComponentId, messages: u32 },
    /// A request's connection breaks: the process that had it has died.
    Reset { service: ComponentId, source: ComponentId, message: MessageId },
    /// A process dies, with what it was holding, if anything.
    Crashed { worker: WorkerId, holding: Option<MessageId> },
    /// A process is back, with empty hands.
    Restarted { worker: WorkerId },
    /// A process stops making progress (a long collection, a frozen machine).
    Paused { worker: WorkerId, until: SimTime },
    /// A paused process goes on where it stood.
    Resumed { worker: WorkerId },
    /// A process's steps take `percent` hundredths of their time until `until`.
    Slowed { worker: WorkerId, percent: u32, until: SimTime },
    /// A slowed process is back to its own pace.
    Restored { worker: WorkerId },
    /// An external service stops answering until `until`.
    OutageBegan { external: ComponentId, until: SimTime },
    /// An external service answers again.
    OutageEnded { external: ComponentId },
    /// Someone arms the loss of the next ack of a worker.
    AckLossArmed { worker: WorkerId },
    /// Someone arms the loss of the next confirm of a queue.
    ConfirmLossArmed { queue: ComponentId },
    /// A message is made one that can never succeed.
    Poisoned { message: MessageId },
    /// Property `no message lost` is broken: no queue and no worker has it, and its work was not done.
    Lost { message: MessageId },
    /// An intervention had nothing to act on at its time.
    Ignored { intervention: u16 },
    /// The run is over.
    Ended { why: Ending },
}

/// The record of a run. It grows to `limits::TRACE_EVENTS` and no further.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: Vec<TraceEvent>,
    keep: Keep,
    seen: usize,
}

/// Whether a trace keeps what it is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Keep {
    #[default]
    Events,
    Count,
}

impl Trace {
    /// A trace that keeps every event.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A trace that only counts, for replaying what is recorded already and for sweeps.
    #[must_use]
    pub fn counting() -> Self {
        Self { keep: Keep::Count, ..Self::default() }
    }

    /// The events so far. Empty for a counting trace.
    #[must_use]
    pub fn events(&self) -> &[TraceEvent] {
        &self.events
    }

    /// How many events there have been.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seen
    }

    /// Whether nothing has happened yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen == 0
    }

    /// Whether the limit on its length has been reached.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.keep == Keep::Events && self.seen >= limits::TRACE_EVENTS.max
    }

    /// Forgets all but the first `len` events.
    pub fn truncate(&mut self, len: usize) {
        self.events.truncate(len);
        self.seen = self.seen.min(len);
    }

    pub(crate) fn push(&mut self, at: SimTime, what: What) {
        self.seen += 1;
        if self.keep == Keep::Events {
            self.events.push(TraceEvent { at, what });
        }
    }
}
