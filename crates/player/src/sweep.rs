//! The same scenario under many seeds: what a run comes to by chance.
//!
//! Runs are independent of one another, so that means have confidence intervals; what a single run
//! may come to is another question, and the middle nine tenths of the runs answer it.

use std::collections::VecDeque;
use std::sync::Arc;

use scenario::{Intervention, Property, Scenario};
use sim::short::OrderedMap as Map;
use sim::statistics::{Sample, Tally};
use sim::{SimDuration, SimTime};

use crate::{Finding, Gauge, Player, Progress, Series};

/// A line that is followed over the time of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The gauge.
    pub gauge: Gauge,
    /// How much it grows in each slice of so long, in place of its level.
    pub per: Option<SimDuration>,
}

/// What is to be known of the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Gauges at the end of each run.
    pub gauges: Vec<Gauge>,
    /// Lines over the time of each run.
    pub lines: Vec<Followed>,
    /// The last of the moments at which lines are read; they are evenly spaced from zero on. A run
    /// that ends before has its last levels there.
    pub until: SimTime,
}

/// At so many moments, and at zero, lines are read.
pub const MOMENTS: u32 = 100;

/// Single observations, one a run: their mean and how they are spread.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    tally: Tally,
    sample: Sample,
}

impl Spread {
    fn record(&mut self, value: f64) {
        self.tally.record(value);
        self.sample.record(value);
    }

    /// How many runs there were.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.sample.len()
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.tally.mean()
    }

    /// The 95 % confidence interval of the mean. `None` with fewer than two runs.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        let half = self.tally.half_width()?;
        Some((self.mean() - half, self.mean() + half))
    }

    /// From where to where the runs lie when one in twenty is left out at either end.
    #[must_use]
    pub fn middle(&self) -> Option<(f64, f64)> {
        self.sample.middle()
    }

    /// How many runs lie there.
    #[must_use]
    pub fn in_the_middle(&self) -> usize {
        self.middle().map_or(0, |middle| self.sample.within(middle))
    }
}

/// Runs of one scenario under the seeds 1, 2, 3 and so on, computed a bit at a time: here, or wherever
/// else somebody takes some of them to. What they come to is put together by their seeds, so that it is
/// the same whoever was faster.
#[derive(Debug)]
pub struct Sweep {
    scenario: Arc<Scenario>,
    interventions: Vec<Intervention>,
    wanted: Wanted,
    count: u32,
    done: u32,
    /// The run in hand.
    run: Option<Run>,
    /// The first seed that nobody has taken.
    next: u32,
    /// Seeds that somebody has taken and given back.
    back: Vec<u32>,
    /// What came of runs whose turn it is not yet, by seed.
    ahead: Map<u32, Vec<f64>>,
    gauges: Vec<Spread>,
    lines: Vec<Vec<Spread>>,
    held: Vec<u32>,
}

/// A run in hand: its seed, what is still to be read of it, and what has been.
#[derive(Debug)]
struct Run {
    seed: u32,
    player: Player,
    tasks: VecDeque<Task>,
    read: Vec<f64>,
}

/// Something to be read of a run that is over.
#[derive(Clone, Copy, Debug)]
enum Task {
    Gauge(usize),
    Line(usize),
    Property(usize),
}

impl Sweep {
    /// So many runs of a scenario with these interventions; none is computed yet.
    #[must_use]
    pub fn new(
        scenario: Arc<Scenario>,
        interventions: Vec<Intervention>,
        wanted: Wanted,
        count: u32,
    ) -> Self {
        let moments = MOMENTS as usize + 1;
        Self {
            gauges: vec![Spread::default(); wanted.gauges.len()],
            lines: vec![vec![Spread::default(); moments]; wanted.lines.len()],
            held: vec![0; scenario.properties.len()],
            scenario,
            interventions,
            wanted,
            count,
            done: 0,
            run: None,
            next: 1,
            back: Vec::new(),
            ahead: Map::default(),
        }
    }

    /// Computes on: at most so many events of the run in hand, or one thing that is to be known of
    /// it. Either takes a millisecond or so.
    pub fn advance(&mut self, budget: usize) -> Progress {
        if self.run.is_none() {
            self.run = self.take_seed().map(|seed| self.begin(seed));
        }
        let Some(run) = &mut self.run else { return self.progress() };
        if run.go_on(&self.wanted, &self.scenario.properties, budget) == Progress::Done
            && let Some(run) = self.run.take()
        {
            self.put(run.seed, run.read);
        }
        self.progress()
    }

