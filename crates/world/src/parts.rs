//! The state of each kind of component, as plain data that the player may read.

use std::collections::VecDeque;

use broker::MessageId;
use patterns::autoscale::Autoscaler;
use patterns::fairness::Lanes;
use patterns::inbox::{IdempotencyKeys, Turn};
use patterns::overload::Shedding;
use scenario::{ComponentId, Replacing, Skew, StepIndex};
use sim::{ArrivalClock, SimDuration, SimTime, Stream};

use crate::queue::{Engine, Redrive};
use crate::retry::Guard;
use crate::{
    Activity, DatabaseState, Delivery, Item, LineId, LogState, OrchestratorState, RelayState,
    SchedulerState, TopicState, WorkerId,
};

/// The state of one component.
#[derive(Clone, Debug, Hash)]
pub enum Part {
    /// Of a source.
    Source(Box<SourceState>),
    /// Of a service.
    Service(ServiceState),
    /// Of a queue.
    Queue(Box<QueueState>),
    /// Of a log.
    Log(Box<LogState>),
    /// Of a topic.
    Topic(TopicState),
    /// Of a group of workers.
    Workers(WorkersState),
    /// Of a database.
    Database(Box<DatabaseState>),
    /// Of a relay.
    Relay(RelayState),
    /// Of an orchestrator.
    Orchestrator(Box<OrchestratorState>),
    /// Of a scheduler.
    Scheduler(Box<SchedulerState>),
    /// Of an external service.
    External(ExternalState),
}

/// A source.
#[derive(Clone, Debug, Hash)]
pub struct SourceState {
    /// Its schedule.
    pub(crate) clock: ArrivalClock,
    pub(crate) arrivals: Stream,
    pub(crate) travel: Stream,
    /// Which of its messages comes next, if they have shares.
    pub(crate) picks: Stream,
    pub(crate) reply: Stream,
    pub(crate) backoff: Stream,
    pub(crate) guard: Guard,
    pub(crate) pace: Pace,
    /// When the next one leaves by its schedule alone.
    pub(crate) scheduled: SimTime,
    /// The calendar event of the next departure.
    pub(crate) ticket: u32,
    /// Requests sent so far, retries not counted.
    pub sent: u32,
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
    /// When the next one leaves.
    pub next: Option<SimTime>,
}

/// How the time of a source's schedule goes by: at its own pace, or in a spike faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pace {
    /// A moment of the schedule.
    pub(crate) scheduled: SimTime,
    /// The same moment of the run.
    pub(crate) at: SimTime,
    /// How fast it goes from there on, in hundredths.
    pub(crate) percent: u32,
    /// When that is over, if it is not for good.
    pub(crate) until: Option<SimTime>,
}

impl Pace {
    pub(crate) const STEADY: Self =
        Self { scheduled: SimTime::ZERO, at: SimTime::ZERO, percent: 100, until: None };

    /// When a moment of the schedule comes.
    pub(crate) fn time_of(self, scheduled: SimTime) -> SimTime {
        if self.percent == 100 {
            return self.at + scheduled.saturating_since(self.scheduled);
        }
        let ahead = scheduled.saturating_since(self.scheduled).as_micros();
        self.at + SimDuration::from_micros(ahead.saturating_mul(100) / u64::from(self.percent))
    }

    /// The pace from now on.
    pub(crate) fn change(self, now: SimTime, percent: u32, until: Option<SimTime>) -> Self {
        let passed = now.saturating_since(self.at).mul_percent(self.percent);
        Self { scheduled: self.scheduled + passed, at: now, percent, until }
    }
}

/// A process: one worker, or one instance of a service.
#[derive(Clone, Debug, Hash)]
pub struct Process {
    /// What it is doing.
    pub phase: Phase,
    /// Its times are this many hundredths of what they were, until the time given.
    pub slowed: Option<(u32, SimTime)>,
    /// It stops once it has nothing in hand.
    pub retiring: Option<Retiring>,
    /// It is down because nobody has started it, or because it was stopped in order.
    pub stopped: bool,
    /// How far its clock is off.
    pub clock: Skew,
    pub(crate) stream: Stream,
}

/// A process that is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Retiring {
    /// How long it then takes to be back; `None`: it stays away.
    pub back_after: Option<SimDuration>,
}

/// A rolling restart on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Deploy {
    pub(crate) component: ComponentId,
    /// The process that is replaced after the one under way.
    pub(crate) next: u16,
    /// The one that is being replaced.
    pub(crate) awaited: Option<u16>,
    /// How long one is away.
    pub(crate) takes: SimDuration,
    pub(crate) how: Replacing,
}

/// A rule that scales, and what it remembers.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Watch {
    pub(crate) scaler: Autoscaler,
    /// How many messages had come when it last looked.
    pub(crate) came: u64,
}

