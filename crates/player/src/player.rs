//! The player: a run that is computed once and kept, and a playhead on it.

use std::sync::Arc;

use scenario::{Action, Intervention, Scenario};
use sim::SimTime;
use world::{Ending, Plan, Trace, TraceEvent, What, World};

use crate::snapshots::{Change, Snapshots};
use crate::{Frame, project};

/// A run in hand.
#[derive(Clone, Debug)]
pub struct Player {
    scenario: Arc<Scenario>,
    interventions: Vec<Intervention>,
    plan: Plan,
    /// The world at the growing end of the run.
    head: World,
    trace: Trace,
    snapshots: Snapshots,
    /// The world at the playhead.
    cursor: World,
    position: SimTime,
    version: u64,
}

/// Whether the run is computed to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to compute: call [`Player::advance`] again.
    Running,
    /// The whole run is there.
    Done,
}

impl Player {
    /// A run of this scenario with the interventions that it comes with. Nothing is computed yet.
    #[must_use]
    pub fn new(scenario: impl Into<Arc<Scenario>>) -> Self {
        Self::of(scenario.into())
    }

    fn of(scenario: Arc<Scenario>) -> Self {
        // Built three times instead of copied: a page that shows a first picture needs no copies.
        Self {
            plan: Plan::of(&scenario),
            interventions: scenario.interventions.clone(),
            head: World::new(&scenario),
            trace: Trace::new(),
            snapshots: Snapshots::new(World::new(&scenario)),
            cursor: World::new(&scenario),
            position: SimTime::ZERO,
            version: 0,
            scenario,
        }
    }

    /// The same with other interventions than those that the scenario comes with.
    #[must_use]
    pub fn with_interventions(
        scenario: impl Into<Arc<Scenario>>,
        interventions: Vec<Intervention>,
    ) -> Self {
        let mut player = Self::of(scenario.into());
        player.interventions = interventions;
        player.plan = Plan::new(&player.scenario.faults, &player.interventions);
        player
    }

    /// The same, to be passed through once: it keeps no copies along the run, and seeking in it is
    /// slow.
    pub(crate) fn passing(scenario: Scenario, interventions: Vec<Intervention>) -> Self {
        let mut player = Self::with_interventions(scenario, interventions);
        player.snapshots.keep_none();
        player
    }

    /// The same with copies of the world close to each other, for whoever branches off often.
    #[must_use]
    pub fn with_close_copies(mut self) -> Self {
        self.snapshots.keep_close();
        self
    }

    /// Computes on, for at most this many events of the calendar.
    pub fn advance(&mut self, budget: usize) -> Progress {
        let mut left = budget;
        while left > 0 {
            let (handled, due) = (self.head.handled(), self.snapshots.next_due());
            if !self.head.advance(&mut self.trace, &self.plan, left, due) {
                return Progress::Done;
            }
            left -= (self.head.handled() - handled) as usize;
            self.snapshots.offer(&self.head, self.trace.len());
        }
        self.progress()
    }

    /// Computes to the end.
    pub fn finish(&mut self) {
        while self.advance(usize::MAX) == Progress::Running {}
    }

    /// Whether the run is computed to its end.
    #[must_use]
    pub fn progress(&self) -> Progress {
        match self.head.ended() {
            Some(_) => Progress::Done,
            None => Progress::Running,
        }
    }

