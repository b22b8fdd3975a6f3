//! A curve as lines in a box that is stretched to the room there is.

use course::sheet::{Curve, Figure, FigureKind, Graph, Marks, Numbers, round_up};

use crate::map::layout::num;
pub use crate::state::PLOT;

/// What is drawn of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The lines, as paths in a box of [`PLOT`].
    pub lines: Vec<String>,
    /// How high zero lies, if not at the lower edge.
    pub zero: Option<f64>,
    /// How high the bound lies, if it is within the box.
    pub bound: Option<f64>,
    /// At which end of the bound its name stands: where the lines and the mark leave it room.
    pub bound_side: Side,
    /// What the levels at the upper edge, half way and the lower edge are called.
    pub levels: [String; 3],
    /// Where marks of the range stand, in hundredths of the width, and what they are called.
    pub ticks: Vec<(f64, String)>,
    /// So many points of the range, and each line's value there.
    pub rows: Vec<(String, Vec<String>)>,
}

/// An end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Where the range begins.
    Start,
    /// Where it ends.
    End,
    /// Where it ends, and under the line: above it another line is in the way at both ends.
    Under,
}

/// So much of the width, in hundredths, is taken by a name.
const NAME: f64 = 25.0;
/// So much of the height, in hundredths.
const NAME_HEIGHT: f64 = 18.0;
/// So many marks stand along a range.
const TICKS: f64 = 5.0;
/// So many points stand in the table.
const ROWS: usize = 12;

/// Draws a curve; `here`, in hundredths of the width, is where the reader's own number stands.
#[must_use]
pub fn plot(graph: &Graph, curve: &Curve, here: Option<f64>, marks: &Marks) -> Plot {
    let (low, high) = curve.levels;
    let height = |value: f64| PLOT.1 * (1.0 - (value - low) / (high - low).max(f64::MIN_POSITIVE));
    let lines = curve.lines.iter().map(|line| path(curve, line, &height)).collect();
    let half = f64::midpoint(low, high);
    let fine = Figure { digits: graph.figure.digits.saturating_add(1), ..graph.figure.clone() };
    // Percent signs stand on the axis; what else is counted is said beside the lines.
    let level = |figure: &Figure, value| match figure.kind {
        FigureKind::Percent => figure.text(value, marks),
        FigureKind::Number | FigureKind::Time => figure.parts(value, marks).0,
    };
    Plot {
        lines,
        zero: (low < 0.0).then(|| height(0.0)),
        bound: curve.bound.filter(|bound| (low..=high).contains(bound)).map(height),
        bound_side: bound_side(curve, here, &height),
        levels: [level(&graph.figure, high), level(&fine, half), level(&fine, low)],
        ticks: ticks(graph, curve, marks),
        rows: rows(graph, curve, marks),
    }
}

/// How far along the range a number lies, in hundredths.
#[must_use]
pub fn along(curve: &Curve, number: f64) -> f64 {
    let (Some(from), Some(to)) = (curve.points.first(), curve.points.last()) else { return 0.0 };
    if to > from { ((number - from) / (to - from) * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}

/// The end at which there is most room for a name over the bound; the end of the range, if equal. If
/// there is none at either, under the bound.
fn bound_side(curve: &Curve, here: Option<f64>, height: &dyn Fn(f64) -> f64) -> Side {
    let Some(bound) = curve.bound.map(height) else { return Side::End };
    let room = |is_near: &dyn Fn(f64) -> bool, above: bool| {
        if here.is_some_and(is_near) {
            return 0.0;
        }
        let values = curve.lines.iter().flat_map(|line| curve.points.iter().zip(line));
        values
            .filter(|&(&point, _)| is_near(along(curve, point)))
            .filter_map(|(_, value)| value.map(height))
            // A line on the other side of the bound is in nobody's way.
            .map(|line| if above { bound - line } else { line - bound })
            .filter(|room| *room >= 0.0)
            .fold(if above { bound } else { PLOT.1 - bound }, f64::min)
    };
    let is_end = |at| at >= 100.0 - NAME;
    let (start, end) = (room(&|at| at <= NAME, true), room(&is_end, true));
    let is_tight = start.max(end) < PLOT.1 * NAME_HEIGHT / 100.0;
    if is_tight && room(&is_end, false) > start.max(end) {
        Side::Under
    } else if start > end {
        Side::Start
    } else {
        Side::End
    }
}

/// A line; where there is no value, it is broken off.
fn path(curve: &Curve, line: &[Option<f64>], height: &dyn Fn(f64) -> f64) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for (&point, value) in curve.points.iter().zip(line) {
        let Some(value) = value else {
            pen = 'M';
            continue;
        };
        path.push(pen);
        path.push_str(&num(along(curve, point) * PLOT.0 / 100.0));
        path.push(' ');
        path.push_str(&num(height(*value)));
        pen = 'L';
    }
    path
}

/// Round numbers along the range.
fn ticks(graph: &Graph, curve: &Curve, marks: &Marks) -> Vec<(f64, String)> {
    let (Some(&from), Some(&to)) = (curve.points.first(), curve.points.last()) else {
        return Vec::new();
    };
    let over = &graph.over;
    let mut step = round_up((to - from) / TICKS, over.figure.kind);
    if over.of == Numbers::Whole {
        step = step.max(1.0).round();
    }
    // A step that is no part of the range would never come to its end.
    if step <= 0.0 || from + step <= from {
        return vec![(0.0, over.figure.parts(from, marks).0)];
    }
    let figure = Figure {
        digits: if over.figure.kind == FigureKind::Time { 0 } else { over.figure.digits },
        ..over.figure.clone()
    };
    let mut all = Vec::new();
    let mut at = (from / step).ceil() * step;
    while at <= to && all.len() <= 8 {
        all.push((along(curve, at), figure.parts(at, marks).0));
        at += step;
    }
    all
}

fn rows(graph: &Graph, curve: &Curve, marks: &Marks) -> Vec<(String, Vec<String>)> {
    let every = curve.points.len().saturating_sub(1).div_ceil(ROWS).max(1);
    let chosen = curve.points.iter().enumerate().step_by(every);
    let value = |line: &Vec<Option<f64>>, at: usize| {
        let value = line.get(at).copied().flatten();
        value.map_or_else(|| "–".to_owned(), |value| graph.figure.text(value, marks))
    };
    chosen
        .map(|(at, point)| {
            let values = curve.lines.iter().map(|line| value(line, at)).collect();
            (graph.over.figure.text(*point, marks), values)
        })
        .collect()
}