impl Process {
    pub(crate) fn new(stream: Stream) -> Self {
        let (phase, clock) = (Phase::Idle, Skew::NONE);
        Self { phase, slowed: None, retiring: None, stopped: false, clock, stream }
    }

    pub(crate) fn with_clock(self, clock: Skew) -> Self {
        Self { clock, ..self }
    }

    /// Whether it makes progress.
    #[must_use]
    pub fn runs(&self) -> bool {
        matches!(self.phase, Phase::Idle | Phase::Working)
    }

    /// Whether it is dead.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        matches!(self.phase, Phase::Down { .. })
    }

    /// What a stretch of work takes at this process's pace.
    pub(crate) fn scaled(&self, now: SimTime, time: SimDuration) -> SimDuration {
        match self.slowed {
            Some((percent, until)) if now < until => time.mul_percent(percent),
            _ => time,
        }
    }
}

/// A service.
#[derive(Clone, Debug, Hash)]
pub struct ServiceState {
    /// Its processes.
    pub instances: Vec<Instance>,
    /// Requests that wait for a process to have room, the first to come first, by number.
    pub(crate) waiting: VecDeque<u32>,
    /// Requests being handled.
    pub busy: u32,
    /// Requests answered.
    pub answered: u32,
    /// Requests refused: no process ran, the waiting room was full, or too full for their class.
    pub refused: u32,
    /// Who is let in at which load.
    pub(crate) shedding: Shedding,
    /// The status of the last answer that has left.
    pub last_status: Option<u16>,
}

/// A process of a service.
#[derive(Clone, Debug, Hash)]
pub struct Instance {
    /// The process.
    pub process: Process,
    /// Requests it handles.
    pub busy: u32,
}

impl ServiceState {
    /// How many requests wait for a process to have room.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// How many of the latest acked messages a queue remembers.
const RECENT: usize = 12;

/// A queue and who waits at it.
#[derive(Clone, Debug, Hash)]
pub struct QueueState {
    /// The broker's part of it.
    pub(crate) engine: Engine,
    /// Idle workers, the one idle for longest first.
    pub(crate) waiting: VecDeque<WorkerId>,
    pub(crate) timer: Option<SimTime>,
    pub(crate) handing_out: bool,
    /// The next confirm will be lost.
    pub confirm_loss_armed: bool,
    /// The next delivery will happen twice.
    pub(crate) duplicate_armed: bool,
    /// Its messages are being taken back.
    pub(crate) redrive: Option<Redrive>,
    /// Messages taken back from here.
    pub redriven: u32,
    /// The latest acked messages, oldest first.
    pub recent_acked: VecDeque<MessageId>,
    /// Messages acked and deleted.
    pub acked: u32,
    /// Messages moved to the dead-letter queue.
    pub dead_lettered: u32,
    /// Messages deleted by retention or purge.
    pub expired: u32,
}

impl QueueState {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            engine,
            waiting: VecDeque::new(),
            timer: None,
            handing_out: false,
            confirm_loss_armed: false,
            duplicate_armed: false,
            redrive: None,
            redriven: 0,
            recent_acked: VecDeque::with_capacity(RECENT),
            acked: 0,
            dead_lettered: 0,
            expired: 0,
        }
    }

    pub(crate) fn note_acked(&mut self, message: MessageId) {
        if self.recent_acked.len() == RECENT {
            self.recent_acked.pop_front();
        }
        self.recent_acked.push_back(message);
        self.acked += 1;
    }
}

/// A group of worker processes.
#[derive(Clone, Debug, Hash)]
pub struct WorkersState {
    /// The processes.
    pub workers: Vec<Worker>,
    /// Which of their queues comes next, if there are several.
    pub(crate) lanes: Option<Lanes>,
    /// Their handler has been mended: it can read what cannot be read.
    pub mended: bool,
    /// The rule that says how many run.
    pub(crate) scaler: Option<Box<Watch>>,
    /// Which lines of the handler have had their effect, as bits, by event in order; where a handler
    /// keeps a record of what it has done.
    pub(crate) worked: Vec<(MessageId, u64)>,
}

/// A worker process.
#[derive(Clone, Debug, Hash)]
pub struct Worker {
    /// The process.
    pub process: Process,
    /// What it holds, or held when it died, until it is back.
    pub hands: Option<Hands>,
    /// Deliveries that it has been handed and has not begun.
    pub pending: VecDeque<Delivery>,
    /// Its next ack will be lost.
    pub ack_loss_armed: bool,
    /// The answer to its next receive will be lost.
    pub receive_loss_armed: bool,
    /// Deliveries of a batch that it has handled, until all of it is settled.
    pub batch: Vec<Item>,
    /// Counts polls, so that one that is over is not believed.
    pub(crate) polls: u32,
    /// Counts deliveries, so that a heartbeat knows whether its own is over.
    pub(crate) deliveries: u32,
}

