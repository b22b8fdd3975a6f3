//! The same run under many seeds: what it comes to by chance, in words and as bands on charts.

use std::rc::Rc;
use std::sync::Arc;

use course::Exhibit;
use player::sweep::{Followed, Spread, Sweep, Wanted, moment};
use player::{Gauge, Progress};
use scenario::link::RunState;
use scenario::wire::Diagnostic;
use sim::SimTime;

use super::chart::{Behind, Look, PLOT, plain};
use super::gauges::unit;
use super::session::Session;
use crate::map::layout::{at, put_point};
use crate::words::Words;

/// The counts of runs that one may choose.
pub const COUNTS: [u32; 2] = [100, 1_000];

/// Calendar events of a run computed at once: a millisecond of work, or less.
const BIT: usize = 2_000;

/// What is shown of many runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManyShown {
    /// How many runs are done.
    pub done: u32,
    /// How many there are to be.
    pub count: u32,
    /// Whether more of them are to come.
    pub progress: Progress,
    /// A sentence a gauge, and one a property.
    pub sentences: Vec<String>,
    /// How many lines of charts have bands behind them.
    pub bands: usize,
}

impl Session {
    /// Whether another seed could make another run.
    #[must_use]
    pub fn draws(&self) -> bool {
        self.player.scenario().draws()
    }

    /// Begins to run it so many times.
    #[inline(never)]
    pub(super) fn begin_sweep(&mut self, count: u32) {
        let wanted = wanted(&self.exhibit, self.end());
        let scenario = Arc::clone(self.player.scenario());
        let interventions = self.player.interventions().to_vec();
        self.sweep = Some(Box::new(Sweep::new(scenario, interventions, wanted, count)));
    }

    /// Leaves it at the runs that are done; without any, there is nothing to be shown.
    #[inline(never)]
    pub(super) fn stop_sweep(&mut self) {
        if let Some(sweep) = &mut self.sweep {
            sweep.stop();
        }
        self.sweep = self.sweep.take().filter(|sweep| sweep.done() > 0);
    }

    /// Goes on with the runs for as long as `more` says, and says whether there are more to come.
    #[inline(never)]
    pub fn sweep_on(&mut self, mut more: impl FnMut() -> bool) -> Progress {
        let Some(sweep) = &mut self.sweep else { return Progress::Done };
        while sweep.advance(BIT) == Progress::Running {
            if sweep.waits() || !more() {
                return Progress::Running;
            }
        }
        Progress::Done
    }

    /// Whether runs are to come that nobody else has.
    #[must_use]
    pub fn sweeps_here(&self) -> bool {
        self.sweeps() && self.sweep.as_ref().is_some_and(|sweep| !sweep.waits())
    }

    /// The many runs, for those who compute some of them elsewhere.
    pub fn sweep(&mut self) -> Option<&mut Sweep> {
        self.sweep.as_deref_mut()
    }

    /// Whether many runs were asked for.
    #[must_use]
    pub fn has_sweep(&self) -> bool {
        self.sweep.is_some()
    }

    /// Whether runs are to come.
    #[must_use]
    pub fn sweeps(&self) -> bool {
        self.sweep.as_ref().is_some_and(|sweep| sweep.progress() == Progress::Running)
    }
}

/// What is to be known of the runs of an exhibit, of which the one in hand ends then.
fn wanted(exhibit: &Exhibit, until: SimTime) -> Wanted {
    let gauges = exhibit.gauges.iter().map(|meter| meter.gauge).collect();
    Wanted { gauges, lines: lines(exhibit), until }
}

/// The same runs as those of a session whose run has this link, for somebody who computes some of them.
///
/// # Errors
/// What is wrong with the link.
#[inline(never)]
pub fn replicas(exhibit: &Exhibit, run: &str, until: SimTime) -> Result<Sweep, Vec<Diagnostic>> {
    let (_, scenario) = exhibit.restored(&RunState::decode(run)?)?;
    let interventions = scenario.interventions.clone();
    Ok(Sweep::new(Arc::new(scenario), interventions, wanted(exhibit, until), 0))
}

/// The lines of all charts, one after another.
fn lines(exhibit: &Exhibit) -> Vec<Followed> {
    let drawn = exhibit.charts.iter().flat_map(|chart| &chart.series);
    drawn.map(|drawn| Followed { gauge: drawn.meter.gauge, per: drawn.per }).collect()
}

/// What came of the runs so far. `None` if none were asked for.
#[must_use]
#[inline(never)]
pub fn many(session: &Session, words: &Words) -> Option<ManyShown> {
    let sweep = session.sweep.as_ref()?;
    let exhibit = Rc::clone(&session.exhibit);
    let gauges = exhibit.gauges.iter().zip(sweep.gauges()).filter_map(|(meter, spread)| {
        sentence(words, &meter.label, &seconds(session, words, meter.gauge), spread)
    });
    let properties = session.player.scenario().properties.iter().zip(sweep.held());
    let done = words.number(u64::from(sweep.done()));
    let held = properties.filter(|_| sweep.done() > 0).map(|(property, held)| {
        let held = words.number(u64::from(*held));
        let names = [("property", property.words()), ("n", held), ("of", done.clone())];
        let names: Vec<_> = names.iter().map(|(name, value)| (*name, value.as_str())).collect();
        words.say("many.property", &names)
    });
    Some(ManyShown {
        done: sweep.done(),
        count: sweep.count(),
        progress: sweep.progress(),
        sentences: gauges.chain(held).collect(),
        bands: sweep.wanted().lines.len(),
    })
}

