//! The same scenario under many seeds: what a run comes to by chance.
//!
//! Runs are independent of one another, so that means have confidence intervals; what a single run
//! may come to is another question, and the middle nine tenths of the runs answer it.

use std::collections::VecDeque;
use std::sync::Arc;

use scenario::{Intervention, Scenario};
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

/// Runs of one scenario under the seeds 1, 2, 3 and so on, computed a bit at a time.
#[derive(Debug)]
pub struct Sweep {
    scenario: Arc<Scenario>,
    interventions: Vec<Intervention>,
    wanted: Wanted,
    count: u32,
    done: u32,
    /// The run in hand, and what is still to be read of it.
    run: Option<(Player, VecDeque<Task>)>,
    gauges: Vec<Spread>,
    lines: Vec<Vec<Spread>>,
    held: Vec<u32>,
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
        }
    }

    /// Computes on: at most so many events of the run in hand, or one thing that is to be known of
    /// it. Either takes a millisecond or so.
    pub fn advance(&mut self, budget: usize) -> Progress {
        if self.done >= self.count {
            return Progress::Done;
        }
        let (player, tasks) = self.run.get_or_insert_with(|| {
            let seed = u64::from(self.done) + 1;
            let scenario = Scenario { seed, ..Scenario::clone(&self.scenario) };
            let player = Player::passing(scenario, self.interventions.clone());
            let each = (0..self.gauges.len()).map(Task::Gauge);
            let lines = (0..self.lines.len()).map(Task::Line);
            let properties = (0..self.held.len()).map(Task::Property);
            (player, each.chain(lines).chain(properties).collect())
        });
        if player.progress() == Progress::Running {
            player.advance(budget);
            return Progress::Running;
        }
        match tasks.pop_front() {
            Some(Task::Gauge(at)) => {
                let end = player.end();
                self.gauges[at].record(player.gauge(self.wanted.gauges[at]).value_at(end));
            }
            Some(Task::Line(at)) => {
                read(player, self.wanted.lines[at], self.wanted.until, &mut self.lines[at]);
            }
            Some(Task::Property(at)) => {
                let finding = player.judge(self.scenario.properties[at]);
                self.held[at] += u32::from(finding == Finding::Holds);
            }
            None => {
                self.run = None;
                self.done += 1;
            }
        }
        self.progress()
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

    /// Leaves it at the runs that are done. One of which something has been read already is read
    /// to the end.
    pub fn stop(&mut self) {
        let read = |(player, _): &(Player, VecDeque<Task>)| player.progress() == Progress::Done;
        while self.run.as_ref().is_some_and(read) {
            self.advance(0);
        }
        self.run = None;
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

fn read(player: &Player, line: Followed, until: SimTime, into: &mut [Spread]) {
    let end = player.end();
    let series: Series = player.gauge(line.gauge);
    let series = line.per.map_or_else(|| series.clone(), |slice| series.per(slice, until));
    for (number, spread) in into.iter_mut().enumerate() {
        let at = moment(until, number);
        // A clock stands when the run is over; what is counted a slice is then none.
        let at = if line.per.is_some() { at } else { at.min(end) };
        spread.record(series.value_at(at));
    }
}

#[cfg(test)]
mod tests;
