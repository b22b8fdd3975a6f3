//! A frame: everything a view may draw at one moment of virtual time, as plain data.
//!
//! A frame holds the *ends* of what is under way (a travel's departure and arrival, a ring's start
//! and deadline), not its progress. It is therefore true from its event until the next one, and a
//! view can move tokens between two events without asking for another.

mod database;
mod log;
mod relay;
mod saga;
mod schedule;

use broker::MessageId;
use scenario::{ComponentId, StepIndex};
use sim::{SimDuration, SimTime};
use world::{Outcome, WorkerId};

pub use database::{DatabaseFrame, RowFrame, TableFrame, Unsent};
pub use log::{GroupFrame, GroupStanding, LATEST, LaneFrame, LogFrame, ReadingFrame, Share};
pub use relay::{CourierFrame, Errand, RelayFrame};
pub use saga::{OrchestratorFrame, SagaFrame};
pub use schedule::{RunFrame, SchedulerFrame};

/// How many messages of one list a frame carries one by one; beyond that it only counts.
pub const SHOWN: usize = 64;

/// How many of the latest acked messages a frame carries.
pub const RECENT: usize = 12;

/// Everything a view may draw at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The moment.
    pub now: SimTime,
    /// How many trace events have happened, which is also the position of the next one.
    pub events: usize,
    /// One entry a component, in the scenario's order (index with `ComponentId::index`).
    pub components: Vec<ComponentFrame>,
    /// Every message that this frame shows anywhere, in order of number. Look one up with
    /// [`Frame::message`]; a long run has many more.
    pub messages: Vec<MessageFrame>,
    /// What is on its way along an edge.
    pub travels: Vec<Travel>,
}

impl Frame {
    /// The message with this number, if the frame shows it.
    #[must_use]
    pub fn message(&self, id: MessageId) -> Option<&MessageFrame> {
        self.messages.binary_search_by_key(&id, |m| m.id).ok().map(|i| &self.messages[i])
    }
}

/// One component at one moment.
#[derive(Clone, Debug, PartialEq)]
pub enum ComponentFrame {
    /// A source of requests.
    Source(SourceFrame),
    /// A service that answers requests.
    Service(ServiceFrame),
    /// A queue.
    Queue(QueueFrame),
    /// A log.
    Log(LogFrame),
    /// A topic.
    Topic(TopicFrame),
    /// A group of worker processes.
    Workers(WorkersFrame),
    /// A database.
    Database(DatabaseFrame),
    /// A relay.
    Relay(RelayFrame),
    /// An orchestrator.
    Orchestrator(OrchestratorFrame),
    /// A scheduler.
    Scheduler(SchedulerFrame),
    /// Somebody else's service.
    External(ExternalFrame),
}

/// A source at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFrame {
    /// Requests sent so far, retries not counted.
    pub sent: u32,
    /// What came of them, if it waits for answers.
    pub asked: AskedFrame,
    /// Requests it will have sent at the end, if its schedule is finite.
    pub total: Option<u32>,
    /// When the next one leaves, if any.
    pub next: Option<SimTime>,
}

/// What came of a source's requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedFrame {
    /// Requests sent again.
    pub retries: u32,
    /// Attempts whose answer did not come in time.
    pub timeouts: u32,
    /// Requests that it waits for, or will send again.
    pub open: u32,
    /// Requests answered with success while it waited.
    pub succeeded: u32,
    /// Requests given up.
    pub gave_up: u32,
    /// Successes that came when it waited for them no longer.
    pub late: u32,
}

/// A service at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceFrame {
    /// Requests being handled.
    pub busy: u32,
    /// Requests answered so far.
    pub answered: u32,
    /// Requests that wait for a process to have room.
    pub waiting: u32,
    /// Requests refused so far.
    pub refused: u32,
    /// One entry a process.
    pub instances: Vec<InstanceFrame>,
    /// The status of the last answer that has left.
    pub last_status: Option<u16>,
}

/// A process of a service at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceFrame {
    /// What it is doing.
    pub state: WorkerState,
    /// Step times are multiplied by this many hundredths until the time given.
    pub slowed: Option<(u32, SimTime)>,
    /// Requests it handles.
    pub busy: u32,
}

/// A topic at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicFrame {
    /// Messages published to it so far.
    pub published: u32,
    /// What queues got of these, the messages themselves included.
    pub copies: u32,
    /// Messages that nothing wanted.
    pub unrouted: u32,
}

/// Settings of a queue that a run can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InForce {
    /// How long a message that was taken is hidden.
    pub visibility: SimDuration,
    /// How often a message may be taken before it is moved aside, if that is limited.
    pub receives: Option<u32>,
}

/// A queue at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueFrame {
    /// What holds of its settings now, where they can be changed while a run goes on.
    pub in_force: Option<InForce>,
    /// On offer, the next one to be taken first; at most [`SHOWN`] of `available_total`.
    pub available: Vec<MessageId>,
    /// How many are on offer.
    pub available_total: u32,
    /// Stored but not yet on offer, with the time at which each will be.
    pub delayed: Vec<(MessageId, SimTime)>,
    /// Hidden: taken and neither acked nor lapsed, by number; at most [`SHOWN`].
    pub in_flight: Vec<InFlight>,
    /// How many are hidden.
    pub in_flight_total: u32,
    /// The latest acked and deleted, oldest first; at most [`RECENT`] of `acked_total`.
    pub acked: Vec<MessageId>,
    /// How many have been acked.
    pub acked_total: u32,
    /// How many have been moved from here to the dead-letter queue.
    pub dead_lettered_total: u32,
    /// How many have been deleted by retention or purge.
    pub expired_total: u32,
    /// When the oldest message on offer was first sent.
    pub oldest_since: Option<SimTime>,
}

