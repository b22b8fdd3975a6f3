//! Trace events as an exhibit names them: their kinds, and who takes part in them.

use broker::MessageId;
use scenario::ComponentId;
use world::{Caller, What, WorkerId};

macro_rules! kinds {
    ($($variant:ident = $word:literal,)*) => {
        /// The kinds of trace event: the variants of [`What`], by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each is the variant of `What` with the same name")]
        pub enum EventKind { $($variant,)* }

        impl EventKind {
            /// Every kind with its word in a pattern.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)*];

            /// The kind of an event.
            #[must_use]
            pub fn of(what: &What) -> Self {
                match what { $(What::$variant { .. } => Self::$variant,)* }
            }

            /// Its word in a pattern.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

kinds! {
    Requested = "requested",
    Responded = "responded",
    BrownoutBegan = "brownout_began",
    BrownoutEnded = "brownout_ended",
    Scaled = "scaled",
    Stopped = "stopped",
    DeployBegan = "deploy_began",
    DeployEnded = "deploy_ended",
    CutBegan = "cut_began",
    CutEnded = "cut_ended",
    LostOnTheWay = "lost_on_the_way",
    SpikeBegan = "spike_began",
    SpikeEnded = "spike_ended",
    TimedOut = "timed_out",
    Answered = "answered",
    AnsweredLate = "answered_late",
    Retrying = "retrying",
    RetryDenied = "retry_denied",
    GaveUp = "gave_up",
    CallRefused = "call_refused",
    BreakerTurned = "breaker_turned",
    Shed = "shed",
    Reset = "reset",
    Published = "published",
    Stored = "stored",
    PublishRefused = "publish_refused",
    Confirmed = "confirmed",
    ConfirmLost = "confirm_lost",
    Available = "available",
    Received = "received",
    StepStarted = "step_started",
    StepEnded = "step_ended",
    Effected = "effected",
    CallFailed = "call_failed",
    Acked = "acked",
    AckRefused = "ack_refused",
    AckLost = "ack_lost",
    Nacked = "nacked",
    Extended = "extended",
    ExtendRefused = "extend_refused",
    Lapsed = "lapsed",
    DeadLettered = "dead_lettered",
    Expired = "expired",
    Dropped = "dropped",
    Requeued = "requeued",
    Forgotten = "forgotten",
    Deduplicated = "deduplicated",
    Copied = "copied",
    Unrouted = "unrouted",
    Returned = "returned",
    CameEmpty = "came_empty",
    ReceiveLossArmed = "receive_loss_armed",
    ReceiveLost = "receive_lost",
    DuplicateArmed = "duplicate_armed",
    Duplicated = "duplicated",
    Misplaced = "misplaced",
    RedriveBegan = "redrive_began",
    Redriven = "redriven",
    RedriveEnded = "redrive_ended",
    Activated = "activated",
    Disconnected = "disconnected",
    Purged = "purged",
    Crashed = "crashed",
    Restarted = "restarted",
    Paused = "paused",
    Resumed = "resumed",
    Slowed = "slowed",
    Skewed = "skewed",
    Restored = "restored",
    OutageBegan = "outage_began",
    OutageEnded = "outage_ended",
    AckLossArmed = "ack_loss_armed",
    CrashArmed = "crash_armed",
    ConfirmLossArmed = "confirm_loss_armed",
    Poisoned = "poisoned",
    Patched = "patched",
    Lost = "lost",
    Appended = "appended",
    RetryDeduplicated = "retry_deduplicated",
    Fetched = "fetched",
    Committed = "committed",
    CommitRefused = "commit_refused",
    RebalanceBegan = "rebalance_began",
    RebalanceEnded = "rebalance_ended",
    MemberJoined = "member_joined",
    MemberLeft = "member_left",
    MemberExpired = "member_expired",
    GroupEmptied = "group_emptied",
    Assigned = "assigned",
    Revoked = "revoked",
    OffsetReset = "offset_reset",
    OffsetsExpired = "offsets_expired",
    Rewound = "rewound",
    Trimmed = "trimmed",
    TransactionEnded = "transaction_ended",
    FailedOver = "failed_over",
    Compacted = "compacted",
    PartitionsAdded = "partitions_added",
    Archived = "archived",
    LostToGroup = "lost_to_group",
    Executed = "executed",
    RowAwaited = "row_awaited",
    RowsCommitted = "rows_committed",
    RowsRolledBack = "rows_rolled_back",
    Prepared = "prepared",
    InDoubt = "in_doubt",
    Phantom = "phantom",
    Untold = "untold",
    Relayed = "relayed",
    RowsExpired = "rows_expired",
    DiskFull = "disk_full",
    DiskFreed = "disk_freed",
    SagaBegan = "saga_began",
    SagaAsked = "saga_asked",
    SagaHeardLate = "saga_heard_late",
    SagaEnded = "saga_ended",
    Incoherent = "incoherent",
    RunDue = "run_due",
    RunsSkipped = "runs_skipped",
    RunsMissed = "runs_missed",
    RunOver = "run_over",
    RunStale = "run_stale",
    TwoRunners = "two_runners",
    Replayed = "replayed",
    Ignored = "ignored",
    Ended = "ended",
}

/// Who takes part in an event, by part played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cast {
    /// The message it is about.
    pub message: Option<MessageId>,
    /// The worker process.
    pub worker: Option<WorkerId>,
    /// The queue that the message is in, comes to or leaves.
    pub queue: Option<ComponentId>,
    /// The queue that it goes to, if it leaves one for another.
    pub to: Option<ComponentId>,
    /// Somebody else's service, or a database.
    pub external: Option<ComponentId>,
    /// The service that answers or publishes.
    pub service: Option<ComponentId>,
    /// The source.
    pub source: Option<ComponentId>,
    /// The receive count, or how many messages were purged.
    pub count: Option<u32>,
    /// Which effect it is for this message at this external service, from 1.
    pub nth: Option<u32>,
}

impl Cast {
    /// The cast of an event.
    #[must_use]
    pub fn of(what: &What) -> Self {
        let none = Self::default();
        let (queue_of, worker_of) = (queue_of(what), worker_of(what));
        let mut cast =
            Self { message: message_of(what), queue: queue_of, worker: worker_of, ..none };
        match *what {
            What::Requested { source, service, .. }
            | What::Responded { service, source, .. }
            | What::Reset { service, source, .. } => {
                (cast.source, cast.service) = (Some(source), Some(service));
            }
            What::Published { by, .. }
            | What::Confirmed { by, .. }
            | What::ConfirmLost { by, .. }
            | What::Retrying { by, .. }
            | What::RetryDenied { by, .. }
            | What::GaveUp { by, .. }
            | What::Scaled { component: by, .. }
            | What::DeployBegan { component: by }
            | What::DeployEnded { component: by }
            | What::Phantom { by, .. }
            | What::Untold { by, .. }
            | What::SagaBegan { orchestrator: by, .. }
            | What::SagaAsked { orchestrator: by, .. }
            | What::SagaHeardLate { orchestrator: by, .. }
            | What::SagaEnded { orchestrator: by, .. }
            | What::Incoherent { orchestrator: by, .. }
            | What::BreakerTurned { by, .. } => cast.service = Some(by),
            What::Shed { at, class, .. } => {
                (cast.service, cast.count) = (Some(at), Some(u32::from(class)));
            }
            What::Received { count, .. }
            | What::Lapsed { count, .. }
            | What::Fetched { count, .. }
            | What::ReceiveLost { count, .. }
            | What::Requeued { count, .. } => cast.count = Some(count),
            What::Copied { to, .. } | What::RedriveBegan { to, .. } | What::Redriven { to, .. } => {
                cast.to = Some(to);
            }
            What::DeadLettered { to, count, .. } => {
                (cast.to, cast.count) = (Some(to), Some(count));
            }
            What::Effected { external, nth, .. } => {
                (cast.external, cast.nth) = (Some(external), Some(nth));
            }
            What::SpikeBegan { source, .. }
            | What::SpikeEnded { source }
            | What::TimedOut { source, .. }
            | What::Answered { source, .. }
            | What::AnsweredLate { source, .. } => cast.source = Some(source),
            What::CallFailed { external, .. }
            | What::CallRefused { external, .. }
            | What::BrownoutBegan { external, .. }
            | What::BrownoutEnded { external }
            | What::OutageBegan { external, .. }
            | What::OutageEnded { external }
            | What::Replayed { external, .. }
            | What::DiskFull { database: external }
            | What::DiskFreed { database: external } => cast.external = Some(external),
            What::Purged { messages, .. } | What::RedriveEnded { messages, .. } => {
                cast.count = Some(messages);
            }
            _ => cast.join_rows(what),
        }
        cast
    }

    /// Who takes part in an event of a database, a relay or a scheduler.
    fn join_rows(&mut self, what: &What) {
        let cast = self;
        match *what {
            What::Relayed { rows, .. } => cast.count = Some(rows),
            What::RowsExpired { database, rows, .. } => {
                (cast.external, cast.count) = (Some(database), Some(rows));
            }
            What::RunsSkipped { runs, .. } | What::RunsMissed { runs, .. } => {
                cast.count = Some(runs);
            }
            What::Executed { database, by, rows, .. } => {
                (cast.external, cast.service) = (Some(database), Some(by));
                cast.count = Some(rows);
            }
            What::RowAwaited { database, by, .. }
            | What::RowsCommitted { database, by, .. }
            | What::RowsRolledBack { database, by, .. }
            | What::Prepared { database, by, .. }
            | What::InDoubt { database, by, .. } => {
                (cast.external, cast.service) = (Some(database), Some(by));
            }
            _ => {}
        }
    }

    /// Whether a component takes part in any part.
    #[must_use]
    pub fn includes(&self, component: ComponentId) -> bool {
        let worker = self.worker.map(|worker| worker.component);
        [worker, self.queue, self.to, self.external, self.service, self.source]
            .contains(&Some(component))
    }
}

#[allow(clippy::too_many_lines, reason = "a table: the events that are about one message")]
fn message_of(what: &What) -> Option<MessageId> {
    match *what {
        What::CrashArmed { message, .. } => message,
        What::Requested { message, .. }
        | What::Responded { message, .. }
        | What::Reset { message, .. }
        | What::LostOnTheWay { message, .. }
        | What::TimedOut { message, .. }
        | What::Answered { message, .. }
        | What::AnsweredLate { message, .. }
        | What::Retrying { message, .. }
        | What::RetryDenied { message, .. }
        | What::GaveUp { message, .. }
        | What::CallRefused { message, .. }
        | What::Shed { message, .. }
        | What::Published { message, .. }
        | What::Stored { message, .. }
        | What::PublishRefused { message, .. }
        | What::Confirmed { message, .. }
        | What::ConfirmLost { message, .. }
        | What::Available { message, .. }
        | What::Received { message, .. }
        | What::StepStarted { message, .. }
        | What::StepEnded { message, .. }
        | What::Effected { message, .. }
        | What::CallFailed { message, .. }
        | What::Acked { message, .. }
        | What::AckRefused { message, .. }
        | What::AckLost { message, .. }
        | What::Nacked { message, .. }
        | What::Extended { message, .. }
        | What::ExtendRefused { message, .. }
        | What::Lapsed { message, .. }
        | What::DeadLettered { message, .. }
        | What::Expired { message, .. }
        | What::Dropped { message, .. }
        | What::Requeued { message, .. }
        | What::Forgotten { message, .. }
        | What::Deduplicated { message, .. }
        | What::Copied { copy: message, .. }
        | What::Unrouted { message, .. }
        | What::Returned { message, .. }
        | What::Duplicated { message, .. }
        | What::Misplaced { message, .. }
        | What::ReceiveLost { message, .. }
        | What::Redriven { message, .. }
        | What::Appended { message, .. }
        | What::RetryDeduplicated { message, .. }
        | What::Fetched { message, .. }
        | What::Compacted { message, .. }
        | What::Archived { message, .. }
        | What::LostToGroup { message, .. }
        | What::Executed { message, .. }
        | What::RowAwaited { message, .. }
        | What::RowsCommitted { message, .. }
        | What::RowsRolledBack { message, .. }
        | What::Prepared { message, .. }
        | What::InDoubt { message, .. }
        | What::Phantom { message, .. }
        | What::Untold { message, .. }
        | What::Replayed { message, .. }
        | What::SagaBegan { message, .. }
        | What::RunDue { message, .. }
        | What::RunOver { message, .. }
        | What::RunStale { message, .. }
        | What::SagaAsked { message, .. }
        | What::SagaHeardLate { message, .. }
        | What::SagaEnded { message, .. }
        | What::Incoherent { message, .. }
        | What::Poisoned { message }
        | What::Lost { message } => Some(message),
        What::Crashed { holding, .. } => holding,
        _ => None,
    }
}

fn worker_of(what: &What) -> Option<WorkerId> {
    match *what {
        What::Received { worker, .. }
        | What::StepStarted { worker, .. }
        | What::StepEnded { worker, .. }
        | What::Acked { worker, .. }
        | What::AckRefused { worker, .. }
        | What::AckLost { worker, .. }
        | What::Nacked { worker, .. }
        | What::Extended { worker, .. }
        | What::ExtendRefused { worker, .. }
        | What::Crashed { worker, .. }
        | What::Restarted { worker }
        | What::Stopped { worker }
        | What::Paused { worker, .. }
        | What::Resumed { worker }
        | What::Slowed { worker, .. }
        | What::Skewed { worker, .. }
        | What::Restored { worker }
        | What::Forgotten { worker, .. }
        | What::CameEmpty { worker, .. }
        | What::ReceiveLossArmed { worker }
        | What::ReceiveLost { worker, .. }
        | What::Activated { worker, .. }
        | What::Disconnected { worker }
        | What::Fetched { worker, .. }
        | What::CommitRefused { worker, .. }
        | What::MemberJoined { worker, .. }
        | What::MemberLeft { worker, .. }
        | What::MemberExpired { worker, .. }
        | What::Assigned { worker, .. }
        | What::Revoked { worker, .. }
        | What::Relayed { relay: worker, .. }
        | What::RunOver { worker, .. }
        | What::RunStale { worker, .. }
        | What::TwoRunners { worker, .. }
        | What::AckLossArmed { worker } => Some(worker),
        What::Committed { worker, .. } | What::RebalanceBegan { worker, .. } => worker,
        What::Effected { caller, .. } | What::CallFailed { caller, .. } => match caller {
            Caller::Worker(worker) => Some(worker),
            Caller::Request(_) => None,
        },
        _ => None,
    }
}

fn queue_of(what: &What) -> Option<ComponentId> {
    match *what {
        What::Published { queue, .. }
        | What::Stored { queue, .. }
        | What::PublishRefused { queue, .. }
        | What::Confirmed { queue, .. }
        | What::ConfirmLost { queue, .. }
        | What::Available { queue, .. }
        | What::Received { queue, .. }
        | What::Acked { queue, .. }
        | What::AckRefused { queue, .. }
        | What::AckLost { queue, .. }
        | What::Nacked { queue, .. }
        | What::Extended { queue, .. }
        | What::ExtendRefused { queue, .. }
        | What::Lapsed { queue, .. }
        | What::Expired { queue, .. }
        | What::Purged { queue, .. }
        | What::Dropped { queue, .. }
        | What::Requeued { queue, .. }
        | What::Forgotten { queue, .. }
        | What::Deduplicated { queue, .. }
        | What::CameEmpty { queue, .. }
        | What::ReceiveLost { queue, .. }
        | What::Activated { queue, .. }
        | What::DuplicateArmed { queue }
        | What::Duplicated { queue, .. }
        | What::Misplaced { queue, .. }
        | What::Copied { to: queue, .. }
        | What::Unrouted { topic: queue, .. }
        | What::Returned { topic: queue, .. }
        | What::RedriveBegan { from: queue, .. }
        | What::Redriven { from: queue, .. }
        | What::RedriveEnded { from: queue, .. }
        | What::ConfirmLossArmed { queue }
        | What::DeadLettered { from: queue, .. } => Some(queue),
        What::RunDue { scheduler: log, .. }
        | What::RunsSkipped { scheduler: log, .. }
        | What::RunsMissed { scheduler: log, .. }
        | What::RunOver { scheduler: log, .. }
        | What::RunStale { scheduler: log, .. }
        | What::TwoRunners { scheduler: log, .. }
        | What::Appended { log, .. }
        | What::RetryDeduplicated { log, .. }
        | What::TransactionEnded { log, .. }
        | What::FailedOver { log, .. }
        | What::Trimmed { log, .. }
        | What::Compacted { log, .. }
        | What::PartitionsAdded { log, .. } => Some(log),
        What::Fetched { group, .. }
        | What::Committed { group, .. }
        | What::CommitRefused { group, .. }
        | What::RebalanceBegan { group, .. }
        | What::RebalanceEnded { group, .. }
        | What::MemberJoined { group, .. }
        | What::MemberLeft { group, .. }
        | What::MemberExpired { group, .. }
        | What::GroupEmptied { group }
        | What::Assigned { group, .. }
        | What::Revoked { group, .. }
        | What::OffsetReset { group, .. }
        | What::OffsetsExpired { group }
        | What::Rewound { group, .. }
        | What::Archived { group, .. }
        | What::LostToGroup { group, .. } => Some(group.log),
        _ => None,
    }
}
