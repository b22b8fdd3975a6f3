//! What a formula may call: the usual functions, and the engine's own formulas.
//!
//! | call | is |
//! | --- | --- |
//! | `gap(n, base, factor, cap)` | `patterns::retry::Backoff::ceiling`: seconds before retry n; a cap of 0 is none |
//! | `reach_least`, `reach_mean`, `reach_most` `(attempts, base, factor, cap, jitter)` | `Backoff::reach`, in seconds |
//! | `outlasts(outage, attempts, base, factor, cap, jitter)` | `Backoff::outlasts`, a chance |
//! | `waits(workers, arrivals, service)` | `sim::models::theory::erlang_c`: the chance to wait |
//! | `mean_wait(workers, arrivals, service)` | `sim::models::theory::mean_wait`, in seconds |
//! | `backlog(arrivals, capacity, seconds)` | `sim::models::theory::backlog` |
//! | `drain(backlog, arrivals, capacity)` | `sim::models::theory::drain`, in seconds |
//! | `moved(from, to)` | `broker::log::partitioner::moved_share` |
//!
//! The jitter is 0 for none, 1 for equal, 2 for full.

use broker::log::partitioner::moved_share;
use patterns::retry::reach::RETRIES_MAX;
use patterns::retry::{Backoff, Growth, Jitter};
use sim::SimDuration;
use sim::models::theory;

use super::Undefined;

/// A function by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Min,
    Max,
    Ceil,
    Floor,
    Round,
    Abs,
    Root,
    Gap,
    ReachLeast,
    ReachMean,
    ReachMost,
    Outlasts,
    Waits,
    MeanWait,
    Backlog,
    Drain,
    Moved,
}

/// Each with its name and what stands between its parentheses.
const ALL: [(Function, &str, &str); 17] = [
    (Function::Min, "min", "a, b, …"),
    (Function::Max, "max", "a, b, …"),
    (Function::Ceil, "ceil", "a"),
    (Function::Floor, "floor", "a"),
    (Function::Round, "round", "a"),
    (Function::Abs, "abs", "a"),
    (Function::Root, "sqrt", "a"),
    (Function::Gap, "gap", "n, base, factor, cap"),
    (Function::ReachLeast, "reach_least", "attempts, base, factor, cap, jitter"),
    (Function::ReachMean, "reach_mean", "attempts, base, factor, cap, jitter"),
    (Function::ReachMost, "reach_most", "attempts, base, factor, cap, jitter"),
    (Function::Outlasts, "outlasts", "outage, attempts, base, factor, cap, jitter"),
    (Function::Waits, "waits", "workers, arrivals, service"),
    (Function::MeanWait, "mean_wait", "workers, arrivals, service"),
    (Function::Backlog, "backlog", "arrivals, capacity, seconds"),
    (Function::Drain, "drain", "backlog, arrivals, capacity"),
    (Function::Moved, "moved", "from, to"),
];

/// The names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(_, name, _)| *name)
}

/// More servers, partitions or attempts than any sheet asks for.
const COUNT_MAX: f64 = 100_000.0;

impl Function {
    pub fn named(name: &str) -> Option<Function> {
        ALL.iter().find(|(_, other, _)| *other == name).map(|(function, ..)| *function)
    }

    fn entry(self) -> (&'static str, &'static str) {
        let found = ALL.iter().find(|(function, ..)| *function == self);
        found.map_or(("", ""), |(_, name, takes)| (name, takes))
    }

    /// Whether it takes so many numbers.
    pub fn takes(self, given: usize) -> bool {
        let wanted = self.entry().1.split(", ").count();
        match self {
            Function::Min | Function::Max => given >= 2,
            _ => given == wanted,
        }
    }

    /// How it is written.
    pub fn usage(self) -> String {
        let (name, takes) = self.entry();
        [name, "(", takes, ")"].concat()
    }

    /// How many steps its value takes, roughly.
    pub fn cost(self, given: &[f64]) -> usize {
        let counted = |at: usize| given.get(at).copied().and_then(count).unwrap_or(1);
        let steps = match self {
            Function::Waits
            | Function::MeanWait
            | Function::Gap
            | Function::ReachLeast
            | Function::ReachMean
            | Function::ReachMost => counted(0),
            // Each subset of the retries, if they have jitter.
            Function::Outlasts => 1 << counted(1).min(RETRIES_MAX + 1).saturating_sub(1),
            _ => 1,
        };
        steps as usize
    }

