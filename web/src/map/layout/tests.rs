//! The rules of the map, held against nets of many shapes.

use scenario::ComponentId;
use sim::SimDuration;

use super::*;

fn id(index: usize) -> ComponentId {
    ComponentId::new(index)
}

fn part(label: &str, role: Role) -> Part {
    Part { label: label.to_owned(), role }
}

fn queue(dead_letter_to: Option<ComponentId>) -> Role {
    Role::Queue { dead_letter_to, visibility: SimDuration::from_secs(30), receives: Some(5) }
}

/// A net with so many of everything.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    sources: usize,
    services: usize,
    workers: u16,
    lines: usize,
    externals: usize,
    sidings: usize,
}

fn net(wanted: Wanted) -> Net {
    let mut parts = Vec::new();
    let (first_service, queues) = (wanted.sources, wanted.sources + wanted.services);
    let first_external = queues + 2 + wanted.sidings;
    for i in 0..wanted.sources {
        let to =
            if wanted.services > 0 { id(first_service + i % wanted.services) } else { id(queues) };
        parts.push(part("price feed", Role::Source { to, pace: Pace::Listed }));
    }
    for _ in 0..wanted.services {
        parts.push(part(
            "price API",
            Role::Service {
                to: vec![id(queues)],
                calls: Vec::new(),
                answers: Some(202),
                room: None,
            },
        ));
    }
    parts.push(part("alerts", queue((wanted.sidings > 0).then(|| id(queues + 1)))));
    for _ in 0..wanted.sidings {
        parts.push(part("alerts-dlq", queue(None)));
    }
    let line = |i: usize| Line {
        label: "a line".to_owned(),
        kind: if i + 1 == wanted.lines {
            LineKind::Ack
        } else if i > 0 && i <= wanted.externals {
            LineKind::Call(id(first_external + i - 1))
        } else {
            LineKind::Work
        },
        takes: None,
    };
    parts.push(part(
        "worker",
        Role::Workers {
            from: id(queues),
            others: Vec::new(),
            weights: Vec::new(),
            to: Vec::new(),
            calls: Vec::new(),
            count: wanted.workers,
            receive: SimDuration::from_millis(200),
            lines: (0..wanted.lines).map(line).collect(),
        },
    ));
    parts.extend((0..wanted.externals).map(|_| part("mail API", Role::External { room: None })));
    Net { parts }
}

const MOCK: Wanted =
    Wanted { sources: 1, services: 1, workers: 2, lines: 3, externals: 1, sidings: 1 };

fn every_net() -> Vec<Wanted> {
    let mut all = vec![MOCK];
    for workers in [0, 1, 2, 3, 4, 6, 9, 40] {
        for lines in [1, 3, 8] {
            all.push(Wanted { workers, lines, ..MOCK });
        }
    }
    all.extend([
        Wanted { sidings: 0, ..MOCK },
        Wanted { externals: 0, ..MOCK },
        Wanted { externals: 2, lines: 4, ..MOCK },
        Wanted { externals: 3, lines: 5, workers: 4, ..MOCK },
        Wanted { sources: 3, ..MOCK },
        Wanted { sources: 4, services: 3, ..MOCK },
        Wanted { services: 0, ..MOCK },
        Wanted { sources: 0, services: 0, ..MOCK },
    ]);
    all
}

fn for_every_plan(check: impl Fn(&Plan, &str)) {
    for wanted in every_net() {
        for shape in [Shape::Wide, Shape::Tall] {
            check(&arrange(net(wanted), shape), &format!("{shape:?} {wanted:?}"));
        }
    }
}

/// What must not lie on anything else.
fn boxes(plan: &Plan) -> Vec<(&'static str, Rect)> {
    let ring = |s: &Station| {
        Rect::new(s.at.x - s.radius, s.at.y - s.radius, 2.0 * s.radius, 2.0 * s.radius)
    };
    let mut all: Vec<_> = plan.stations.iter().map(|s| ("station", ring(s))).collect();
    all.extend(plan.berths.iter().map(|b| ("berth", b.frame)));
    all.extend(plan.crews.iter().map(|c| ("crew", c.frame)));
    for queue in &plan.queues {
        all.extend([("plate", queue.plate), ("offer", queue.offer), ("hidden", queue.hidden)]);
        let end = queue.acked.place(queue.acked.places - 1);
        let acked = Rect::new(end.x - 10.0, end.y - 10.0, queue.acked.first.x - end.x + 20.0, 20.0);
        all.push(("acked", acked));
        all.push(("acked note", queue.acked_note.area()));
        if let Some(siding) = &queue.siding {
            all.extend(siding.plate.map(|plate| ("siding plate", plate)));
            all.push(("siding note", siding.note.area()));
        }
    }
    all
}

