//! What only a general map has: lines of every kind with their bridges and words, yards, logs and
//! benches.

mod base;
mod bench;
mod log;
mod yard;

use player::ComponentFrame;
use yew::prelude::*;

use super::route::Route;
use super::{Scene, berth, station, travel};
use crate::map::layout::{
    Bridge, Edge, EdgeKind, Face, Label, Note, Piece, Point, Says, Sheet, fit, translate, width,
};
use crate::map::mark::{group, path, rect, text};
use crate::map::motion::reach;

/// The whole picture of a general map.
#[must_use]
#[inline(never)]
pub fn picture(scene: &Scene, sheet: &Sheet, route: &Route) -> Vec<Html> {
    let mut all = ground(scene, sheet, route);
    all.extend(scene.plan.stations.iter().map(|station| station::station(scene, station)));
    for place in &sheet.benches {
        all.extend(bench::bench(scene, place));
    }
    for place in &sheet.bases {
        if let Some(ComponentFrame::Database(state)) = scene.frame.components.get(place.id.index())
        {
            all.extend(base::base(scene, place, state));
        }
    }
    for place in &sheet.yards {
        if let Some(state) = scene.queue(place.id) {
            all.extend(yard::yard(scene, place, state, route));
        }
    }
    for place in &sheet.logs {
        if let Some(ComponentFrame::Log(state)) = scene.frame.components.get(place.id.index()) {
            all.extend(log::log(scene, place, state));
        }
    }
    all.extend(scene.plan.crews.iter().map(|crew| berth::crew(scene, crew)));
    all.extend(scene.plan.berths.iter().map(|place| berth::berth(scene, place)));
    all.extend(sheet.notes.iter().map(|place| note(scene, place)));
    all.push(travel::travels(scene));
    all
}

/// Zone, lines, bridges, and which way the lines go.
fn ground(scene: &Scene, sheet: &Sheet, route: &Route) -> Vec<Html> {
    let plan = scene.plan;
    let mut all = Vec::new();
    if let Some(zone) = &plan.zone {
        all.push(rect("zone", zone.area, 4.0).html());
        all.extend(
            zone.note.map(|note| text("t-zone", &note, scene.words.text("map.not_yours")).html()),
        );
    }
    let drawn = || plan.edges.iter().enumerate().filter(|(_, edge)| edge.kind != EdgeKind::Ack);
    // What is lit lies on top of what it shares its way with.
    for (i, edge) in drawn().filter(|(i, _)| !route.edges.contains(i)) {
        all.extend(line(edge.kind, &edge.track.d(), route.edges.contains(&i)));
    }
    for &i in &route.edges {
        all.extend(line(plan.edges[i].kind, &plan.edges[i].track.d(), true));
    }
    all.extend(sheet.bridges.iter().map(|place| bridge(scene, place, route)));
    all.extend(drawn().filter_map(|(_, edge)| way(edge)));
    all
}

/// A line: wide where messages go, a double rail for calls, thin for what is given up.
fn line(kind: EdgeKind, d: &str, lit: bool) -> Vec<Html> {
    let d = || d.to_owned();
    match kind {
        EdgeKind::Call => vec![path("ln call", d()), path("ln-core", d())],
        EdgeKind::Aside if lit => vec![path("ln thin lit", d())],
        EdgeKind::Aside => vec![path("ln thin", d())],
        _ if lit => vec![path("ln lit", d())],
        _ => vec![path("ln", d())],
    }
}

/// The upright line over the level one.
fn bridge(scene: &Scene, place: &Bridge, route: &Route) -> Html {
    let kind = scene.plan.edges[place.edge].kind;
    let lit = route.edges.contains(&place.edge);
    let upright = |half: f64| reach(place.at.moved(0.0, -half), place.at.moved(0.0, half));
    group("bridge").with(path("ln-case", upright(7.0))).all(line(kind, &upright(8.5), lit)).html()
}

/// A pair of chevrons in the middle of a line's longest straight piece.
fn way(edge: &Edge) -> Option<Html> {
    if edge.kind == EdgeKind::Call {
        return None;
    }
    let mut longest: Option<(Point, Point)> = None;
    for piece in edge.track.pieces() {
        if let Piece::Straight { from, to } = *piece
            && longest.is_none_or(|(a, b)| a.distance(b) < from.distance(to))
        {
            longest = Some((from, to));
        }
    }
    let (from, to) = longest.filter(|(from, to)| from.distance(*to) > 24.0)?;
    let turn = match (to.x - from.x, to.y - from.y) {
        (right, down) if right.abs() >= down.abs() => {
            if right > 0.0 {
                ""
            } else {
                " rotate(180)"
            }
        }
        (_, down) if down > 0.0 => " rotate(90)",
        _ => " rotate(270)",
    };
    let place = [translate(from.toward(to, 0.5)), turn.to_owned()].concat();
    Some(
        group("")
            .set("transform", place)
            .with(path("chev", "M-3.7 -2.4l2.4 2.4-2.4 2.4M1.3 -2.4l2.4 2.4-2.4 2.4"))
            .html(),
    )
}

/// Words on a line.
fn note(scene: &Scene, note: &Note) -> Html {
    let words = scene.words;
    let said = match &note.says {
        Says::Text(asked) => asked.clone(),
        Says::Otherwise => words.text("map.otherwise"),
        Says::Turn(turn) => words.say("map.turn", &[("n", &turn.to_string())]),
        Says::Weight(weight) => words.say("map.weight", &[("n", &weight.to_string())]),
    };
    let said = fit(&said, Face::Sub, note.place.room);
    text("t-sub t-halo", &note.place, said).html()
}

/// A count on a plate of paper, and how wide that is.
fn pile(scene: &Scene, area: crate::map::layout::Rect, count: u64) -> Html {
    let said = scene.words.number(count);
    let wide = width(&said, Face::Sub) + 14.0;
    let middle = area.centre();
    let pill = crate::map::layout::Rect::new(middle.x - wide / 2.0, middle.y - 9.0, wide, 18.0);
    group("pile")
        .with(rect("pile-body", area, 3.0).html())
        .with(rect("pill-body", pill, 9.0).html())
        .with(text("t-pile", &Label::around(middle.moved(0.0, 4.2), wide), said).html())
        .html()
}