    /// Its value. What it is given are finite numbers, as many as it takes.
    pub fn call(self, given: &[f64]) -> Result<f64, Undefined> {
        let outside = Undefined::Outside(self.entry().0);
        self.value(given).ok_or(outside)
    }

    fn value(self, given: &[f64]) -> Option<f64> {
        match (self, given) {
            (Function::Min, all) => all.iter().copied().reduce(f64::min),
            (Function::Max, all) => all.iter().copied().reduce(f64::max),
            (Function::Ceil, &[a]) => Some(near_whole(a).unwrap_or_else(|| a.ceil())),
            (Function::Floor, &[a]) => Some(near_whole(a).unwrap_or_else(|| a.floor())),
            (Function::Round, &[a]) => Some(a.round()),
            (Function::Abs, &[a]) => Some(a.abs()),
            (Function::Root, &[a]) => (a >= 0.0).then(|| a.sqrt()),
            (Function::Gap, &[n, base, factor, cap]) => {
                let backoff = backoff(base, factor, cap, 0.0)?;
                Some(backoff.ceiling(count(n)?).as_secs_f64())
            }
            (Function::ReachLeast, all) => Some(reach(all)?.least.as_secs_f64()),
            (Function::ReachMean, all) => Some(reach(all)?.mean.as_secs_f64()),
            (Function::ReachMost, all) => Some(reach(all)?.most.as_secs_f64()),
            (Function::Outlasts, &[outage, attempts, base, factor, cap, jitter]) => {
                let backoff = backoff(base, factor, cap, jitter)?;
                backoff.outlasts(time(outage)?, count(attempts)?)
            }
            (Function::Waits, &[workers, arrivals, service]) => {
                theory::erlang_c(count(workers)?, arrivals * service)
            }
            (Function::MeanWait, &[workers, arrivals, service]) => {
                theory::mean_wait(count(workers)?, arrivals, service)
            }
            (Function::Backlog, &[arrivals, capacity, seconds]) => {
                Some(theory::backlog(arrivals, capacity, seconds))
            }
            (Function::Drain, &[backlog, arrivals, capacity]) => {
                theory::drain(backlog, arrivals, capacity)
            }
            (Function::Moved, &[from, to]) => Some(moved_share(count(from)?, count(to)?)),
            _ => None,
        }
    }
}

/// The whole number that a result was meant to be: 0.1 × 30 is a hair above 3.
fn near_whole(a: f64) -> Option<f64> {
    let whole = a.round();
    ((a - whole).abs() <= whole.abs() * 1e-12).then_some(whole)
}

/// A count from 1.
fn count(number: f64) -> Option<u32> {
    let whole = number.fract() == 0.0 && (1.0..=COUNT_MAX).contains(&number);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    whole.then_some(number as u32)
}

fn time(seconds: f64) -> Option<SimDuration> {
    (seconds >= 0.0).then(|| SimDuration::from_micros_f64(seconds * 1e6))
}

fn backoff(base: f64, factor: f64, cap: f64, jitter: f64) -> Option<Backoff> {
    let percent = (factor * 100.0).round();
    if !(100.0..=1e6).contains(&percent) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    let factor_percent = percent as u32;
    let cap = if cap == 0.0 { None } else { Some(time(cap)?) };
    let jitter = match count(jitter + 1.0)? {
        1 => Jitter::None,
        2 => Jitter::Equal,
        3 => Jitter::Full,
        _ => return None,
    };
    let growth = Growth::Exponential { base: time(base)?, factor_percent };
    Some(Backoff { growth, cap, jitter })
}

fn reach(given: &[f64]) -> Option<patterns::retry::Reach> {
    let &[attempts, base, factor, cap, jitter] = given else { return None };
    let attempts = count(attempts).filter(|attempts| *attempts <= 1_000)?;
    backoff(base, factor, cap, jitter)?.reach(attempts)
}