#[test]
fn the_wide_map_of_the_first_exhibit_has_the_size_of_the_mock() {
    let plan = arrange(net(MOCK), Shape::Wide);
    assert_eq!((plan.width, plan.height), (912.0, 460.0));
    assert_eq!(plan.queues[0].offer, Rect::new(206.0, 54.0, 294.0, 94.0));
    assert_eq!(plan.berths[0].frame.x, 574.0);
    assert_eq!(arrange(net(MOCK), Shape::Tall).width, 328.0);
}

#[test]
fn a_tall_map_has_a_line_below_its_one_source_and_the_way_out_stays_level() {
    let check = |wanted: Wanted, level: bool| {
        let plan = arrange(net(wanted), Shape::Tall);
        let sources = plan
            .stations
            .iter()
            .filter(|station| matches!(plan.net.part(station.id).role, Role::Source { .. }));
        assert!(sources.clone().all(|source| source.sub.is_some()), "{wanted:?}");
        let lowest = sources.filter_map(|source| Some(source.sub?.area().bottom()));
        assert!(lowest.fold(0.0, f64::max) < plan.queues[0].plate.y, "{wanted:?}");
        let out = plan.edges.iter().find(|edge| edge.kind == EdgeKind::Publish);
        let out = out.expect("somebody publishes").track.point_at(0.1);
        let on_level = plan.stations.iter().any(|station| (station.at.y - out.y).abs() < 0.1);
        assert_eq!(on_level, level, "{wanted:?}");
    };
    check(MOCK, true);
    check(Wanted { services: 0, ..MOCK }, true);
    check(Wanted { sources: 2, services: 0, ..MOCK }, false);
}

#[test]
fn nothing_lies_on_anything_else() {
    for_every_plan(|plan, name| {
        let all = boxes(plan);
        for (i, (what, a)) in all.iter().enumerate() {
            for (other, b) in &all[i + 1..] {
                assert!(!a.overlaps(*b), "{name}: {what} {a:?} on {other} {b:?}");
            }
        }
    });
}

#[test]
fn everything_is_inside_the_view_box() {
    for_every_plan(|plan, name| {
        for (what, b) in boxes(plan) {
            let inside =
                b.x >= 0.0 && b.y >= 0.0 && b.right() <= plan.width && b.bottom() <= plan.height;
            assert!(inside, "{name}: {what} {b:?} in {} by {}", plan.width, plan.height);
        }
        for edge in &plan.edges {
            for i in 0..=20 {
                let p = edge.track.point_at(f64::from(i) / 20.0);
                let inside = p.x >= 0.0 && p.y >= 0.0 && p.x <= plan.width && p.y <= plan.height;
                assert!(inside, "{name}: {:?} at {p:?}", edge.kind);
            }
        }
    });
}

#[test]
fn lines_run_at_right_angles_or_on_the_diagonal() {
    for_every_plan(|plan, name| {
        let sidings = plan.queues.iter().filter_map(|q| q.siding.as_ref()).map(|s| &s.track);
        let rails = plan.queues.iter().map(|q| &q.rail);
        let tracks = plan.edges.iter().map(|e| &e.track).chain(sidings).chain(rails);
        for track in tracks {
            for piece in track.pieces() {
                match *piece {
                    Piece::Straight { from, to } => {
                        let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
                        let allowed = dx < 0.01 || dy < 0.01 || (dx - dy).abs() < 0.01;
                        assert!(allowed, "{name}: {from:?} to {to:?}");
                    }
                    Piece::Arc { radius, from, .. } => {
                        assert!((10.0..=18.0).contains(&radius), "{name}: {radius} at {from:?}");
                    }
                }
            }
        }
    });
}

