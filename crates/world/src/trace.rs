//! What happened, in order: the one vocabulary that every view, measure and property reads.
//!
//! A trace event is small and `Copy`; names are ids into the scenario's component list, message
//! numbers are positions in [`crate::Messages`]. An event says what a component *did or saw*, in
//! the field's words; it never says how it should be drawn or worded.

mod why;

use broker::MessageId;
use broker::log::{Offset, PartitionId};
use patterns::retry::FailureClass;
use scenario::{ComponentId, Patch, Skew, StepIndex, limits};
use sim::{SimDuration, SimTime};

use crate::{Caller, Direction, Place, Receipt, SagaEnd};

pub use why::{Cause, Death, Did, Expulsion, Reason, Refusal, Scope};

/// One process: a component of workers, or a service, and a position in it, from 0 (shown from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId {
    /// The component.
    pub component: ComponentId,
    /// Which of its instances, from 0.
    pub instance: u16,
}

/// A line of a handler: whose, which of its handlers, and which line of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId {
    /// The workers, or the service.
    pub component: ComponentId,
    /// Which of a service's handlers, in document order; workers have one.
    pub handler: u16,
    /// Which line.
    pub step: StepIndex,
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

/// The states of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BreakerState {
    /// Calls go through.
    Closed,
    /// Calls are refused.
    Open,
    /// A few calls go through to see how it goes.
    HalfOpen,
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