impl Worker {
    pub(crate) fn new(stream: Stream) -> Self {
        Self {
            process: Process::new(stream),
            hands: None,
            pending: VecDeque::new(),
            ack_loss_armed: false,
            receive_loss_armed: false,
            batch: Vec::new(),
            polls: 0,
            deliveries: 0,
        }
    }
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Waiting for something to do.
    Idle,
    /// Running a handler.
    Working,
    /// Frozen.
    Paused {
        /// Since when.
        since: SimTime,
        /// When it goes on.
        until: SimTime,
    },
    /// Dead.
    Down {
        /// Since when.
        since: SimTime,
        /// When it is back, if ever.
        until: Option<SimTime>,
    },
}

/// A delivery in a worker's hands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hands {
    /// What was handed over.
    pub delivery: Delivery,
    /// The handler on its way through the message. Until its first line begins, the delivery is on
    /// its way from the queue.
    pub activity: Activity,
    /// An ack or nack has been sent: there is nothing left to give back.
    pub settled: bool,
}

/// What an effect is counted under: a line of a handler, and for whom it runs. Groups that read the
/// same log, and workers of different queues, each do their own work on a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Work {
    /// The service, the queue that the worker takes from, or the first component of its group.
    pub of: ComponentId,
    /// Which of its handlers.
    pub handler: u16,
    /// The line.
    pub step: StepIndex,
}

/// An external service.
#[derive(Clone, Debug, Hash)]
pub struct ExternalState {
    pub(crate) latency: Stream,
    pub(crate) errors: Stream,
    /// Calls being carried out.
    pub busy: u32,
    /// Effects carried out.
    pub effects: u32,
    /// Down until the time given.
    pub outage_until: Option<SimTime>,
    /// Part of it is gone until the time given.
    pub brownout: Option<Brownout>,
    /// The calls that fail, in a million, where that has been changed.
    pub errors_per_million: Option<u32>,
    /// Calls turned down for want of room.
    pub refused: u32,
    /// Who is let in at which load.
    pub(crate) shedding: Shedding,
    /// Calls that wait for their turn, the first to come first, by number.
    pub(crate) waiting: VecDeque<u32>,
    /// Calls that its servers carry out.
    pub(crate) serving: u32,
    /// When the next call is due, by its rate.
    pub(crate) due: SimTime,
    /// Effects by line of a handler, then by event.
    pub(crate) by_message: Effects,
    /// The keys of calls that it knows, if it looks at them.
    pub(crate) keys: Option<Box<IdempotencyKeys>>,
}

impl ExternalState {
    /// How many calls wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// How often the work on each event has had its effect.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Effects(Vec<(Work, Vec<u32>)>);

impl Effects {
    /// Counts one more effect of some work for an event and says how many that makes.
    pub(crate) fn note(&mut self, work: Work, message: MessageId) -> u32 {
        let known = self.0.iter().position(|(known, _)| *known == work);
        let at = known.unwrap_or_else(|| {
            self.0.push((work, Vec::new()));
            self.0.len() - 1
        });
        let counts = &mut self.0[at].1;
        if counts.len() <= message.index() {
            counts.resize(message.index() + 1, 0);
        }
        counts[message.index()] += 1;
        counts[message.index()]
    }
}

/// A call on its way to an external service, or being carried out there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The service: somebody else's, or one of our own.
    pub external: ComponentId,
    /// Who asked.
    pub caller: Caller,
    /// What it is about.
    pub message: MessageId,
    /// The line of the caller's handler.
    pub line: LineId,
    /// When it left.
    pub departed: SimTime,
    /// When it ends; the end of time while it waits for its turn.
    pub ends: SimTime,
    /// How it will end, as far as its turn goes.
    pub fate: Fate,
    /// The idempotency key that goes with it, and what the service knows of that.
    pub(crate) keyed: Option<(u64, Turn)>,
}

/// Whether a call has its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It waits.
    Waiting,
    /// It is carried out.
    Carried,
    /// It was lost on its way, or its answer was: it never ends.
    Lost,
    /// It is turned down.
    Refused {
        /// After which time it may come again, where that is told.
        wish: Option<SimDuration>,
    },
}

/// Part of a service is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Brownout {
    /// How much of the capacity is left, in hundredths.
    pub capacity_percent: u32,
    /// How long calls take, in hundredths of what they did.
    pub latency_percent: u32,
    /// When it is over.
    pub until: SimTime,
}

/// Who makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A worker process.
    Worker(WorkerId),
    /// A request being handled by a service, by its number.
    Request(u32),
}