/// The unit of a clock; counts have none, for what they are of differs from run to run.
fn seconds(session: &Session, words: &Words, gauge: Gauge) -> String {
    if matches!(gauge, Gauge::Acked(_)) { String::new() } else { unit(session, words, gauge) }
}

/// "Lost: 12.4 on average, between 11.9 and 12.9 with 95 % confidence; from 4 to 21 in 90 of 100
/// runs."
fn sentence(words: &Words, label: &str, unit: &str, spread: &Spread) -> Option<String> {
    let (least, greatest) = spread.middle()?;
    let runs = words.number(spread.runs() as u64);
    let figure = |value: f64| [&figure(words, value), " ", unit].concat().trim().to_owned();
    let mean = figure(spread.mean());
    let Some((low, high)) = spread.interval().filter(|(low, high)| low < high) else {
        return Some(words.say("many.same", &[("label", label), ("value", &mean), ("of", &runs)]));
    };
    let (low, high) = (figure(low), figure(high));
    let inside = words.number(spread.in_the_middle() as u64);
    let (least, greatest) = (figure(least), figure(greatest));
    let names = [
        ("label", label),
        ("mean", &mean),
        ("low", &low),
        ("high", &high),
        ("least", &least),
        ("greatest", &greatest),
        ("n", &inside),
        ("of", &runs),
    ];
    let key = if least == greatest { "many.gauge.one" } else { "many.gauge" };
    Some(words.say(key, &names))
}

/// What a line of a chart comes to in many runs, at a share of their time, and what that is called.
pub(super) fn reading(
    words: &Words,
    label: &str,
    sweep: &Sweep,
    line: usize,
    at: SimTime,
) -> Option<(String, String)> {
    let until = sweep.wanted().until;
    let spread =
        (0..).map_while(|number| Some((moment(until, number), sweep.line(line).get(number)?)));
    // The last moment that is read before this one, or at it.
    let (_, spread) = spread.take_while(|(moment, _)| *moment <= at).last()?;
    let (least, greatest) = spread.middle()?;
    let [mean, least, greatest] = [spread.mean(), least, greatest].map(|it| figure(words, it));
    let names = [("mean", mean.as_str()), ("least", &least), ("greatest", &greatest)];
    Some((words.say("chart.runs", &[("line", label)]), words.say("chart.runs.level", &names)))
}

/// The moments at which the runs are read.
pub(super) fn moments(sweep: &Sweep) -> impl Iterator<Item = SimTime> {
    let until = sweep.wanted().until;
    (0..=player::sweep::MOMENTS as usize).map(move |number| moment(until, number))
}

/// What the columns are called that tell of a line in many runs.
pub(super) fn columns(words: &Words, label: &str, sweep: &Sweep) -> [String; 3] {
    let n = words.number(u64::from(sweep.done()));
    ["chart.csv.mean", "chart.csv.least", "chart.csv.greatest"]
        .map(|key| words.say(key, &[("line", label), ("n", &n)]))
}

/// The mean of a line in many runs at a moment, and between what nine in ten of them lie.
pub(super) fn levels(sweep: &Sweep, line: usize, at: SimTime) -> [f64; 3] {
    let number = moments(sweep).take_while(|moment| *moment <= at).count().saturating_sub(1);
    let spread = sweep.line(line).get(number);
    let (least, greatest) = spread.and_then(Spread::middle).unwrap_or_default();
    [spread.map_or(0.0, Spread::mean), least, greatest]
}

