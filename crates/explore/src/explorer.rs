//! The work of an exploration, in slices.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use player::{Finding, Player, Progress as Computed};
use scenario::{Action, Intervention, Scenario};
use sim::SimTime;
use sim::short::OrderedMap as Map;
use world::{TraceEvent, What};

use crate::account::{Account, Difference, Origin, Origins};
use crate::points::{Point, points};
use crate::{Bounds, Cell, Guarantee, Matrix, Outcome, Witness};

/// How many events a run is computed on at once after its last crash.
const STRETCH: usize = 256;

/// Whether an exploration is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to try: call [`Explorer::advance`] again.
    Running,
    /// All is tried, or a bound is reached.
    Done,
}

/// An exploration under way.
#[derive(Clone, Debug)]
pub struct Explorer {
    /// The scenario as it was given, for links.
    scenario: Arc<Scenario>,
    bounds: Bounds,
    plain: Player,
    stage: Stage,
    matrix: Matrix,
    /// What came of each state that a run was in after its last crash.
    seen: Map<(u64, u64), usize>,
    differences: Vec<Difference>,
    counts: Counts,
}

/// What an exploration has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    runs: usize,
    states: usize,
    merged: usize,
    planned: Option<usize>,
    limit: Option<&'static str>,
}

#[derive(Clone, Debug)]
enum Stage {
    /// The undisturbed run is being computed.
    Undisturbed,
    /// Crashes are tried.
    Trying(Box<Trying>),
    Over,
}

#[derive(Clone, Debug)]
struct Trying {
    own: Account,
    origins_of_messages: Vec<Origin>,
    points: Vec<Point>,
    next: usize,
    /// The run of the point before `next`, and what follows it there.
    second: Option<Second>,
    trial: Option<Trial>,
}

/// The run of one crash, in which others are tried.
#[derive(Clone, Debug)]
struct Second {
    base: Player,
    points: Vec<Point>,
    next: usize,
}

/// A run that is being computed.
#[derive(Clone, Debug)]
struct Trial {
    point: Point,
    player: Player,
    strokes: Vec<Intervention>,
    /// When its last crash fell, once it has.
    fell: Option<SimTime>,
    /// The state after that, if it was not known.
    state: Option<(u64, u64)>,
}

impl Explorer {
    /// An exploration of a scenario. Its faults stay, its interventions are taken out. Nothing is
    /// computed yet.
    #[must_use]
    pub fn new(scenario: Scenario, bounds: Bounds) -> Self {
        let properties = scenario.properties.iter();
        let guarantees = properties.map(|&property| Guarantee { property, witness: None });
        let matrix = Matrix { guarantees: guarantees.collect(), ..Matrix::default() };
        let scenario = Arc::new(scenario);
        let plain = Player::with_interventions(Arc::clone(&scenario), Vec::new());
        Self {
            plain: plain.with_close_copies(),
            scenario,
            bounds,
            stage: Stage::Undisturbed,
            matrix,
            seen: Map::default(),
            differences: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// What has been found so far.
    #[must_use]
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The scenario that is explored, as it was given.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// How many runs have been tried, the undisturbed one aside.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.counts.runs
    }

    /// How many first crashes there are to try, once the undisturbed run is computed.
    #[must_use]
    pub fn planned(&self) -> Option<usize> {
        self.counts.planned
    }

    /// Leaves it at what has been tried.
    pub fn stop(&mut self) {
        self.stage = Stage::Over;
    }

    /// How many events of the calendar have been handled: each leaves a state behind.
    #[must_use]
    pub fn states(&self) -> usize {
        self.counts.states
    }

    /// How many runs came into a state that was known, and were not computed on.
    #[must_use]
    pub fn merged(&self) -> usize {
        self.counts.merged
    }

    /// The bound at which it stopped, if one did: `runs` or `states`.
    #[must_use]
    pub fn limit(&self) -> Option<&'static str> {
        self.counts.limit
    }

    /// Whether all is tried, or a bound is reached.
    #[must_use]
    pub fn progress(&self) -> Progress {
        if matches!(self.stage, Stage::Over) { Progress::Done } else { Progress::Running }
    }

    /// Goes on for at most about this many states.
    pub fn advance(&mut self, budget: usize) -> Progress {
        let end = self.counts.states.saturating_add(budget.max(1));
        while self.counts.states < end && self.progress() == Progress::Running {
            self.go_on((end - self.counts.states).min(STRETCH));
        }
        self.progress()
    }

    /// Goes on to the end.
    pub fn finish(&mut self) {
        while self.advance(usize::MAX) == Progress::Running {}
    }