/// The areas of the texts that stand beside lines.
fn lettering(plan: &Plan) -> Vec<(&'static str, Rect)> {
    let mut all = Vec::new();
    for station in &plan.stations {
        let room = width(&plan.net.part(station.id).label, Face::Name);
        all.push(("name", Label { room, ..station.name }.area()));
        all.extend(
            station.sub.map(|sub| ("sub", Label { room: room.min(sub.room), ..sub }.area())),
        );
    }
    for queue in &plan.queues {
        all.extend(queue.settings.map(|label| ("settings", label.area())));
        all.extend(queue.back_note.map(|label| ("back note", label.area())));
        all.extend([("next", queue.next.area()), ("title", queue.offer_title.area())]);
        all.extend([("hidden", queue.hidden_title.area()), ("note", queue.hidden_note.area())]);
        all.push(("acked note", queue.acked_note.area()));
        all.extend(queue.siding.as_ref().map(|siding| ("siding note", siding.note.area())));
        for bay in queue.bays.iter().chain(&queue.tight_bays) {
            all.extend([("left", bay.left.area()), ("holder", bay.holder.area())]);
        }
    }
    all
}

#[test]
fn letters_are_clear_of_lines() {
    for_every_plan(|plan, name| {
        let letters = lettering(plan);
        let sidings = plan.queues.iter().filter_map(|q| q.siding.as_ref()).map(|s| &s.track);
        let rails = plan.queues.iter().map(|q| &q.rail);
        for track in plan.edges.iter().map(|e| &e.track).chain(sidings).chain(rails) {
            let steps = (track.length() / 2.0).ceil();
            for i in 0..=(steps as u32) {
                let p = track.point_at(f64::from(i) / steps);
                // Half of the widest line.
                let line = Rect::new(p.x - 3.9, p.y - 3.9, 7.8, 7.8);
                for (what, area) in &letters {
                    assert!(!area.overlaps(line), "{name}: {what} {area:?} under a line at {p:?}");
                }
            }
        }
    });
}

#[test]
fn every_worker_with_a_berth_is_reached() {
    for_every_plan(|plan, name| {
        for berth in &plan.berths {
            let worker = End::Worker(berth.worker);
            let queue = End::Component(plan.queues[0].id);
            let delivery = plan.edge(EdgeKind::Delivery, queue, worker);
            assert!(delivery.is_some(), "{name}: no delivery to {worker:?}");
            assert!(plan.edge(EdgeKind::Ack, worker, queue).is_some(), "{name}: no ack");
            for to in plan.net.calls_of(berth.worker.component) {
                let call = plan.edge(EdgeKind::Call, worker, End::Component(to));
                assert!(call.is_some(), "{name}: no call");
            }
            // A delivery ends where the first line begins.
            let end = delivery.and_then(|edge| edge.ride.end());
            assert_eq!(end, berth.stops.get(1).or(berth.stops.first()).copied(), "{name}");
        }
    });
}

#[test]
fn workers_are_drawn_counted_or_both() {
    let check =
        |workers: u16, lines: usize, full: usize, compact: usize, counted_from: Option<u16>| {
            let plan = arrange(net(Wanted { workers, lines, ..MOCK }), Shape::Wide);
            let forms = |form: Form| plan.berths.iter().filter(|b| b.form == form).count();
            let got = (forms(Form::Full), forms(Form::Compact), plan.crews.first().map(|c| c.from));
            assert_eq!(got, (full, compact, counted_from), "{workers} workers");
        };
    check(1, 3, 1, 0, None);
    check(2, 8, 2, 0, None);
    check(3, 3, 2, 1, None);
    check(4, 3, 1, 3, None);
    check(4, 8, 1, 3, None);
    check(6, 3, 1, 5, None);
    check(7, 3, 1, 4, Some(5));
}

#[test]
fn sidings_are_only_for_queues_nobody_reads() {
    let mut with = net(MOCK);
    assert_eq!(with.queues().len(), 1);
    assert_eq!(with.siding_of(id(2)), Some(id(3)));
    // Somebody who takes from the dead-letter queue makes it a queue like any other.
    if let Role::Workers { from, .. } = &mut with.parts[4].role {
        *from = id(3);
    }
    assert_eq!(with.queues().len(), 2);
    assert_eq!(with.siding_of(id(2)), None);
}
