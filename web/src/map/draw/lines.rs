//! The lines of the map and the ground under them.

use yew::prelude::*;

use super::Scene;
use super::route::Route;
use crate::map::layout::{Arrow, Edge, EdgeKind, Label, Piece, Point, Shape, at, translate};
use crate::map::mark::{group, path, rect, text};
use crate::map::motion::reach;
use crate::markup::el;

/// Zone, calls, lines, the lit route over them, and acks, which are thin and cross the others.
#[must_use]
pub fn ground(scene: &Scene, route: &Route) -> Vec<Html> {
    let plan = scene.plan;
    let mut all = Vec::new();
    if let Some(zone) = &plan.zone {
        all.push(rect("zone", zone.area, 4.0).html());
        if let Some(note) = &zone.note {
            all.push(text("t-zone", note, scene.words.text("map.not_yours")).html());
        }
    }
    let of = |kind: EdgeKind| plan.edges.iter().filter(move |edge| edge.kind == kind);
    all.extend(of(EdgeKind::Call).map(|edge| path("ln call", edge.track.d())));
    all.extend(of(EdgeKind::Call).map(|edge| path("ln-core", edge.track.d())));
    let carries = |edge: &Edge| {
        matches!(edge.kind, EdgeKind::Request | EdgeKind::Publish | EdgeKind::Delivery)
    };
    for (i, edge) in plan.edges.iter().enumerate() {
        if carries(edge) && !route.edges.contains(&i) {
            all.push(path("ln", edge.track.d()));
        }
    }
    for &i in &route.edges {
        all.push(path("ln lit", plan.edges[i].track.d()));
    }
    all.extend(of(EdgeKind::Ack).map(|edge| path("ln-case ack", edge.track.d())));
    all.extend(of(EdgeKind::Ack).map(|edge| path("ln ack", edge.track.d())));
    all.extend(acks(scene));
    all.extend(of(EdgeKind::Request).filter_map(chevrons));
    all
}

/// Where acks arrive, and what they are.
fn acks(scene: &Scene) -> Vec<Html> {
    let mut all = Vec::new();
    for queue in &scene.plan.queues {
        let to = crate::map::layout::End::Component(queue.id);
        let ack = |edge: &&Edge| edge.kind == EdgeKind::Ack && edge.to == to;
        let Some(end) = scene.plan.edges.iter().find(ack).and_then(|edge| edge.track.end()) else {
            continue;
        };
        all.push(path("arrow", left_head(end.moved(-7.0, 0.0))));
        let label = match scene.plan.shape {
            Shape::Wide => Label::from(end.moved(1.0, 22.0), 24.0),
            Shape::Tall => {
                let below = queue.acked_note.at.y + 16.0;
                Label::until(at(312.0, below), 24.0)
            }
        };
        all.push(text("t-sub", &label, scene.words.text("map.ack")).html());
    }
    all
}

/// Two pairs of chevrons on a line that goes to the right, to say which way requests go.
fn chevrons(edge: &Edge) -> Option<Html> {
    let Some(&Piece::Straight { from, to }) = edge.track.pieces().first() else { return None };
    if (from.y - to.y).abs() > 0.01 || to.x - from.x < 80.0 {
        return None;
    }
    let middle = from.toward(to, 0.5);
    let pair = |place: Point| {
        group("")
            .set("transform", translate(place))
            .with(path("chev", "M-1.2 -2.4l2.4 2.4-2.4 2.4"))
            .with(path("chev", "M3.8 -2.4l2.4 2.4-2.4 2.4"))
            .html()
    };
    let pairs = [pair(middle.moved(-14.0, 0.0)), pair(middle.moved(8.0, 0.0))];
    Some(el("g", "").all(pairs).html())
}

/// An arrow between two platforms.
pub fn arrow(arrow: &Arrow) -> [Html; 2] {
    let up = arrow.tip.y < arrow.from.y;
    let base = arrow.tip.moved(0.0, if up { 8.5 } else { -8.5 });
    let head = reach(arrow.tip, arrow.tip.moved(-5.5, if up { 9.5 } else { -9.5 })) + "h11z";
    [path("ln return", reach(arrow.from, base)), path("arrow", head)]
}

fn left_head(tip: Point) -> String {
    reach(tip, tip.moved(10.0, -5.5)) + "v11z"
}