    /// Whether there is nothing to compute here: others have what is left.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.run.is_none() && self.back.is_empty() && self.next > self.count
    }

    /// Takes a run that nobody has, by its seed.
    pub fn take_seed(&mut self) -> Option<u32> {
        self.back.pop().or_else(|| {
            let seed = self.next;
            self.next += u32::from(seed <= self.count);
            (seed <= self.count).then_some(seed)
        })
    }

    /// Gives a run back that was taken, undone.
    pub fn give_back(&mut self, seed: u32) {
        self.back.push(seed);
    }

    /// Puts in what came of the run with a seed, as [`Sweep::outcome`] tells it. False if it is not
    /// what could come of one, or nobody waits for it.
    pub fn put(&mut self, seed: u32, outcome: Vec<f64>) -> bool {
        let lines = self.lines.len() * (MOMENTS as usize + 1);
        let size = self.gauges.len() + lines + self.held.len();
        if seed <= self.done || seed > self.count || outcome.len() != size {
            return false;
        }
        self.ahead.insert(seed, outcome);
        while let Some(outcome) = self.ahead.remove(&(self.done + 1)) {
            self.record(&outcome);
            self.done += 1;
        }
        true
    }

    fn record(&mut self, outcome: &[f64]) {
        let lines = self.lines.iter_mut().flatten();
        let mut read = outcome.iter();
        for (spread, value) in self.gauges.iter_mut().chain(lines).zip(read.by_ref()) {
            spread.record(*value);
        }
        let told = &outcome[outcome.len() - self.held.len()..];
        for (held, value) in self.held.iter_mut().zip(told) {
            *held += u32::from(*value > 0.0);
        }
    }

    /// What comes of the run with a seed: gauges, lines moment by moment, and 1 for each property that
    /// holds. For [`Sweep::put`] of another with the same scenario and wishes.
    #[must_use]
    pub fn outcome(&self, seed: u32) -> Vec<f64> {
        let mut run = self.begin(seed);
        while run.go_on(&self.wanted, &self.scenario.properties, usize::MAX) == Progress::Running {}
        run.read
    }

    fn begin(&self, seed: u32) -> Run {
        let scenario = Scenario { seed: u64::from(seed), ..Scenario::clone(&self.scenario) };
        let player = Player::passing(scenario, self.interventions.clone());
        let each = (0..self.gauges.len()).map(Task::Gauge);
        let lines = (0..self.lines.len()).map(Task::Line);
        let properties = (0..self.held.len()).map(Task::Property);
        let tasks = each.chain(lines).chain(properties).collect();
        Run { seed, player, tasks, read: Vec::new() }
    }

    /// Whether all runs are done.
    #[must_use]
    pub fn progress(&self) -> Progress {
        if self.done >= self.count { Progress::Done } else { Progress::Running }
    }

    /// How many runs are done.
    #[must_use]
    pub fn done(&self) -> u32 {
        self.done
    }

    /// How many there are to be.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Leaves it at the runs that are done, from the first seed on.
    pub fn stop(&mut self) {
        self.run = None;
        self.back.clear();
        self.ahead = Map::default();
        self.count = self.done;
    }

    /// What is wanted.
    #[must_use]
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// The gauges at the end of the runs.
    #[must_use]
    pub fn gauges(&self) -> &[Spread] {
        &self.gauges
    }

    /// A line, moment by moment.
    #[must_use]
    pub fn line(&self, at: usize) -> &[Spread] {
        &self.lines[at]
    }

    /// In how many runs each property of the scenario held.
    #[must_use]
    pub fn held(&self) -> &[u32] {
        &self.held
    }
}

/// The moment with this number, of [`MOMENTS`].
#[must_use]
pub fn moment(until: SimTime, number: usize) -> SimTime {
    let micros = u128::from(until.as_micros()) * number as u128 / u128::from(MOMENTS);
    SimTime::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
}

impl Run {
    /// Computes it on, or reads one thing of it.
    fn go_on(&mut self, wanted: &Wanted, properties: &[Property], budget: usize) -> Progress {
        if self.player.progress() == Progress::Running {
            self.player.advance(budget);
            return Progress::Running;
        }
        match self.tasks.pop_front() {
            Some(Task::Gauge(at)) => {
                let end = self.player.end();
                self.read.push(self.player.gauge(wanted.gauges[at]).value_at(end));
            }
            Some(Task::Line(at)) => {
                read(&self.player, wanted.lines[at], wanted.until, &mut self.read);
            }
            Some(Task::Property(at)) => {
                let holds = self.player.judge(properties[at]) == Finding::Holds;
                self.read.push(f64::from(u8::from(holds)));
            }
            None => return Progress::Done,
        }
        Progress::Running
    }
}

fn read(player: &Player, line: Followed, until: SimTime, into: &mut Vec<f64>) {
    let end = player.end();
    let series: Series = player.gauge(line.gauge);
    let series = line.per.map_or_else(|| series.clone(), |slice| series.per(slice, until));
    for number in 0..=MOMENTS as usize {
        let at = moment(until, number);
        // A clock stands when the run is over; what is counted a slice is then none.
        let at = if line.per.is_some() { at } else { at.min(end) };
        into.push(series.value_at(at));
    }
}

#[cfg(test)]
mod tests;
