//! Charts: some numbers over the whole run, and the playhead in it.

use course::{Chart, Drawn};
use player::Series;
use sim::SimTime;

use super::gauges::{Spark, value};
use super::{Session, compare, many};
use crate::words::{Words, clock, clock_coarse};

/// The box in which lines are drawn; it is stretched to the room there is.
pub const PLOT: (f64, f64) = (1000.0, 200.0);

/// A line has at most so many corners.
const CORNERS: usize = 600;

/// At most so many moments stand in the table of a chart.
const ROWS: usize = 40;

/// A read-out goes along a chart in so many places.
pub const PLACES: u32 = 200;

/// A chart to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// What it shows.
    pub label: String,
    /// The level at the upper edge, and half of it.
    pub top: (String, String),
    /// The lines.
    pub lines: Vec<Line>,
    /// What lies behind each of them: many runs, another run.
    pub behind: Vec<Vec<Behind>>,
    /// How high a bound lies, from 0 at the lower edge to 1, and what it is called.
    pub bound: Option<(f64, String)>,
    /// What stands in the columns of the table: the lines, and what lies behind each.
    pub columns: Vec<String>,
    /// Moments, and the level of each column there.
    pub rows: Vec<(String, Vec<String>)>,
    /// The last of them that has been.
    pub here: usize,
}

/// The levels at one place of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOut {
    /// Which chart.
    pub chart: usize,
    /// Which of its [`PLACES`].
    pub place: u32,
    /// The moment.
    pub at: SimTime,
    /// Each line's name and its level.
    pub levels: Vec<(String, String)>,
}

impl ReadOut {
    /// All of it in words.
    #[must_use]
    pub fn said(&self) -> String {
        let mut said = clock(self.at);
        for (label, level) in &self.levels {
            said.push_str(", ");
            said.push_str(&[label, " ", level.as_str()].concat());
        }
        said
    }
}

/// The levels of a chart at one of its places. `None` if the exhibit has no such chart.
#[must_use]
#[inline(never)]
pub fn read_out(session: &mut Session, words: &Words, chart: usize, place: u32) -> Option<ReadOut> {
    let exhibit = std::rc::Rc::clone(&session.exhibit);
    let of = exhibit.charts.get(chart)?;
    let place = place.min(PLACES);
    let at = moment(session.end(), u64::from(place), u64::from(PLACES));
    let first = exhibit.charts[..chart].iter().map(|chart| chart.series.len()).sum();
    let levels = Traced::of(session, of, first).levels(session, words, of, at).into_iter();
    let levels = levels.map(|(label, level)| (label, with_unit(of, level))).collect();
    Some(ReadOut { chart, place, at, levels })
}

/// The lines of a chart, and those of the other run.
struct Traced {
    /// The number of its first line among those of all charts.
    first: usize,
    series: Vec<Series>,
    others: Vec<Series>,
}

impl Traced {
    fn of(session: &mut Session, chart: &Chart, first: usize) -> Traced {
        let end = session.end();
        let series = chart.series.iter().map(|drawn| drawn_series(session, drawn, end)).collect();
        Traced { first, series, others: other_series(session, chart) }
    }

    /// Each line at a moment, with what lies behind it: what it is called, and its level.
    fn levels(
        &self,
        session: &Session,
        words: &Words,
        chart: &Chart,
        at: SimTime,
    ) -> Vec<(String, String)> {
        let their_end = session.other.as_ref().map_or(at, |other| other.end());
        let mut levels = Vec::new();
        for (number, (drawn, series)) in chart.series.iter().zip(&self.series).enumerate() {
            let label = &drawn.meter.label;
            levels.push((label.clone(), value(words, series.level_at(at), at)));
            let other = self.others.get(number);
            levels.extend(other.map(|it| compare::reading(words, label, it, at, their_end)));
            let sweep = session.sweep.as_ref();
            let line = self.first + number;
            levels.extend(sweep.and_then(|it| many::reading(words, label, it, line, at)));
        }
        levels
    }
}

/// The moment that is so many parts of the run, of so many.
fn moment(end: SimTime, part: u64, of: u64) -> SimTime {
    let micros = u128::from(end.as_micros()) * u128::from(part) / u128::from(of.max(1));
    SimTime::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
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

/// Something that lies behind a line, in its colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// What it is.
    pub look: Look,
    /// An area or a line.
    pub path: String,
}

