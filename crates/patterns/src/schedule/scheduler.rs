//! A scheduler over virtual time: a cron expression in a zone, a policy for overlaps, a rule for
//! what was missed.
//!
//! The caller is told what to start and stop, and tells when a run has ended. A scheduler that is
//! down is one that is not called; when it is called again it finds what it missed.

use sim::{SimDuration, SimTime};

use super::catch_up::CatchUp;
use super::civil::UnixTime;
use super::cron::Cron;
use super::overlap::{Busy, Overlap, Stop};
use super::zone::Zone;

/// How virtual time and the calendar go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clock {
    /// The moment at which the run starts.
    pub start: UnixTime,
    /// The zone that the schedule is read in.
    pub zone: Zone,
}

/// What a scheduler asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// Start a run.
    Start {
        /// Which time it is for: the key that makes a double start harmless.
        due: UnixTime,
        /// Whether that time is now.
        promptness: Promptness,
    },
    /// Stop the run that is running.
    Stop(Stop),
    /// So many runs do not take place, because another was running.
    Skipped(u32),
    /// So many runs were missed and are not made up for.
    Missed(u32),
}

/// Whether a run starts when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promptness {
    /// It does.
    OnTime,
    /// It had waited for another to end, or was missed.
    Late,
}

/// A scheduler of one job.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scheduler {
    cron: Cron,
    clock: Clock,
    overlap: Overlap,
    catch_up: CatchUp,
    /// Up to when it has looked.
    looked: UnixTime,
    next: Option<UnixTime>,
    buffer: Vec<UnixTime>,
    running: u32,
    stopping: bool,
}

/// How many missed times are looked at: a schedule of every second that slept for a day.
const MISSED_LIMIT: usize = 100_000;

impl Clock {
    /// The moment of a virtual time, in whole seconds.
    #[must_use]
    pub const fn unix(self, at: SimTime) -> UnixTime {
        UnixTime(self.start.0 + (at.as_micros() / 1_000_000) as i64)
    }

    /// The virtual time of a moment; the start for all that came before.
    #[must_use]
    pub const fn sim(self, at: UnixTime) -> SimTime {
        let since = at.0 - self.start.0;
        SimTime::from_secs(if since > 0 { since as u64 } else { 0 })
    }
}

impl Clock {
    /// The same, so many seconds ahead; below zero behind.
    #[must_use]
    pub const fn ahead_by(self, seconds: i64) -> Self {
        Self { start: UnixTime(self.start.0 + seconds), zone: self.zone }
    }
}

impl Scheduler {
    /// A scheduler that begins to look at the start of the run, that moment included.
    #[must_use]
    pub fn new(cron: Cron, clock: Clock, overlap: Overlap, catch_up: CatchUp) -> Self {
        let looked = UnixTime(clock.start.0 - 1);
        let next = cron.next(looked, clock.zone);
        Self {
            cron,
            clock,
            overlap,
            catch_up,
            looked,
            next,
            buffer: Vec::new(),
            running: 0,
            stopping: false,
        }
    }

    /// Its clock is put forward by so many seconds, or back if that is below zero. What is passed over
    /// counts as missed, and what has been looked at is not due a second time.
    pub const fn put_forward(&mut self, seconds: i64) {
        self.clock = self.clock.ahead_by(seconds);
    }

    /// When [`Scheduler::advance`] has something to do.
    #[must_use]
    pub fn next_deadline(&self) -> Option<SimTime> {
        self.next.map(|at| self.clock.sim(at))
    }

    /// Lets time pass: what fell due by now.
    pub fn advance(&mut self, now: SimTime, events: &mut Vec<Event>) {
        let unix = self.clock.unix(now);
        let mut missed = Vec::new();
        while let Some(due) = self.next.filter(|due| *due <= unix) {
            if missed.len() < MISSED_LIMIT {
                missed.push(due);
            }
            self.looked = due;
            self.next = self.cron.next(due, self.clock.zone);
        }
        if missed.is_empty() {
            return;
        }
        let chosen = self.catch_up.choose(&missed, unix);
        if chosen.len() < missed.len() {
            events.push(Event::Missed((missed.len() - chosen.len()) as u32));
        }
        self.buffer.extend(chosen);
        self.decide(unix, events);
    }

    /// A run has ended, by itself or because it was stopped.
    pub fn ended(&mut self, now: SimTime, events: &mut Vec<Event>) {
        self.running = self.running.saturating_sub(1);
        if self.running == 0 {
            self.stopping = false;
        }
        if !self.buffer.is_empty() {
            self.decide(self.clock.unix(now), events);
        }
    }

    /// How many runs are running.
    #[must_use]
    pub const fn running(&self) -> u32 {
        self.running
    }

    /// The times whose runs wait for another to end.
    #[must_use]
    pub fn waiting(&self) -> &[UnixTime] {
        &self.buffer
    }

    fn decide(&mut self, now: UnixTime, events: &mut Vec<Event>) {
        let busy = if self.running > 0 { Busy::Running } else { Busy::Idle };
        let due = std::mem::take(&mut self.buffer);
        let actions = self.overlap.decide(&due, busy);
        self.buffer = actions.buffer;
        if let Some(stop) = actions.stop.filter(|_| !self.stopping) {
            self.stopping = true;
            events.push(Event::Stop(stop));
        }
        for due in actions.overlapping.into_iter().chain(actions.start) {
            self.running += 1;
            let promptness = if due < now { Promptness::Late } else { Promptness::OnTime };
            events.push(Event::Start { due, promptness });
        }
        if actions.skipped > 0 {
            events.push(Event::Skipped(actions.skipped));
        }
    }
}

/// How long two runs overlap, if each takes `takes` and one begins every `period`.
#[must_use]
pub fn overlap_of(takes: SimDuration, period: SimDuration) -> SimDuration {
    takes.saturating_sub(period)
}