    /// Why the run ended, once it is computed.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.head.ended()
    }

    /// When the run ends: known once it is computed, until then the scenario's `until`.
    #[must_use]
    pub fn end(&self) -> SimTime {
        match self.head.ended() {
            Some(_) => self.head.now(),
            None => self.scenario.until,
        }
    }

    /// What happened, in order.
    #[must_use]
    pub fn trace(&self) -> &[TraceEvent] {
        self.trace.events()
    }

    /// The scenario.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// What is done to the run beside the scenario's faults, in the order in which it was added.
    #[must_use]
    pub fn interventions(&self) -> &[Intervention] {
        &self.interventions
    }

    /// The world at the growing end.
    #[must_use]
    pub fn head(&self) -> &World {
        &self.head
    }

    /// Raised whenever the run has changed, so that what was derived from it can be kept until
    /// then.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Where the playhead stands.
    #[must_use]
    pub fn position(&self) -> SimTime {
        self.position
    }

    /// How many trace events have happened at the playhead.
    #[must_use]
    pub fn events_so_far(&self) -> usize {
        self.trace().partition_point(|event| event.at <= self.position)
    }

    /// Moves the playhead. Past the end it stands at the end; a run that is not computed so far is
    /// computed as far as needed.
    pub fn seek(&mut self, to: SimTime) {
        while self.head.next_time(&self.plan).is_some_and(|at| at <= to) {
            if self.advance(1) == Progress::Done {
                break;
            }
        }
        let to = to.min(self.end());
        let snapshot = self.snapshots.at_or_before(to);
        if self.cursor.now() > to || snapshot.world.now() > self.cursor.now() {
            self.cursor = snapshot.world.clone();
        }
        let mut trace = Trace::counting();
        while self.cursor.next_time(&self.plan).is_some_and(|at| at <= to) {
            self.cursor.step(&mut trace, &self.plan);
        }
        self.position = to;
    }

    /// Moves the playhead to the next instant at which something happens, or to the end.
    pub fn step_forward(&mut self) {
        let next = self.trace().get(self.events_so_far()).map_or(self.end(), |event| event.at);
        self.seek(next);
    }

    /// Moves the playhead to the last instant before it at which something happened, or to the
    /// start.
    pub fn step_back(&mut self) {
        let before = self.trace().partition_point(|event| event.at < self.position);
        let last = before.checked_sub(1).map_or(SimTime::ZERO, |index| self.trace()[index].at);
        self.seek(last);
    }

    /// Moves the playhead to the next event of a kind. False if there is none, and then the
    /// playhead stays.
    pub fn seek_next(&mut self, wanted: impl Fn(&What) -> bool) -> bool {
        let rest = &self.trace()[self.events_so_far()..];
        let Some(at) = rest.iter().find(|event| wanted(&event.what)).map(|event| event.at) else {
            return false;
        };
        self.seek(at);
        true
    }

    /// Everything that a view may draw at the playhead.
    #[must_use]
    pub fn frame(&self) -> Frame {
        project::frame(&self.cursor, self.position, self.events_so_far())
    }

    /// The world at the playhead.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.cursor
    }

    /// Does something to the run at the playhead. What lay after it is computed anew by
    /// [`Self::advance`]. Answers with its position in [`Self::interventions`].
    pub fn intervene(&mut self, action: Action) -> usize {
        let at = self.position;
        self.interventions.push(Intervention { at, action });
        self.rerun(Change::After(at));
        self.interventions.len() - 1
    }

    /// Takes an intervention back, and gives it out. `None` if there is no such one.
    pub fn take_back(&mut self, index: usize) -> Option<Intervention> {
        if index >= self.interventions.len() {
            return None;
        }
        let taken = self.interventions.remove(index);
        self.rerun(Change::From(taken.at));
        Some(taken)
    }

    /// Puts other interventions in place of all that are there.
    pub fn set_interventions(&mut self, interventions: Vec<Intervention>) {
        self.interventions = interventions;
        self.rerun(Change::From(SimTime::ZERO));
    }

    /// The same run with further interventions. What lies before the first of them is taken over
    /// and not computed again; the rest is for [`Self::advance`] to compute.
    #[must_use]
    pub fn branch(&self, more: &[Intervention]) -> Self {
        let interventions = [&self.interventions[..], more].concat();
        let plan = Plan::new(&self.scenario.faults, &interventions);
        let from = more.iter().map(|intervention| intervention.at).min();
        let start = self.snapshots.before(Change::After(from.unwrap_or(SimTime::MAX)));
        let mut snapshots = self.snapshots.anew();
        snapshots.offer(&start.world, start.events);
        Self {
            scenario: Arc::clone(&self.scenario),
            interventions,
            plan,
            head: start.world.clone(),
            trace: self.trace.up_to(start.events),
            cursor: snapshots.at_or_before(SimTime::ZERO).world.clone(),
            snapshots,
            position: SimTime::ZERO,
            version: 0,
        }
    }

    fn rerun(&mut self, change: Change) {
        self.plan = Plan::new(&self.scenario.faults, &self.interventions);
        let start = self.snapshots.rewind(change).clone();
        self.trace.truncate(start.events);
        self.head = start.world.clone();
        self.cursor = start.world;
        self.version += 1;
        let position = self.position;
        self.seek(position);
    }
}