/// The sorts of thing behind a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The middle nine tenths of many runs.
    Runs,
    /// The confidence interval of their mean.
    Mean,
    /// The same in the other run.
    Other,
}

/// The exhibit's charts at the playhead.
#[inline(never)]
pub fn charts(session: &mut Session, words: &Words) -> Vec<Shown> {
    let exhibit = std::rc::Rc::clone(&session.exhibit);
    let mut first = 0;
    let all = exhibit.charts.iter().map(|chart| {
        let shown = shown(session, words, chart, first);
        first += chart.series.len();
        shown
    });
    all.collect()
}

/// A chart whose first line has this number among those of all charts.
fn shown(session: &mut Session, words: &Words, chart: &Chart, first: usize) -> Shown {
    let (now, end) = (session.now, session.end());
    let traced = Traced::of(session, chart, first);
    let (series, others) = (&traced.series, &traced.others);
    let bound = chart.bound.as_ref().map_or(0.0, |bound| bound.at);
    let of_many = session.sweep.as_ref().map_or(0.0, |it| many::top(it, first, series.len()));
    let all = series.iter().chain(others);
    let highest = all.map(|series| series.max(end)).fold(bound.max(of_many), f64::max);
    let top = round_up(highest);
    let behind = (0..series.len()).map(|line| {
        let runs = session.sweep.as_ref().map(|it| many::bands(it, first + line, end, top));
        let other = others.get(line).map(|series| compare::behind(series, end, top));
        runs.into_iter().flatten().chain(other).collect()
    });
    let unit = |number: String| with_unit(chart, number);
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
    let moments = moments(series, end);
    let levels = |at| traced.levels(session, words, chart, at).into_iter();
    let rows = moments.iter().map(|&at| (clock(at), levels(at).map(|it| it.1).collect()));
    Shown {
        label: chart.label.clone(),
        top: (unit(plain(words, top)), plain(words, top / 2.0)),
        lines: lines.collect(),
        behind: behind.collect(),
        bound: chart.bound.as_ref().map(|bound| (bound.at / top, bound.label.clone())),
        columns: levels(SimTime::ZERO).map(|it| it.0).collect(),
        rows: rows.collect(),
        here: moments.partition_point(|at| *at <= now).saturating_sub(1),
    }
}

/// The points of a chart: what its columns are called, and every moment at which a line has a corner,
/// with the levels there. What lies behind a line follows it.
pub(super) fn points(
    session: &mut Session,
    words: &Words,
    chart: &Chart,
    first: usize,
) -> (Vec<String>, Vec<(SimTime, Vec<f64>)>) {
    let end = session.end();
    let Traced { series, others, .. } = Traced::of(session, chart, first);
    let their_end = session.other.as_ref().map_or(end, |other| other.end());
    let sweep = session.sweep.as_ref().filter(|sweep| sweep.done() > 0);
    let corners = series.iter().chain(&others);
    let corners = corners.flat_map(|series| series.steps().iter().map(|step| step.0));
    let read = sweep.iter().flat_map(|sweep| many::moments(sweep));
    let mut all: Vec<SimTime> = corners.chain(read).chain([end]).filter(|at| *at <= end).collect();
    all.sort_unstable();
    all.dedup();
    let mut names = Vec::new();
    for (number, drawn) in chart.series.iter().enumerate() {
        let label = &drawn.meter.label;
        names.push(label.clone());
        if number < others.len() {
            names.push(words.say("chart.other", &[("line", label)]));
        }
        names.extend(sweep.iter().flat_map(|sweep| many::columns(words, label, sweep)));
    }
    let levels = |at: SimTime| {
        let mut row = Vec::new();
        for (number, series) in series.iter().enumerate() {
            row.push(series.value_at(at));
            row.extend(others.get(number).map(|other| other.value_at(at.min(their_end))));
            row.extend(sweep.iter().flat_map(|sweep| many::levels(sweep, first + number, at)));
        }
        row
    };
    let rows = all.into_iter().map(|at| (at, levels(at))).collect();
    (names, rows)
}

/// The lines of a chart in the other run, if one is kept.
fn other_series(session: &mut Session, chart: &Chart) -> Vec<Series> {
    let Some(other) = &mut session.other else { return Vec::new() };
    let end = other.end();
    let drawn = chart.series.iter().map(|drawn| {
        let series = other.series(drawn.meter.gauge);
        drawn.per.map_or_else(|| series.clone(), |slice| series.per(slice, end))
    });
    drawn.collect()
}

