//! Charts: some numbers over the whole run, and the playhead in it.

use course::{Chart, Drawn};
use player::Series;
use sim::SimTime;

use super::Session;
use super::gauges::{Spark, value};
use crate::words::{Words, clock_coarse};

/// The box in which lines are drawn; it is stretched to the room there is.
pub const PLOT: (f64, f64) = (1000.0, 200.0);

/// A line has at most so many corners.
const CORNERS: usize = 600;

/// So many moments stand in the table of a chart.
const ROWS: u64 = 10;

/// A chart to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What it shows.
    pub label: String,
    /// The level at the upper edge, and half of it.
    pub top: (String, String),
    /// The lines.
    pub lines: Vec<Line>,
    /// How high a bound lies, from 0 at the lower edge to 1, and what it is called.
    pub bound: Option<(f64, String)>,
    /// Moments, and the level of each line there.
    pub rows: Vec<(String, Vec<String>)>,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is called.
    pub label: String,
    /// Its level at the playhead.
    pub now: String,
    /// Its highest level and when that was first reached.
    pub most: (String, String),
    /// The line up to the playhead.
    pub past: String,
    /// The line after it.
    pub future: String,
}

/// The exhibit's charts at the playhead.
#[inline(never)]
pub fn charts(session: &mut Session, words: &Words) -> Vec<Shown> {
    let exhibit = std::rc::Rc::clone(&session.exhibit);
    exhibit.charts.iter().map(|chart| shown(session, words, chart)).collect()
}

fn shown(session: &mut Session, words: &Words, chart: &Chart) -> Shown {
    let (now, end) = (session.now, session.end());
    let series = chart.series.iter().map(|drawn| {
        let series = session.series(drawn.meter.gauge);
        drawn.per.map_or_else(|| series.clone(), |slice| series.per(slice, end))
    });
    let series: Vec<Series> = series.collect();
    let bound = chart.bound.as_ref().map_or(0.0, |bound| bound.at);
    let highest = series.iter().map(|series| series.max(end)).fold(bound, f64::max);
    let top = round_up(highest);
    let unit = |number: String| match chart.unit.as_str() {
        "" => number,
        unit => [number.as_str(), " ", unit].concat(),
    };
    let lines = series.iter().zip(&chart.series).map(|(series, Drawn { meter, .. })| {
        let (most, at) = highest_of(series, end);
        let drawn = Spark::within((0.0, PLOT.0, 0.0, PLOT.1), CORNERS, series, now, end, top);
        Line {
            label: meter.label.clone(),
            now: unit(value(words, series.level_at(now), now)),
            most: (unit(plain(words, most)), clock_coarse(at.as_micros() / 1_000_000)),
            past: drawn.past,
            future: drawn.future,
        }
    });
    let rows = (0..=ROWS).map(|row| {
        let at = SimTime::from_micros(end.as_micros() / ROWS * row);
        let levels = series.iter().map(|series| value(words, series.level_at(at), at));
        (clock_coarse(at.as_micros() / 1_000_000), levels.collect())
    });
    Shown {
        label: chart.label.clone(),
        top: (unit(plain(words, top)), plain(words, top / 2.0)),
        lines: lines.collect(),
        bound: chart.bound.as_ref().map(|bound| (bound.at / top, bound.label.clone())),
        rows: rows.collect(),
    }
}

/// The highest level and when it was first there. Clocks are highest where they are stopped.
fn highest_of(series: &Series, end: SimTime) -> (f64, SimTime) {
    let steps = series.steps();
    let mut best = (0.0, SimTime::ZERO);
    for (place, &(from, level)) in steps.iter().enumerate() {
        let to = steps.get(place + 1).map_or(end, |(at, _)| *at);
        for at in [from, to] {
            let reading = level.reading(at);
            if reading > best.0 {
                best = (reading, at);
            }
        }
    }
    best
}

/// 1, 2 or 5 times a power of ten, the lowest of them that is not below.
fn round_up(level: f64) -> f64 {
    let mut step = 1.0;
    loop {
        for times in [1.0, 2.0, 5.0] {
            if level <= step * times {
                return (step * times).max(2.0);
            }
        }
        step *= 10.0;
    }
}

/// A level as digits, with a tenth where it is no whole number.
fn plain(words: &Words, level: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "levels are counts")]
    let tenths = (level * 10.0 + 0.5) as u64;
    let whole = words.number(tenths / 10);
    if tenths.is_multiple_of(10) {
        whole
    } else {
        [whole.as_str(), ".", &(tenths % 10).to_string()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::round_up;

    #[test]
    fn axes_end_at_round_numbers() {
        let check =
            |level: f64, want: f64| assert!((round_up(level) - want).abs() < 1e-9, "{level}");
        check(0.0, 2.0);
        check(1.0, 2.0);
        check(3.0, 5.0);
        check(5.0, 5.0);
        check(5.1, 10.0);
        check(130.0, 200.0);
        check(800_000.0, 1_000_000.0);
    }
}