/// A number to the tenth; what is below one, to the thousandth. Nothing here is below zero, and an
/// interval that reaches below is cut there.
fn figure(words: &Words, value: f64) -> String {
    let value = value.max(0.0);
    if !(0.000_5..0.95).contains(&value) {
        return plain(words, value);
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a thousand")]
    let thousandths = (value * 1_000.0).round() as u32;
    let digits = (1_000 + thousandths).to_string();
    ["0.", digits[1..].trim_end_matches('0')].concat()
}

/// The highest place of the bands behind the lines of a chart, whose first line is this one.
pub(super) fn top(sweep: &Sweep, first: usize, count: usize) -> f64 {
    let spreads = (first..first + count).flat_map(|line| sweep.line(line));
    spreads.filter_map(Spread::middle).map(|(_, greatest)| greatest).fold(0.0, f64::max)
}

/// What lies behind a line: the middle nine tenths of the runs, and where their mean is.
pub(super) fn bands(sweep: &Sweep, line: usize, end: SimTime, top: f64) -> [Behind; 2] {
    let until = sweep.wanted().until;
    let spreads = sweep.line(line);
    let band = |look, edges: fn(&Spread) -> Option<(f64, f64)>| {
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for (number, spread) in spreads.iter().enumerate() {
            let here = moment(until, number);
            let Some((low, high)) = edges(spread).filter(|_| here <= end) else { continue };
            let x = here.as_secs_f64() / end.as_secs_f64().max(1e-6) * PLOT.0;
            let y = |value: f64| PLOT.1 - (value.max(0.0) / top).min(1.0) * PLOT.1;
            there.push((x, y(high)));
            back.push((x, y(low)));
        }
        let mut path = String::new();
        for (x, y) in there.into_iter().chain(back.into_iter().rev()) {
            let command = if path.is_empty() { 'M' } else { 'L' };
            put_point(&mut path, command, at((x * 10.0).round() / 10.0, (y * 10.0).round() / 10.0));
        }
        Behind { look, path }
    };
    [band(Look::Runs, Spread::middle), band(Look::Mean, Spread::interval)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Act, charts};
    use crate::testing::{opened, words};

    /// Under test: work that comes at random, thirty messages a second on average.
    fn at_random(count: u32) -> Session {
        let mut session = opened("queue-bench");
        let pointer = "/components/producer/arrivals".to_owned();
        let source = r#"{ "poisson": { "per_second": 30 } }"#;
        let value = serde_json::from_str(source).expect("JSON");
        session.act(Act::Change { pointer, value });
        while session.compute(usize::MAX) == Progress::Running {}
        assert!(session.notices().is_empty(), "{:?}", session.notices());
        assert!(session.draws());
        session.act(Act::Sweep(count));
        session
    }

    #[test]
    fn every_gauge_has_its_sentence_and_every_line_its_bands() {
        let (mut session, words) = (at_random(20), words());
        assert!(many(&session, &words).expect("it was asked for").sentences.is_empty());
        assert!(session.sweeps());
        assert_eq!(session.sweep_on(|| false), Progress::Running, "one bit at a time");
        assert_eq!(session.sweep_on(|| true), Progress::Done);
        let shown = many(&session, &words).expect("it was asked for");
        assert_eq!((shown.done, shown.count), (20, 20));
        let properties = session.player().scenario().properties.len();
        assert_eq!(shown.sentences.len(), session.exhibit().gauges.len() + properties);
        for said in &shown.sentences {
            assert!(said.contains("20 runs") && !said.contains('{'), "{said}");
        }
        assert!(shown.sentences.iter().any(|said| said.contains("with 95 % confidence")));
        for chart in charts(&mut session, &words) {
            assert_eq!(chart.behind.len(), chart.lines.len());
            for behind in &chart.behind {
                assert_eq!(behind.len(), 2);
                assert!(behind.iter().all(|band| band.path.matches('L').count() == 2 * 101 - 1));
            }
        }
    }

    #[test]
    fn another_scenario_puts_the_runs_away_and_another_seed_does_not() {
        let mut session = at_random(3);
        session.sweep_on(|| true);
        session.act(Act::SetSeed(9));
        assert!(many(&session, &words()).is_some());
        session.act(Act::Reset);
        assert!(many(&session, &words()).is_none());
    }

    #[test]
    fn what_is_stopped_is_shown_as_far_as_it_came() {
        let mut session = at_random(1_000);
        session.act(Act::StopSweep);
        assert!(many(&session, &words()).is_none(), "nothing was done yet");
        session.act(Act::Sweep(1_000));
        let mut left = 300;
        session.sweep_on(|| {
            left -= 1;
            left > 0
        });
        session.act(Act::StopSweep);
        assert!(!session.sweeps());
        let shown = many(&session, &words()).expect("some are done");
        assert!(shown.done > 0 && shown.done < 1_000 && shown.count == shown.done);
        session.act(Act::DropSweep);
        assert!(many(&session, &words()).is_none());
    }

    #[test]
    fn who_is_sent_the_link_computes_the_same_runs() {
        let mut session = at_random(6);
        let run = session.run_state().encode().expect("a link");
        let other = replicas(session.exhibit(), &run, session.end()).expect("a sound link");
        session.sweep_on(|| true);
        let alone = many(&session, &words());
        session.act(Act::Sweep(6));
        let sweep = session.sweep().expect("it was asked for");
        while let Some(seed) = sweep.take_seed() {
            assert!(sweep.put(seed, other.outcome(seed)));
        }
        assert_eq!(many(&session, &words()), alone);
    }

    #[test]
    fn figures_are_short() {
        let check = |value: f64, want: &str| assert_eq!(figure(&words(), value), want, "{value}");
        check(12.44, "12.4");
        check(12.0, "12");
        check(0.0, "0");
        check(-0.3, "0");
        check(0.045, "0.045");
        check(0.5, "0.5");
        check(1_234.5, "1,234.5");
    }
}
