//! Workers at their places: trains one under the other, as many in full as a map has room for.

use scenario::ComponentId;
use world::WorkerId;

use super::geometry::{Point, Rect, at};
use super::net::{Line, LineKind, Net, Role};
use super::plan::{Berth, Crew, Form};

/// The height of a train's head, in pixels.
pub const HEAD: f64 = 30.0;
/// From one line of a handler to the next.
pub const LINE: f64 = 23.0;
/// The height of a train of which only the stops are drawn.
const COMPACT: f64 = 84.0;
/// Between two trains.
const GAP: f64 = 24.0;
/// The most trains that are drawn; the others are counted.
const DRAWN: usize = 6;
/// Where the count of the others stands.
const CREW: f64 = 34.0;

/// Trains one under the other.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Column {
    /// Those that are drawn.
    pub berths: Vec<Berth>,
    /// Those that are counted.
    pub crews: Vec<Crew>,
    /// Where the column ends.
    pub bottom: f64,
}

/// Where a column begins, and how much room it has.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// The left edge of every train.
    pub left: f64,
    /// The upper edge of the first.
    pub top: f64,
    /// The width of every train.
    pub width: f64,
    /// The height up to which trains are drawn in full although a smaller form would do.
    pub height: f64,
}

/// The workers of these components, in order. Up to two are drawn in full; of more, as many as the
/// ground has room for and one at least.
#[must_use]
pub fn column(net: &Net, components: &[ComponentId], ground: Ground) -> Column {
    let crew = workers(net, components);
    let drawn = if crew.len() > DRAWN { DRAWN - 1 } else { crew.len() };
    let mut full = drawn;
    let height = |full: usize| -> f64 {
        let heights = crew[..drawn].iter().enumerate();
        heights.map(|(i, &(_, lines))| GAP + height_of(form(i, full), lines)).sum::<f64>() - GAP
    };
    while drawn > 2 && full > 1 && height(full) > ground.height {
        full -= 1;
    }
    let mut column = Column { bottom: ground.top, ..Column::default() };
    let mut top = ground.top;
    for (i, &(worker, lines)) in crew[..drawn].iter().enumerate() {
        let berth = berth(worker, form(i, full), lines, Ground { top, ..ground });
        column.bottom = berth.frame.bottom();
        top = column.bottom + GAP;
        column.berths.push(berth);
    }
    if let Some(&(first, _)) = crew.get(drawn) {
        let frame = Rect::new(ground.left, top, ground.width, CREW);
        column.bottom = frame.bottom();
        column.crews.push(Crew { id: first.component, from: first.instance, frame });
    }
    column
}

/// The stop at which a worker is in a step of its handler.
#[must_use]
pub fn stop_of(berth: &Berth, line: usize) -> Point {
    let last = berth.stops.len().saturating_sub(1);
    berth.stops.get((line + 1).min(last)).copied().unwrap_or(at(berth.frame.x, berth.frame.y))
}

/// How far below the upper edge the first stop of a train is.
#[must_use]
pub fn entry_depth(form: Form) -> f64 {
    match form {
        Form::Full => HEAD + 19.5,
        Form::Compact => HEAD + 21.0,
    }
}

/// Where a call leaves a train: at the line that makes it, or in the middle.
#[must_use]
pub fn call_exit(berth: &Berth, lines: &[Line], called: ComponentId) -> Point {
    let line = lines.iter().position(|line| line.kind == LineKind::Call(called));
    let stop = stop_of(berth, line.unwrap_or(0));
    at(berth.frame.right(), stop.y)
}

fn workers(net: &Net, components: &[ComponentId]) -> Vec<(WorkerId, usize)> {
    let mut all = Vec::new();
    for &component in components {
        if let Role::Workers { count, lines, .. } = &net.part(component).role {
            all.extend((0..*count).map(|instance| (WorkerId { component, instance }, lines.len())));
        }
    }
    all
}

fn form(position: usize, full: usize) -> Form {
    if position < full { Form::Full } else { Form::Compact }
}

#[allow(clippy::cast_precision_loss, reason = "a handler has few lines")]
fn height_of(form: Form, lines: usize) -> f64 {
    match form {
        Form::Full => entry_depth(form) + LINE * lines as f64 + 43.5,
        Form::Compact => COMPACT,
    }
}

#[allow(clippy::cast_precision_loss, reason = "a handler has few lines")]
fn berth(worker: WorkerId, form: Form, lines: usize, ground: Ground) -> Berth {
    let frame = Rect::new(ground.left, ground.top, ground.width, height_of(form, lines));
    let first = at(frame.x + 22.0, frame.y + entry_depth(form));
    let apart = (frame.w - 44.0) / (lines.max(1) as f64);
    let stop = |i: usize| match form {
        Form::Full => first.moved(0.0, LINE * i as f64),
        Form::Compact => first.moved(apart * i as f64, 0.0),
    };
    Berth { worker, frame, form, stops: (0..=lines).map(stop).collect() }
}

/// The workers of one component on a map with many: one alone is drawn in full if its handler is
/// short, of several the stops of the first few.
#[must_use]
#[inline(never)]
pub fn squad(net: &Net, component: ComponentId, ground: Ground) -> Column {
    const DRAWN: usize = 3;
    const SHORT: usize = 5;
    let crew = workers(net, &[component]);
    let drawn = if crew.len() > DRAWN { DRAWN - 1 } else { crew.len() };
    let mut column = Column { bottom: ground.top, ..Column::default() };
    let mut top = ground.top;
    for &(worker, lines) in &crew[..drawn] {
        let form = if crew.len() == 1 && lines <= SHORT { Form::Full } else { Form::Compact };
        let berth = berth(worker, form, lines, Ground { top, ..ground });
        column.bottom = berth.frame.bottom();
        // Doors lie on one grid with all other lines.
        top += COMPACT + 12.0;
        column.berths.push(berth);
    }
    if let Some(&(first, _)) = crew.get(drawn) {
        let frame = Rect::new(ground.left, top, ground.width, CREW);
        column.bottom = frame.bottom();
        column.crews.push(Crew { id: first.component, from: first.instance, frame });
    }
    column
}