/// A group that reads a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId {
    /// The log.
    pub log: ComponentId,
    /// The first workers component that names the group.
    pub reader: ComponentId,
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
    /// A service or an external one turns away what is of this class, because it is too full for it.
    Shed { at: ComponentId, message: MessageId, class: u8 },
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
    Effected { external: ComponentId, message: MessageId, caller: Caller, line: LineId, nth: u32 },
    /// An external service answers a call with an error, or is down.
    CallFailed { external: ComponentId, message: MessageId, caller: Caller, line: LineId },
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
    /// Someone arms the loss of the answer to a worker's next receive.
    ReceiveLossArmed { worker: WorkerId },
    /// The queue has handed a message out, and the answer did not get through: it is hidden until
    /// `until`, and nobody has it.
    ReceiveLost {
        queue: ComponentId,
        message: MessageId,
        worker: WorkerId,
        count: u32,
        until: SimTime,
    },
    /// A worker asked for messages and got none.
    CameEmpty { queue: ComponentId, worker: WorkerId },
    /// Someone arms the next delivery of a queue to happen twice.
    DuplicateArmed { queue: ComponentId },
    /// The message is on offer again although it is out.
    Duplicated { queue: ComponentId, message: MessageId },
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
    /// Nobody answered this attempt of a source's request in time.
    TimedOut { source: ComponentId, message: MessageId, attempt: u32 },
    /// A source that waits hears of success.
    Answered { source: ComponentId, message: MessageId, attempt: u32 },
    /// Success comes to a source that no longer waits for it: the work was wasted.
    AnsweredLate { source: ComponentId, message: MessageId, attempt: u32 },
    /// What failed will be tried again: attempt `attempt`, at `at`.
    Retrying { by: ComponentId, message: MessageId, attempt: u32, at: SimTime },
    /// The retry budget is spent: there is no further attempt.
    RetryDenied { by: ComponentId, message: MessageId },
    /// There is no further attempt after so many.
    GaveUp { by: ComponentId, message: MessageId, attempts: u32 },
    /// A circuit breaker turned a call down before it was made.
    CallRefused { external: ComponentId, message: MessageId, caller: Caller },
    /// A circuit breaker of a component changes its state.
    BreakerTurned { by: ComponentId, state: BreakerState },
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
    /// A process's clock is off by this from now on.
    Skewed { worker: WorkerId, clock: Skew },
    /// A slowed process is back to its own pace.
    Restored { worker: WorkerId },
    /// An external service stops answering until `until`.
    OutageBegan { external: ComponentId, until: SimTime },
    /// An external service answers again.
    OutageEnded { external: ComponentId },
    /// An external service has `percent` hundredths of its capacity left until `until`.
    BrownoutBegan { external: ComponentId, percent: u32, until: SimTime },
    /// An external service has its whole capacity again.
    BrownoutEnded { external: ComponentId },
    /// A component is to have `to` processes, and had `from`.
    Scaled { component: ComponentId, from: u16, to: u16 },
    /// A process stops, with empty hands.
    Stopped { worker: WorkerId },
    /// A rolling restart begins.
    DeployBegan { component: ComponentId },
    /// A rolling restart is through.
    DeployEnded { component: ComponentId },
    /// A link between two components is cut until `until`.
    CutBegan { from: ComponentId, to: ComponentId, until: SimTime },
    /// A link is whole again.
    CutEnded { from: ComponentId, to: ComponentId },
    /// Something is lost on a link that is cut.
    LostOnTheWay { from: ComponentId, to: ComponentId, message: MessageId },
    /// A source sends at `percent` hundredths of its rate until `until`.
    SpikeBegan { source: ComponentId, percent: u32, until: SimTime },
    /// A source is back to its own rate.
    SpikeEnded { source: ComponentId },
    /// Someone arms the loss of the next ack of a worker.
    AckLossArmed { worker: WorkerId },
    /// Someone arms the death of whoever comes to a border between two lines next.
    CrashArmed { component: ComponentId, handler: u16, after_line: u16, message: Option<MessageId> },
    /// Someone arms the loss of the next confirm of a queue.
    ConfirmLossArmed { queue: ComponentId },
    /// A message is made one that can never succeed.
    Poisoned { message: MessageId },
    /// A setting of a component is another one from now on.
    Patched { component: ComponentId, patch: Patch },
    /// Property `no message lost` is broken: no queue and no worker has it, and its work was not done.
    Lost { message: MessageId },
    /// A log's leader has appended a record.
    Appended {
        by: ComponentId,
        log: ComponentId,
        message: MessageId,
        partition: PartitionId,
        offset: Offset,
    },
    /// A producer has sent a record again, and the log knows it by its numbers.
    RetryDeduplicated {
        log: ComponentId,
        message: MessageId,
        partition: PartitionId,
        offset: Offset,
    },
    /// A member of a group is handed a record. `count` is how often the group has read it.
    Fetched { group: GroupId, worker: WorkerId, message: MessageId, place: Place, count: u32 },
    /// A group has committed that it goes on from this offset.
    Committed { group: GroupId, partition: PartitionId, offset: Offset, worker: Option<WorkerId> },
    /// A group has turned a commit down: it has gone on without this member.
    CommitRefused { group: GroupId, worker: WorkerId },
    /// A group is to be divided anew. `worker`: who brought that about.
    RebalanceBegan { group: GroupId, why: Reason, worker: Option<WorkerId> },
    /// A group is divided anew.
    RebalanceEnded { group: GroupId, generation: u32, members: u32, took: SimDuration },
    /// A process joins a group, or joins it again.
    MemberJoined { group: GroupId, worker: WorkerId },
    /// A process leaves its group in order.
    MemberLeft { group: GroupId, worker: WorkerId },
    /// A group takes a member out.
    MemberExpired { group: GroupId, worker: WorkerId, cause: Expulsion },
    /// A group has no members any more.
    GroupEmptied { group: GroupId },
    /// A member works on a partition from now on.
    Assigned { group: GroupId, worker: WorkerId, partition: PartitionId, from: Offset },
    /// A partition goes from a member. `unfinished`: records it was handed and has not worked on;
    /// `again`: records that the next reader will read again.
    Revoked {
        group: GroupId,
        worker: WorkerId,
        partition: PartitionId,
        cause: Cause,
        unfinished: u32,
        again: u32,
    },
    /// What a group was to read is not there any more, and its policy says where it goes on.
    OffsetReset { group: GroupId, partition: PartitionId, from: Offset, to: Offset },
    /// A group that was empty for long has its offsets deleted.
    OffsetsExpired { group: GroupId },
    /// Somebody has a group read on from elsewhere.
    Rewound { group: GroupId, partition: PartitionId, to: Offset },
    /// A log deletes its oldest records and starts there now.
    Trimmed { log: ComponentId, partition: PartitionId, start: Offset, records: u32 },
    /// A marker in a log says how a transaction has ended: from here on, its records count, or do
    /// not.
    TransactionEnded { log: ComponentId, partition: PartitionId, offset: Offset, committed: bool },
    /// The leaders of a log's partitions have died, and followers go on with what they have: so many
    /// records are gone.
    FailedOver { log: ComponentId, records: u32 },
    /// A log removes a record because a later one has its key.
    Compacted { log: ComponentId, message: MessageId },
    /// A log has so many partitions now.
    PartitionsAdded { log: ComponentId, partitions: u32 },
    /// A share group has handed a record out as often as it may, and gives it up.
    Archived { group: GroupId, message: MessageId },
    /// Property `no message lost` is broken for a group: nobody in it does this record's work.
    LostToGroup { group: GroupId, message: MessageId, partition: PartitionId, offset: Offset },
    /// A statement has had its answer: so many rows were inserted, changed, deleted or read.
    Executed {
        database: ComponentId,
        table: u16,
        by: ComponentId,
        message: MessageId,
        did: Did,
        rows: u32,
        scope: Scope,
    },
    /// A statement waits for a row that another transaction holds.
    RowAwaited { database: ComponentId, by: ComponentId, message: MessageId },
    /// A transaction commits.
    RowsCommitted { database: ComponentId, by: ComponentId, message: MessageId },
    /// A transaction is rolled back: nothing of it remains.
    RowsRolledBack { database: ComponentId, by: ComponentId, message: MessageId },
    /// A participant of a two-phase commit has voted yes: it keeps its rows until it is told.
    Prepared { database: ComponentId, by: ComponentId, message: MessageId },
    /// The coordinator of a two-phase commit has died; a participant keeps its rows and cannot
    /// decide.
    InDoubt { database: ComponentId, by: ComponentId, message: MessageId },
    /// Property `no event without its change` is broken: a handler has published what it has not saved.
    Phantom { by: ComponentId, message: MessageId },
    /// Property `no change without its event` is broken: a handler has saved what it has not published.
    Untold { by: ComponentId, message: MessageId },
    /// A run of a scheduler is due; `late`: it was missed, or had to wait for another.
    RunDue { scheduler: ComponentId, message: MessageId, late: bool },
    /// So many runs do not take place, because another is running.
    RunsSkipped { scheduler: ComponentId, runs: u32 },
    /// So many runs were missed, and are not made up for.
    RunsMissed { scheduler: ComponentId, runs: u32 },
    /// A worker is through with a run.
    RunOver { scheduler: ComponentId, message: MessageId, worker: WorkerId },
    /// A worker is through with a run that is another's by now.
    RunStale { scheduler: ComponentId, message: MessageId, worker: WorkerId },
    /// Property `one runner` is broken: a worker begins while another is at work.
    TwoRunners { scheduler: ComponentId, worker: WorkerId, other: WorkerId },
    /// A conductor begins a saga.
    SagaBegan { orchestrator: ComponentId, message: MessageId },
    /// A conductor asks for a step of a saga, or for its compensation.
    SagaAsked {
        orchestrator: ComponentId,
        message: MessageId,
        step: u16,
        direction: Direction,
        attempt: u32,
    },
    /// An answer comes to a step that had been given up.
    SagaHeardLate { orchestrator: ComponentId, message: MessageId, step: u16 },
    /// A saga is over.
    SagaEnded { orchestrator: ComponentId, message: MessageId, end: SagaEnd },
    /// Property `saga coherent` is broken: what stands at the participants is neither all nor nothing.
    Incoherent { orchestrator: ComponentId, message: MessageId },
    /// A relay's process has marked so many events as published.
    Relayed { relay: WorkerId, rows: u32 },
    /// The time of so many rows is over, and they are gone.
    RowsExpired { database: ComponentId, table: u16, rows: u32 },
    /// What slots hold back of the write-ahead log has filled the disk: nothing can be written.
    DiskFull { database: ComponentId },
    /// There is room again.
    DiskFreed { database: ComponentId },
    /// An external service knows the key of a call, and answers as it did the first time.
    Replayed { external: ComponentId, message: MessageId, caller: Caller },
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

    /// The first `len` events, as a record of their own.
    #[must_use]
    pub fn up_to(&self, len: usize) -> Self {
        let kept = len.min(self.events.len());
        Self { events: self.events[..kept].to_vec(), keep: self.keep, seen: len.min(self.seen) }
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