/// A series as a chart draws it.
fn drawn_series(session: &mut Session, drawn: &Drawn, end: SimTime) -> Series {
    let series = session.series(drawn.meter.gauge);
    drawn.per.map_or_else(|| series.clone(), |slice| series.per(slice, end))
}

fn with_unit(chart: &Chart, number: String) -> String {
    match chart.unit.as_str() {
        "" => number,
        unit => [number.as_str(), " ", unit].concat(),
    }
}

/// The moments of the table: where a line has a corner; of many, some at even distances.
fn moments(series: &[Series], end: SimTime) -> Vec<SimTime> {
    let corners: usize = series.iter().map(|series| series.steps().len()).sum();
    let mut all: Vec<SimTime> = Vec::new();
    if corners <= 4 * ROWS {
        all.extend(series.iter().flat_map(|series| series.steps().iter().map(|step| step.0)));
        all.push(end);
        all.sort_unstable();
        all.dedup();
    }
    if all.is_empty() || all.len() > ROWS {
        let whole = ROWS as u64;
        all = (0..=whole).map(|row| moment(end, row, whole)).collect();
    }
    all
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
pub(super) fn plain(words: &Words, level: f64) -> String {
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
    use std::rc::Rc;

    use course::Exhibit;
    use player::Progress;
    use scenario::wire::Value;
    use sim::SimTime;

    use super::{PLACES, ROWS, charts, read_out, round_up};
    use crate::state::{Act, SLICE, Session};
    use crate::testing::words;

    fn opened() -> Session {
        let text = include_str!("../../../crates/course/content/exhibits/whole-fleet.json");
        let document: Value = serde_json::from_str(text).expect("JSON");
        let exhibit = Exhibit::read(&document).expect("the exhibit is sound");
        let mut session = Session::open(Rc::new(exhibit));
        while session.compute(SLICE) == Progress::Running {}
        session
    }

    #[test]
    fn a_read_out_says_what_the_lines_say_at_that_place() {
        let (mut session, words) = (opened(), words());
        for place in [0, 1, 90, PLACES] {
            let read = read_out(&mut session, &words, 1, place).expect("there is a second chart");
            session.act(Act::Seek(read.at));
            let shown = charts(&mut session, &words);
            let now: Vec<_> = shown[1].lines.iter().map(|line| line.now.clone()).collect();
            let levels: Vec<_> = read.levels.iter().map(|(_, level)| level.clone()).collect();
            assert_eq!(now, levels, "{place}");
            assert!(read.said().contains(&shown[1].lines[0].label));
        }
        assert_eq!(read_out(&mut session, &words, 9, 0), None);
        let last = read_out(&mut session, &words, 0, u32::MAX).expect("a chart");
        assert_eq!((last.place, last.at), (PLACES, session.end()));
    }

    #[test]
    fn the_table_has_the_points_of_the_chart() {
        let mut session = opened();
        session.act(Act::Seek(SimTime::from_secs(30)));
        for chart in charts(&mut session, &words()) {
            assert!((2..=ROWS + 1).contains(&chart.rows.len()), "{}", chart.rows.len());
            assert_eq!(chart.rows[0].0, "0:00.0");
            assert!(chart.rows.iter().all(|(_, levels)| levels.len() == chart.lines.len()));
            assert!(chart.rows[chart.here].0.as_str() <= "0:30.0", "{:?}", chart.rows[chart.here]);
            assert!(chart.rows[chart.here + 1].0.as_str() > "0:30.0");
        }
    }

    #[test]
    fn the_table_tells_of_the_other_run_and_of_many() {
        let (mut session, words) = (opened(), words());
        session.act(Act::KeepOther);
        session.act(Act::Sweep(3));
        while session.sweep_on(|| true) == Progress::Running {}
        let other = charts(&mut session, &words);
        for chart in &other {
            assert_eq!(chart.columns.len(), 3 * chart.lines.len(), "{:?}", chart.columns);
            assert!(chart.rows.iter().all(|(_, levels)| levels.len() == chart.columns.len()));
            assert!(chart.columns[1].ends_with("in the other run"), "{:?}", chart.columns);
            assert!(chart.columns[2].ends_with("in many runs"), "{:?}", chart.columns);
            // The other run is the same here.
            assert!(chart.rows.iter().all(|(_, levels)| levels[0] == levels[1]));
        }
    }

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
