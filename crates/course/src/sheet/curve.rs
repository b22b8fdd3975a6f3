//! Charts of a sheet: formulas along a range.

use super::formula::Ledger;
use super::{Figure, FigureKind, Formula, Marks, Numbers, Sheet, Undefined};

/// Values along a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// What it shows.
    pub label: String,
    /// Along what.
    pub over: Over,
    /// How its values are written.
    pub figure: Figure,
    /// The lines.
    pub lines: Vec<Line>,
    /// A bound to compare them with, and what it is called.
    pub bound: Option<(Formula, String)>,
}

/// The range of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// The input that takes each value of the range in turn; if `None`, a name of the chart's own.
    pub input: Option<usize>,
    /// What it is called.
    pub label: String,
    /// How it is written.
    pub figure: Figure,
    /// Where it begins.
    pub from: Formula,
    /// Where it ends.
    pub to: Formula,
    /// Which numbers of it.
    pub of: Numbers,
    /// Points that it goes through whatever its steps are, because a line has a corner there.
    pub through: Vec<Formula>,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What it is called.
    pub label: String,
    /// Its value at each point.
    pub formula: Formula,
}

/// A chart, worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The points of the range.
    pub points: Vec<f64>,
    /// Each line's values there; `None` where there is none.
    pub lines: Vec<Vec<Option<f64>>>,
    /// The bound.
    pub bound: Option<f64>,
    /// Round numbers below and above all values; the lower one is 0 if none is negative.
    pub levels: (f64, f64),
}

/// A range of any numbers has so many steps.
const STEPS: u32 = 72;
/// A range of whole numbers has at most so many.
const WHOLE_STEPS: f64 = 144.0;

impl Graph {
    /// Every formula of it.
    pub(super) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let lines = self.lines.iter().map(|line| &line.formula);
        let ends = [&self.over.from, &self.over.to];
        lines.chain(ends).chain(&self.over.through).chain(self.bound.iter().map(|(bound, _)| bound))
    }
}

impl Sheet {
    /// Works a chart out for these numbers in the entries.
    ///
    /// # Errors
    /// Why it has no range.
    pub fn draw(&self, graph: &Graph, inputs: &[f64], marks: &Marks) -> Result<Curve, Undefined> {
        let ledger = &mut Ledger::default();
        let here = self.work_within(inputs, marks, ledger);
        let from = graph.over.from.work(&here.all, ledger)?;
        let to = graph.over.to.work(&here.all, ledger)?;
        let bound = graph.bound.as_ref().map(|(bound, _)| bound.work(&here.all, ledger));
        let bound = bound.and_then(Result::ok);
        let mut points = points(from, to, graph.over.of);
        for corner in &graph.over.through {
            if let Ok(corner) = corner.work(&here.all, ledger)
                && from < corner
                && corner < to
            {
                let place = points.partition_point(|point| *point < corner);
                points.insert(place, corner);
            }
        }
        let mut lines = vec![Vec::with_capacity(points.len()); graph.lines.len()];
        for &point in &points {
            let there = match graph.over.input {
                Some(input) => {
                    let mut moved = inputs.to_vec();
                    if let Some(place) = moved.get_mut(input) {
                        *place = point;
                    }
                    self.work_within(&moved, marks, ledger)
                }
                None => {
                    let mut there = here.clone();
                    there.all.push(Ok(point));
                    there
                }
            };
            for (line, values) in graph.lines.iter().zip(&mut lines) {
                values.push(line.formula.work(&there.all, ledger).ok());
            }
        }
        let all = lines.iter().flatten().copied().flatten().chain(bound);
        let (low, high) =
            all.fold((0.0_f64, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let round = |level: f64| if level > 0.0 { round_up(level, graph.figure.kind) } else { 0.0 };
        let high = if low == 0.0 && high == 0.0 { 1.0 } else { high };
        Ok(Curve { points, lines, bound, levels: (-round(-low), round(high)) })
    }
}

/// The points of a range, both ends included.
fn points(from: f64, to: f64, of: Numbers) -> Vec<f64> {
    if to <= from {
        return vec![from];
    }
    match of {
        Numbers::Any => {
            let step = (to - from) / f64::from(STEPS);
            (0..=STEPS).map(|n| if n == STEPS { to } else { from + step * f64::from(n) }).collect()
        }
        Numbers::Whole => {
            let (from, to) = (from.round(), to.round());
            let step = ((to - from) / WHOLE_STEPS).ceil().max(1.0);
            let mut points = vec![from];
            while points.len() <= 2 * STEPS as usize && points[points.len() - 1] + step <= to {
                points.push(points[points.len() - 1] + step);
            }
            points
        }
    }
}

/// Round times, in seconds; beyond the last, days like other numbers.
const TIMES: [f64; 19] = [
    1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_200.0, 1_800.0, 3_600.0, 7_200.0,
    14_400.0, 21_600.0, 43_200.0, 86_400.0, 172_800.0,
];

/// A round number that is not below.
#[must_use]
pub fn round_up(level: f64, kind: FigureKind) -> f64 {
    if kind == FigureKind::Time && level >= 1.0 {
        let round = TIMES.iter().copied().find(|round| level <= *round * (1.0 + 1e-9));
        return round.unwrap_or_else(|| decade(level / 86_400.0) * 86_400.0);
    }
    decade(level)
}

/// 1, 2 or 5 times a power of ten.
fn decade(level: f64) -> f64 {
    if !level.is_finite() || level <= 0.0 {
        return 1.0;
    }
    let mut step = 1.0;
    while step > level && step > 1e-12 {
        step /= 10.0;
    }
    while step * 10.0 < level && step < 1e300 {
        step *= 10.0;
    }
    let round = [1.0, 2.0, 5.0, 10.0].map(|times| times * step);
    round.into_iter().find(|round| level <= *round * (1.0 + 1e-9)).unwrap_or(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_round() {
        let check = |level, kind, want: f64| {
            let found = round_up(level, kind);
            assert!((found - want).abs() <= want * 1e-9, "{level}: {found}");
        };
        check(0.6, FigureKind::Number, 1.0);
        check(0.07, FigureKind::Percent, 0.1);
        check(0.004, FigureKind::Percent, 0.005);
        check(1.0, FigureKind::Percent, 1.0);
        check(130.0, FigureKind::Number, 200.0);
        check(10.0, FigureKind::Number, 10.0);
        check(800_000.0, FigureKind::Number, 1_000_000.0);
        check(45.0, FigureKind::Time, 60.0);
        check(5_760.0, FigureKind::Time, 7_200.0);
        check(14.0 * 86_400.0, FigureKind::Time, 20.0 * 86_400.0);
        check(0.2, FigureKind::Time, 0.2);
    }

    #[test]
    fn ranges_have_both_their_ends_and_a_bounded_number_of_points() {
        assert_eq!(points(2.0, 1.0, Numbers::Any), [2.0]);
        assert_eq!(points(1.0, 4.0, Numbers::Whole), [1.0, 2.0, 3.0, 4.0]);
        let any = points(0.0, 10.0, Numbers::Any);
        assert_eq!((any.first(), any.last(), any.len()), (Some(&0.0), Some(&10.0), 73));
        assert!(points(1.0, 1e9, Numbers::Whole).len() <= 145);
        assert!(points(0.0, 1e300, Numbers::Whole).len() <= 145);
    }
}
