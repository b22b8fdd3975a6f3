//! Relays: processes that publish the events of an outbox, by asking the table or by reading the
//! write-ahead log. Every rule about cursors, claims and slots is in `patterns::outbox`.
//!
//! ```text
//!            its time has come                 rows            the last is published
//!   resting ───────────────────▶ asking ───────────────▶ publishing ──────────▶ marking
//!      ▲                            │ none, or another leads    │ refused          │
//!      └────────────────────────────┴───────────────────────────┴──────────────────┘
//! ```
//!
//! A process that dies between publishing and marking publishes again when it is back.

use broker::MessageId;
use patterns::database::{Lsn, Resumed, Wal};
use patterns::lease::LeaseServer;
use patterns::outbox::{Capture, Entry, Poll, Relay};
use scenario::{ComponentId, Kind, Reads, Rounds, Sharing};
use sim::{Rank, SimDuration, SimTime, Stream, Times};

use crate::database::User;
use crate::parts::{Part, Phase, Process};
use crate::taking::Publishing;
use crate::world::{Context, Event};
use crate::{Outcome, What, WorkerId, World};

/// A relay.
#[derive(Clone, Debug, Hash)]
pub struct RelayState {
    /// Its processes.
    pub couriers: Vec<Courier>,
    /// Events published and confirmed, repetitions included.
    pub published: u32,
    lease: Option<LeaseServer>,
}

/// A process of a relay.
#[derive(Clone, Debug, Hash)]
pub struct Courier {
    /// The process.
    pub process: Process,
    machine: Machine,
    /// What it is at.
    pub doing: Doing,
    /// When that began.
    pub since: SimTime,
    /// When that ends, if it is known.
    pub until: Option<SimTime>,
    entries: Vec<Entry>,
    ticket: u32,
}

#[derive(Clone, Debug, Hash)]
enum Machine {
    Table(Relay),
    Log(Capture, Option<Lsn>),
}

/// What a process of a relay is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Doing {
    /// It waits for its time, or for something to happen.
    Resting,
    /// It asks for events.
    Asking,
    /// It waits for rows that another holds.
    Waiting,
    /// It publishes.
    Publishing {
        /// Which of the events that it has got, from 0.
        at: usize,
        /// As which message.
        message: MessageId,
    },
    /// It marks what it has published.
    Marking,
}

impl RelayState {
    /// One whose processes do not run yet.
    pub(crate) fn new(spec: &scenario::Relay) -> Self {
        let lease = match &spec.reads {
            Reads::Table(Rounds { lease: Some(length), .. }) => Some(LeaseServer::new(*length)),
            _ => None,
        };
        Self { couriers: Vec::new(), published: 0, lease }
    }

    /// How many events of a log its process has not confirmed, and since when the oldest waits.
    #[must_use]
    pub fn unread(&self, wal: &Wal) -> (usize, Option<SimTime>) {
        let Some(Machine::Log(capture, _)) = self.couriers.first().map(|courier| &courier.machine)
        else {
            return (0, None);
        };
        let mut capture = *capture;
        capture.crash(wal);
        let (mut count, mut since) = (0, None);
        while let Some(captured) = capture.next(wal) {
            count += captured.entries.len();
            since = since.or(Some(captured.committed_at));
        }
        (count, since)
    }

    pub(crate) fn at_rest(&self) -> bool {
        self.couriers.iter().all(|courier| {
            let dead = matches!(courier.process.phase, Phase::Down { until: None, .. });
            dead || courier.doing == Doing::Resting && courier.until.is_none()
        })
    }
}

impl Courier {
    /// How many events it has got and not marked.
    #[must_use]
    pub fn holds(&self) -> usize {
        self.entries.len()
    }
}

impl World {
    /// The processes of a relay begin, once its database is there.
    pub(crate) fn start_relay(&mut self, id: ComponentId, spec: &scenario::Relay, seed: u64) {
        let state = self.database_mut(spec.outbox.database);
        let Some(outbox) = state.tables[usize::from(spec.outbox.table)].outbox else { return };
        for instance in 0..spec.count {
            let machine = match &spec.reads {
                Reads::Table(polling) => {
                    let relay = Relay::new(outbox, polling.cursor, polling.batch);
                    Machine::Table(match polling.sharing {
                        Sharing::Any => relay,
                        Sharing::ByKey => relay.share(u32::from(instance), u32::from(spec.count)),
                    })
                }
                Reads::Log { .. } => {
                    let engine = &mut self.database_mut(spec.outbox.database).engine;
                    Machine::Log(Capture::create(outbox, engine), None)
                }
            };
            let index = id.index() as u64;
            let stream = Stream::new(seed, "relay", index << 16 | u64::from(instance));
            let courier = Courier {
                process: Process::new(stream),
                machine,
                doing: Doing::Resting,
                since: SimTime::ZERO,
                until: None,
                entries: Vec::new(),
                ticket: 0,
            };
            self.relay_mut(id).couriers.push(courier);
            self.courier_rests(WorkerId { component: id, instance }, spec);
        }
    }