/// A hidden message.
#[derive(Clone, Debug, PartialEq)]
pub struct InFlight {
    /// Which.
    pub message: MessageId,
    /// When it was taken, or its hidden time last moved.
    pub since: SimTime,
    /// When it comes back on offer if nothing happens; `None` if the clock does not bring it back.
    pub until: Option<SimTime>,
    /// The worker that took it.
    pub taken_by: WorkerId,
    /// Whether that worker still works on this very delivery (false: it died, or forgot it).
    pub held: bool,
}

/// A group of worker processes at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkersFrame {
    /// One entry a process.
    pub instances: Vec<WorkerFrame>,
    /// Whether their handler has been mended while the run went on.
    pub mended: bool,
}

/// A worker process at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerFrame {
    /// What it is doing.
    pub state: WorkerState,
    /// What it holds, or held when it died (until it is back).
    pub holding: Option<Holding>,
    /// Step times are multiplied by this many hundredths until the time given.
    pub slowed: Option<(u32, SimTime)>,
    /// The next ack of this worker will be lost.
    pub ack_loss_armed: bool,
    /// The partitions that it reads, as far as it knows, if it reads a log.
    pub partitions: Vec<Share>,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// Waiting for a message.
    Idle,
    /// Running its handler on a message.
    Working,
    /// Frozen until the time given; it will go on where it stands.
    Paused {
        /// When it goes on.
        until: SimTime,
    },
    /// Not started, or stopped in order.
    Stopped,
    /// Dead; back at the time given, or never.
    Down {
        /// When it died.
        since: SimTime,
        /// When it is back.
        until: Option<SimTime>,
    },
}

/// A delivery in a worker's hands.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// Which message.
    pub message: MessageId,
    /// Which receive of it this is, from 1.
    pub attempt: u32,
    /// When the delivery started.
    pub started: SimTime,
    /// Where the handler stands. `None` while the delivery is on its way from the queue.
    pub step: Option<StepIndex>,
    /// When that step (or the delivery) began.
    pub step_started: SimTime,
    /// When it will end if nothing happens; for a dead worker, when it died.
    pub step_ends: SimTime,
    /// How each finished step of the handler came out, in the order of the program.
    pub done: Vec<(StepIndex, Outcome)>,
    /// The lines of the handler that are for messages of another type, as bits.
    pub passed_by: u64,
    /// Whether the broker would still honour an ack of this delivery.
    pub receipt_valid: bool,
}

/// Somebody else's service at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalFrame {
    /// Calls being carried out.
    pub busy: u32,
    /// Effects carried out so far.
    pub effects: u32,
    /// Down until the time given.
    pub outage_until: Option<SimTime>,
    /// Calls that wait for their turn.
    pub waiting: u32,
    /// Calls turned down for want of room.
    pub refused: u32,
    /// How much of its capacity is left, in hundredths, until the time given.
    pub brownout: Option<(u32, SimTime)>,
    /// The calls that fail, in a million, where that has been changed while the run went on.
    pub errors_per_million: Option<u32>,
}

/// The states of a message: four, and two ways out of the good path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageState {
    /// The producer has it on its way to the broker, or is still asking for it to be published.
    Published,
    /// On offer, never taken before (or delayed and not yet on offer).
    Available,
    /// Taken and hidden.
    InFlight,
    /// Acked and deleted.
    Acked,
    /// On offer again after at least one receive.
    Redelivered,
    /// Moved to the dead-letter queue.
    DeadLettered,
    /// Deleted by retention or purge.
    Expired,
}

/// One message at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageFrame {
    /// Its number from 0 (shown from 1).
    pub id: MessageId,
    /// The message that it is a copy of, if it is one.
    pub of: Option<MessageId>,
    /// Which of the run's ordering keys it carries, from 0, in order of first appearance.
    pub key: u16,
    /// Where it is in its life.
    pub state: MessageState,
    /// How often it has been received.
    pub receives: u32,
    /// Whether it can never succeed.
    pub poison: bool,
    /// Effects carried out for it.
    pub effects: u32,
    /// The queue it is in, if any.
    pub queue: Option<ComponentId>,
    /// Lost: in no queue, in no hands, and its work was not done.
    pub lost: bool,
}

/// Something on its way along an edge, linear in virtual time.
#[derive(Clone, Debug, PartialEq)]
pub struct Travel {
    /// The message it is about.
    pub message: MessageId,
    /// What it is.
    pub kind: TravelKind,
    /// The component it left.
    pub from: ComponentId,
    /// The component it goes to.
    pub to: ComponentId,
    /// Which worker process is at one end, if one is.
    pub worker: Option<WorkerId>,
    /// When it left.
    pub departed: SimTime,
    /// When it arrives.
    pub arrives: SimTime,
}

/// What travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TravelKind {
    /// A request from a source to a service.
    Request,
    /// A message on its way into a queue.
    Publish,
    /// A delivery on its way to a worker.
    Delivery,
    /// A call to an external service and its reply: out for the first half, back for the second.
    Call,
    /// An ack on its way to the queue.
    Ack,
}

impl Travel {
    /// How far along it is at `now`, from 0 to 1.
    #[must_use]
    pub fn progress(&self, now: SimTime) -> f64 {
        fraction(now, self.departed, self.arrives)
    }
}

/// Where `now` lies between `from` (0) and `to` (1), clamped.
#[must_use]
pub fn fraction(now: SimTime, from: SimTime, to: SimTime) -> f64 {
    let whole = to.saturating_since(from);
    if whole == SimDuration::ZERO {
        return 1.0;
    }
    let part = now.saturating_since(from).min(whole);
    part.as_secs_f64() / whole.as_secs_f64()
}