    /// Does the next thing, for at most so many states.
    fn go_on(&mut self, most: usize) {
        if self.counts.states >= self.bounds.states {
            self.counts.limit = Some("states");
            self.stage = Stage::Over;
            return;
        }
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Undisturbed => {
                let progress = compute(&mut self.plain, most, &mut self.counts);
                self.stage = match progress {
                    Computed::Running => Stage::Undisturbed,
                    Computed::Done => self.begin(),
                };
            }
            Stage::Trying(mut trying) => {
                let goes_on = match trying.trial.take() {
                    Some(trial) => {
                        self.compute_on(&mut trying, trial, most);
                        true
                    }
                    None => self.choose(&mut trying),
                };
                if goes_on {
                    self.stage = Stage::Trying(trying);
                }
            }
            Stage::Over => {}
        }
    }

    /// The undisturbed run is there: what it breaks by itself, and where it can be crashed.
    fn begin(&mut self) -> Stage {
        let own = Account::of(&self.plain);
        for verdict in self.plain.verdicts() {
            let Finding::Broken { witness, .. } = verdict.finding else { continue };
            let at = self.plain.trace().get(witness).map_or(SimTime::ZERO, |event| event.at);
            let witness = Witness { interventions: Vec::new(), at, message: None };
            self.matrix.note(Outcome::Fine, &[verdict.property], &witness);
        }
        let points = points(&self.plain, &self.bounds, None);
        self.counts.planned = Some(points.len());
        let mut columns: Vec<_> = points.iter().map(|point| point.message).collect();
        sim::short::sort_by_key(&mut columns, |message| *message);
        columns.dedup();
        self.matrix.columns = columns;
        let messages = self.plain.head().messages();
        let origins = Origins::of(messages);
        Stage::Trying(Box::new(Trying {
            own,
            origins_of_messages: (0..messages.len()).map(|index| origins.at(index)).collect(),
            points,
            next: 0,
            second: None,
            trial: None,
        }))
    }

    /// Takes up the next run. False if there is none, or there may be no more.
    fn choose(&mut self, trying: &mut Trying) -> bool {
        let (base, point) = if let Some(second) = &mut trying.second {
            let Some(point) = second.points.get(second.next) else {
                trying.second = None;
                return true;
            };
            second.next += 1;
            (&second.base, point.clone())
        } else {
            let Some(point) = trying.points.get(trying.next) else { return false };
            trying.next += 1;
            (&self.plain, point.clone())
        };
        if self.counts.runs >= self.bounds.runs {
            self.counts.limit = Some("runs");
            return false;
        }
        self.counts.runs += 1;
        let player = base.branch(std::slice::from_ref(&point.stroke));
        let strokes = player.interventions().to_vec();
        trying.trial = Some(Trial { point, player, strokes, fell: None, state: None });
        true
    }

    /// Computes a run on: event by event until its last crash, then in stretches.
    fn compute_on(&mut self, trying: &mut Trying, mut trial: Trial, most: usize) {
        let stretch = if trial.fell.is_some() { most } else { 1 };
        let progress = compute(&mut trial.player, stretch, &mut self.counts);
        let fell = if trial.fell.is_none() { fall(&trial) } else { None };
        if fell.is_some() {
            trial.fell = fell;
            let state = state_of(&trial.player);
            if let Some(&known) = self.seen.get(&state) {
                self.counts.merged += 1;
                self.judge(trying, &trial, known);
                return;
            }
            trial.state = Some(state);
        }
        if progress == Computed::Running {
            trying.trial = Some(trial);
            return;
        }
        // A line of a service that the request did not come to.
        if trial.fell.is_none() {
            return;
        }
        let difference = trying.own.compare(&Account::of(&trial.player));
        self.differences.push(difference);
        let known = self.differences.len() - 1;
        if let Some(state) = trial.state {
            self.seen.insert(state, known);
        }
        self.judge(trying, &trial, known);
        if self.bounds.crashes > 1 && trial.strokes.len() == 1 {
            let points = points(&trial.player, &self.bounds, trial.fell);
            let base = trial.player;
            trying.second = Some(Second { base, points, next: 0 });
        }
    }

    /// Puts a run into its cell: that of its first crash.
    fn judge(&mut self, trying: &Trying, trial: &Trial, known: usize) {
        let difference = &self.differences[known];
        let at = trial.fell.unwrap_or(SimTime::ZERO);
        let interventions = trial.strokes.clone();
        let message = Some(trial.point.message);
        let witness = Witness { interventions, at, message };
        self.matrix.note(difference.outcome, &difference.broken, &witness);
        if trial.strokes.len() > 1 {
            return;
        }
        let first = &trial.point;
        let Some(&origin) = trying.origins_of_messages.get(first.message.index()) else { return };
        let share = trying.own.share(origin, difference);
        let cell = Cell {
            outcome: share.outcome,
            others: share.others,
            tried: 1,
            effects: share.effects,
            broken: difference.broken.clone(),
            limit: difference.limit,
            witness,
        };
        self.matrix.put(first.row, first.message, cell);
    }
}

/// Computes a run on, and counts what that costs.
fn compute(player: &mut Player, events: usize, counts: &mut Counts) -> Computed {
    let before = player.head().handled();
    let progress = player.advance(events);
    let handled = player.head().handled() - before;
    counts.states += usize::try_from(handled).unwrap_or(usize::MAX);
    progress
}

/// When the last crash of a run fell, once it has.
fn fall(trial: &Trial) -> Option<SimTime> {
    let stroke = trial.strokes.last()?;
    let Action::Crash { component, instance, border, .. } = stroke.action else { return None };
    let world = trial.player.head();
    let is_over = world.now() > stroke.at || world.ended().is_some();
    if world.armed() > 0 || border.is_none() && !is_over {
        return None;
    }
    let since = trial.player.trace().iter().rev().take_while(|event| event.at >= stroke.at);
    for event in since {
        match event.what {
            What::Crashed { worker, .. }
                if worker.component == component
                    && instance.is_none_or(|only| only == worker.instance)
                    && (border.is_some() || event.at == stroke.at) =>
            {
                return Some(event.at);
            }
            // What died before this was not its prey.
            What::CrashArmed { .. } => return None,
            _ => {}
        }
    }
    None
}

/// The state of a run, and the past that its verdict also rests on, as hashes. Together they have
/// 128 bits, so that two runs that differ are not taken for one.
fn state_of(player: &Player) -> (u64, u64) {
    let mut world = DefaultHasher::new();
    player.head().hash(&mut world);
    let mut past = DefaultHasher::new();
    let told = |event: &&TraceEvent| !matches!(event.what, What::CrashArmed { .. });
    player.trace().iter().filter(told).for_each(|event| event.hash(&mut past));
    (world.finish(), past.finish())
}