    /// A process waits for its time, or, if there is nothing that could be its, for a change.
    fn courier_rests(&mut self, id: WorkerId, spec: &scenario::Relay) {
        let now = self.now;
        let database = spec.outbox.database;
        let table = usize::from(spec.outbox.table);
        let at = match &spec.reads {
            Reads::Table(polling) => {
                let busy = self.database_mut(database).has_work(table);
                busy.then(|| next_tick(now, polling.every))
            }
            Reads::Log { lag, .. } if self.has_more_to_read(id, database) => Some(now + *lag),
            Reads::Log { heartbeat, .. } => heartbeat.map(|beat| now + beat),
        };
        self.courier_does(id, Doing::Resting, at);
    }

    /// Whether the log has events that a process has not read.
    fn has_more_to_read(&mut self, id: WorkerId, database: ComponentId) -> bool {
        let Machine::Log(mut capture, _) = self.courier_mut(id).machine.clone() else {
            return false;
        };
        capture.next(self.database_mut(database).engine.wal()).is_some()
    }

    fn courier_does(&mut self, id: WorkerId, doing: Doing, until: Option<SimTime>) {
        let (now, ticket) = (self.now, self.ticket());
        let courier = self.courier_mut(id);
        (courier.doing, courier.since, courier.until) = (doing, now, until);
        courier.ticket = ticket;
        if let Some(at) = until {
            self.schedule(at, Rank::Timer, Event::Courier { worker: id, ticket });
        }
    }

    fn courier_takes(&mut self, id: WorkerId, doing: Doing, times: &Times) {
        let now = self.now;
        let process = &mut self.courier_mut(id).process;
        let takes = times.sample(&mut process.stream);
        let until = now + process.scaled(now, takes);
        self.courier_does(id, doing, Some(until));
    }

    /// Something has ended in a database: relays that rest have something to look for.
    pub(crate) fn relays_hear(&mut self, cx: &Context, database: ComponentId) {
        for (id, component) in cx.scenario.ids() {
            let Kind::Relay(spec) = &component.kind else { continue };
            if spec.outbox.database != database {
                continue;
            }
            for instance in 0..spec.count {
                let worker = WorkerId { component: id, instance };
                let courier = self.courier_mut(worker);
                let idle = courier.doing == Doing::Resting && courier.process.runs();
                let until = courier.until;
                match spec.reads {
                    Reads::Table(_) if idle && until.is_none() => self.courier_rests(worker, spec),
                    Reads::Log { lag, .. } if idle => {
                        let at = self.now + lag;
                        let sooner = until.is_none_or(|until| at < until);
                        if sooner && self.has_more_to_read(worker, database) {
                            self.courier_does(worker, Doing::Resting, Some(at));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// What a process of a relay is at has come to its end.
    #[inline(never)]
    pub(crate) fn courier_due(&mut self, cx: &mut Context, id: WorkerId, ticket: u32) {
        let courier = self.courier_mut(id);
        if courier.ticket != ticket || !courier.process.runs() {
            return;
        }
        let doing = courier.doing;
        let spec = relay_spec(cx, id);
        let latency = latency(cx, spec.outbox.database);
        match (doing, &spec.reads) {
            (Doing::Resting, Reads::Table(_)) => self.courier_takes(id, Doing::Asking, latency),
            (Doing::Resting | Doing::Asking, Reads::Log { .. }) => self.read_log(cx, id, spec),
            (Doing::Asking, Reads::Table(_)) => self.ask_table(cx, id, spec),
            (Doing::Publishing { at, message }, _) => {
                self.event_published(cx, id, spec, at, message);
            }
            (Doing::Marking, _) => self.mark(cx, id, spec),
            (Doing::Waiting, _) => {}
        }
    }

    fn ask_table(&mut self, cx: &mut Context, id: WorkerId, spec: &scenario::Relay) {
        let now = self.now;
        if let Some(lease) = &mut self.relay_mut(id.component).lease
            && lease.acquire(now, u32::from(id.instance)).is_err()
        {
            self.courier_sleeps(id, spec);
            return;
        }
        let database = spec.outbox.database;
        let Machine::Table(mut relay) = self.courier_mut(id).machine.clone() else { return };
        let poll = relay.poll(now, &mut self.database_mut(database).engine);
        if let Some(transaction) = relay.transaction() {
            self.database_mut(database).users.push((transaction, User::Relay(id)));
        }
        self.courier_mut(id).machine = Machine::Table(relay);
        self.polled(cx, id, spec, poll);
    }

    /// A poll that waited for rows goes on.
    pub(crate) fn poll_resumed(&mut self, cx: &mut Context, id: WorkerId, resumed: Resumed) {
        let spec = relay_spec(cx, id);
        let now = self.now;
        let Machine::Table(mut relay) = self.courier_mut(id).machine.clone() else { return };
        let engine = &mut self.database_mut(spec.outbox.database).engine;
        let poll = relay.resumed(now, engine, resumed.answer);
        self.courier_mut(id).machine = Machine::Table(relay);
        self.polled(cx, id, spec, poll);
    }

    fn polled(&mut self, cx: &mut Context, id: WorkerId, spec: &scenario::Relay, poll: Poll) {
        match poll {
            Poll::Batch(entries) => {
                self.courier_mut(id).entries = entries;
                self.publish_event(cx, id, spec, 0);
            }
            Poll::Empty => self.courier_sleeps(id, spec),
            Poll::Waits => self.courier_does(id, Doing::Waiting, None),
        }
    }

    /// Nothing was to be had: the process waits for its next time.
    fn courier_sleeps(&mut self, id: WorkerId, spec: &scenario::Relay) {
        if let Reads::Table(polling) = &spec.reads {
            let now = self.now;
            let state = self.database_mut(spec.outbox.database);
            let busy = state.has_work(usize::from(spec.outbox.table));
            let at = busy.then(|| next_tick(now, polling.every));
            self.courier_does(id, Doing::Resting, at);
        }
    }

    fn read_log(&mut self, cx: &mut Context, id: WorkerId, spec: &scenario::Relay) {
        let database = spec.outbox.database;
        self.others_write(cx, database);
        let courier = self.courier_mut(id);
        let Machine::Log(mut capture, _) = courier.machine.clone() else { return };
        let wal = self.database_mut(database).engine.wal_mut();
        let next = capture.next(wal);
        match next {
            Some(captured) => {
                let courier = self.courier_mut(id);
                courier.machine = Machine::Log(capture, Some(captured.end));
                courier.entries = captured.entries;
                self.publish_event(cx, id, spec, 0);
            }
            None => {
                capture.heartbeat(wal);
                self.courier_mut(id).machine = Machine::Log(capture, None);
                self.check_disk(cx, database);
                self.courier_rests(id, spec);
            }
        }
    }

    /// The event at a position leaves, or, behind the last, the process marks them all.
    fn publish_event(&mut self, cx: &mut Context, id: WorkerId, spec: &scenario::Relay, at: usize) {
        let Some(entry) = self.courier_mut(id).entries.get(at).copied() else {
            match &spec.reads {
                Reads::Table(_) => {
                    let latency = latency(cx, spec.outbox.database);
                    self.courier_takes(id, Doing::Marking, latency);
                }
                Reads::Log { .. } => self.mark(cx, id, spec),
            }
            return;
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was one")]
        let event = MessageId::from_index((entry.event - 1) as u32);
        let message = if self.messages[event].stored { self.copy_message(event) } else { event };
        self.emit(cx, What::Published { by: id.component, queue: spec.to, message });
        self.courier_takes(id, Doing::Publishing { at, message }, &spec.publish_takes);
    }

    fn event_published(
        &mut self,
        cx: &mut Context,
        id: WorkerId,
        spec: &scenario::Relay,
        at: usize,
        message: MessageId,
    ) {
        match self.store(cx, id.component, spec.to, message, None) {
            Publishing::Over(Outcome::Ok) => {
                self.relay_mut(id.component).published += 1;
                self.publish_event(cx, id, spec, at + 1);
            }
            Publishing::Again(until) => {
                self.courier_does(id, Doing::Publishing { at, message }, Some(until));
            }
            // It does not know: what it has got it gets again.
            Publishing::Over(_) => {
                self.courier_gives_up(cx, id, spec);
                self.courier_rests(id, spec);
            }
        }
    }

    /// Everything that it has got is published.
    fn mark(&mut self, cx: &mut Context, id: WorkerId, spec: &scenario::Relay) {
        let now = self.now;
        let database = spec.outbox.database;
        let rows = u32::try_from(self.courier_mut(id).entries.len()).unwrap_or(u32::MAX);
        self.courier_mut(id).entries = Vec::new();
        self.others_write(cx, database);
        let mut resumed = Vec::new();
        match self.courier_mut(id).machine.clone() {
            Machine::Table(mut relay) => {
                if let Some(transaction) = relay.transaction() {
                    self.database_mut(database).forget(transaction);
                }
                let engine = &mut self.database_mut(database).engine;
                relay.published(now, engine, &mut resumed);
                self.courier_mut(id).machine = Machine::Table(relay);
            }
            Machine::Log(capture, end) => {
                let wal = self.database_mut(database).engine.wal_mut();
                if let Some(end) = end {
                    capture.confirm(wal, end);
                }
                self.courier_mut(id).machine = Machine::Log(capture, None);
                self.check_disk(cx, database);
            }
        }
        self.emit(cx, What::Relayed { relay: id, rows });
        match &spec.reads {
            // A full batch says that there may be more.
            Reads::Table(polling) if rows == polling.batch => {
                self.courier_does(id, Doing::Resting, Some(now));
            }
            _ => self.courier_rests(id, spec),
        }
        self.rows_resumed(cx, database, resumed);
        self.rows_ended(cx, database);
    }

    /// What a process has got and not marked it has got no longer.
    fn courier_gives_up(&mut self, cx: &mut Context, id: WorkerId, spec: &scenario::Relay) {
        let now = self.now;
        let database = spec.outbox.database;
        let mut resumed = Vec::new();
        self.courier_mut(id).entries = Vec::new();
        match self.courier_mut(id).machine.clone() {
            Machine::Table(mut relay) => {
                if let Some(transaction) = relay.transaction() {
                    self.database_mut(database).forget(transaction);
                }
                relay.crash(now, &mut self.database_mut(database).engine, &mut resumed);
                self.courier_mut(id).machine = Machine::Table(relay);
            }
            Machine::Log(mut capture, _) => {
                capture.crash(self.database_mut(database).engine.wal());
                self.courier_mut(id).machine = Machine::Log(capture, None);
            }
        }
        self.rows_resumed(cx, database, resumed);
    }

    pub(crate) fn courier_dies(&mut self, cx: &mut Context, id: WorkerId) {
        self.emit(cx, What::Crashed { worker: id, holding: None });
        let spec = relay_spec(cx, id);
        self.courier_gives_up(cx, id, spec);
        self.courier_does(id, Doing::Resting, None);
    }

    pub(crate) fn courier_back(&mut self, cx: &Context, id: WorkerId) {
        self.courier_rests(id, relay_spec(cx, id));
    }

    /// A frozen process goes on where it stood.
    pub(crate) fn courier_awake(&mut self, cx: &Context, id: WorkerId, since: SimTime) {
        let now = self.now;
        let courier = self.courier_mut(id);
        courier.process.phase = Phase::Idle;
        let (doing, until) = (courier.doing, courier.until);
        match (doing, until) {
            (Doing::Resting, _) => self.courier_rests(id, relay_spec(cx, id)),
            (_, Some(until)) => {
                let frozen = now - since.max(courier.since);
                self.courier_does(id, doing, Some(until + frozen));
            }
            (_, None) => {}
        }
    }

    pub(crate) fn relay_mut(&mut self, id: ComponentId) -> &mut RelayState {
        match &mut self.parts[id.index()] {
            Part::Relay(state) => state,
            _ => unreachable!("validation makes it a relay"),
        }
    }

    pub(crate) fn courier_mut(&mut self, id: WorkerId) -> &mut Courier {
        &mut self.relay_mut(id.component).couriers[usize::from(id.instance)]
    }
}

/// The next time of a clock that ticks from the start of the run. What is there at a tick is seen by
/// it.
fn next_tick(now: SimTime, every: SimDuration) -> SimTime {
    let every = every.as_micros().max(1);
    SimTime::from_micros((now.as_micros() / every + 1) * every)
}

fn latency<'a>(cx: &Context<'a>, database: ComponentId) -> &'a Times {
    match &cx.scenario.component(database).kind {
        Kind::Database(spec) => &spec.latency,
        _ => unreachable!("validation makes it a database"),
    }
}

fn relay_spec<'a>(cx: &Context<'a>, id: WorkerId) -> &'a scenario::Relay {
    match &cx.scenario.component(id.component).kind {
        Kind::Relay(spec) => spec,
        _ => unreachable!("validation makes it a relay"),
    }
}
