//! The rules of the map, held against graphs that are no pipelines.

use scenario::ComponentId;
use sim::SimDuration;

use super::places::GRID;
use super::*;

fn id(index: usize) -> ComponentId {
    ComponentId::new(index)
}

fn part(label: &str, role: Role) -> Part {
    Part { label: label.to_owned(), role }
}

fn source(to: usize) -> Part {
    part("web shop", Role::Source { to: id(to), pace: Pace::Listed })
}

fn service(to: &[usize], calls: &[usize], room: Option<Room>) -> Part {
    let all = |ids: &[usize]| ids.iter().map(|&i| id(i)).collect();
    part("orders API", Role::Service { to: all(to), calls: all(calls), answers: None, room })
}

fn topic(to: &[usize]) -> Part {
    let way = |&to: &usize| Way { to: id(to), asks: "order.placed".to_owned(), otherwise: false };
    part("orders", Role::Topic { ways: to.iter().map(way).collect() })
}

fn queue(dead_letter_to: Option<usize>) -> Part {
    let visibility = SimDuration::from_secs(30);
    let dead_letter_to = dead_letter_to.map(id);
    part("confirmations", Role::Queue { dead_letter_to, visibility, receives: Some(5) })
}

fn log(partitions: usize, groups: usize) -> Part {
    part("bids", Role::Log { partitions, groups })
}

fn external(room: Option<Room>) -> Part {
    part("mail API", Role::External { room })
}

fn workers(from: &[usize], count: u16, calls: &[usize], to: &[usize]) -> Part {
    let line = |kind| Line { label: "a line".to_owned(), kind, takes: None };
    let mut lines = vec![line(LineKind::Work)];
    lines.extend(calls.iter().map(|&to| line(LineKind::Call(id(to)))));
    lines.extend(to.iter().map(|&to| line(LineKind::Put(id(to)))));
    lines.push(line(LineKind::Ack));
    let role = Role::Workers {
        from: id(from[0]),
        others: from[1..].iter().map(|&i| id(i)).collect(),
        weights: Vec::new(),
        to: to.iter().map(|&i| id(i)).collect(),
        calls: calls.iter().map(|&i| id(i)).collect(),
        count,
        receive: SimDuration::from_millis(200),
        lines,
    };
    part("mailer", role)
}

/// Graphs of every shape that a scenario may have.
#[allow(clippy::too_many_lines, reason = "it is a list")]
fn nets() -> Vec<(&'static str, Vec<Part>)> {
    let room = Some(Room { seats: Some(20), waiting: 100 });
    vec![
        (
            "a topic with three queues and three groups",
            vec![
                source(1),
                topic(&[2, 3, 4]),
                queue(None),
                queue(None),
                queue(None),
                workers(&[2], 2, &[8], &[]),
                workers(&[3], 1, &[], &[]),
                workers(&[4], 5, &[8], &[]),
                external(None),
            ],
        ),
        (
            "a log with three partitions and two groups",
            vec![source(1), log(3, 2), workers(&[1], 2, &[], &[]), workers(&[1], 1, &[], &[])],
        ),
        (
            "a log with nine partitions and four groups",
            vec![
                source(1),
                log(9, 4),
                workers(&[1], 2, &[], &[]),
                workers(&[1], 1, &[], &[]),
                workers(&[1], 1, &[], &[]),
                workers(&[1], 9, &[], &[]),
            ],
        ),
        (
            "two queues into one group",
            vec![source(2), source(3), queue(None), queue(None), workers(&[2, 3], 2, &[], &[])],
        ),
        (
            "a retry queue that leads back",
            vec![
                source(1),
                topic(&[2]),
                queue(Some(5)),
                workers(&[2], 1, &[6], &[4]),
                queue(Some(2)),
                queue(None),
                external(None),
            ],
        ),
        (
            "dead letters in a circle",
            vec![
                source(1),
                queue(Some(2)),
                queue(Some(1)),
                workers(&[1], 3, &[], &[1]),
                workers(&[2], 1, &[], &[]),
            ],
        ),
        (
            "services that are short of room",
            vec![
                source(1),
                service(&[3], &[2, 5], room),
                service(&[], &[5], Some(Room { seats: Some(3), waiting: 0 })),
                queue(None),
                workers(&[3], 4, &[5, 1], &[]),
                external(room),
            ],
        ),
        (
            "twelve components",
            vec![
                source(2),
                source(6),
                service(&[3], &[], None),
                topic(&[4, 5]),
                queue(None),
                queue(Some(7)),
                queue(Some(7)),
                queue(None),
                workers(&[4], 2, &[], &[5]),
                workers(&[5], 2, &[11], &[]),
                workers(&[6], 1, &[11], &[]),
                external(None),
            ],
        ),
        (
            "a service and workers on one database",
            vec![
                source(1),
                service(&[3], &[2], None),
                part("shop", Role::Database { tables: 3 }),
                queue(None),
                workers(&[3], 1, &[2, 5], &[]),
                external(None),
            ],
        ),
        (
            "a relay between a database and a queue, and a saga",
            vec![
                source(1),
                service(&[], &[2], None),
                part("shop", Role::Database { tables: 2 }),
                part("relay", Role::Relay { outbox: id(2), to: id(4) }),
                queue(None),
                workers(&[4], 1, &[6], &[]),
                part("saga", Role::Orchestrator { asks: vec![id(7), id(8)], steps: Vec::new() }),
                service(&[], &[], None),
                service(&[], &[], None),
            ],
        ),
        (
            "two crews of one scheduler",
            vec![
                part("nightly", Role::Scheduler),
                workers(&[0], 3, &[], &[]),
                workers(&[0], 1, &[3], &[]),
                external(None),
            ],
        ),
        ("nothing but a topic", vec![topic(&[])]),
    ]
}

fn for_every_plan(check: impl Fn(&Plan, &Sheet, &str)) {
    for (name, parts) in nets() {
        for shape in [Shape::Wide, Shape::Tall] {
            let plan = arrange(Net { parts: parts.clone() }, shape);
            let sheet = plan.sheet.as_ref().expect("no pipeline");
            check(&plan, sheet, &format!("{name}, {shape:?}"));
        }
    }
}

/// Everything that must not lie on anything else, lettering with it.
fn boxes(plan: &Plan, sheet: &Sheet) -> Vec<(String, Rect)> {
    let mut all = Vec::new();
    let mut add = |what: String, area: Rect| all.push((what, area));
    for station in &plan.stations {
        let (at, r) = (station.at, station.radius);
        add(format!("ring {:?}", station.id), Rect::new(at.x - r, at.y - r, 2.0 * r, 2.0 * r));
        let room = width(&plan.net.part(station.id).label, Face::Name);
        add(format!("name {:?}", station.id), Label { room, ..station.name }.area());
        let sub = station.sub.map(|sub| Label { room: sub.room.min(90.0), ..sub }.area());
        sub.into_iter().for_each(|sub| add(format!("sub {:?}", station.id), sub));
    }
    for bench in &sheet.benches {
        add(format!("seats {:?}", bench.id), bench.seats);
        add(format!("busy {:?}", bench.id), bench.busy.area());
        add(format!("room {:?}", bench.id), bench.room);
        add(format!("waiting {:?}", bench.id), bench.waiting.area());
    }
    for base in &sheet.bases {
        add(format!("plate {:?}", base.id), base.plate);
        add(format!("base {:?}", base.id), base.frame);
    }
    for yard in &sheet.yards {
        add(format!("plate {:?}", yard.id), yard.plate);
        add(format!("offer {:?}", yard.id), yard.offer);
        yard.hidden
            .into_iter()
            .for_each(|hidden| add(format!("hidden {:?}", yard.id), hidden.area));
        add(format!("done {:?}", yard.id), yard.done.area());
        yard.siding
            .iter()
            .for_each(|siding| add(format!("dead {:?}", yard.id), siding.note.area()));
    }
    for log in &sheet.logs {
        add(format!("plate {:?}", log.id), log.plate);
        for lane in &log.lanes {
            let (a, b) = (lane.from, lane.to);
            add(format!("lane {:?}", log.id), Rect::new(a.x, a.y - 11.0, b.x - a.x, 22.0));
            for mark in &lane.marks {
                let area = Rect::new(a.x + 10.0, mark.y - 8.5, b.x - a.x - 20.0, 17.0);
                add(format!("mark {:?}", log.id), area);
            }
        }
        log.more.into_iter().for_each(|(_, label)| add(format!("more {:?}", log.id), label.area()));
    }
    for berth in &plan.berths {
        add(format!("train {:?}", berth.worker), berth.frame);
    }
    for crew in &plan.crews {
        add(format!("crew {:?}", crew.id), crew.frame);
    }
    if let Some(note) = plan.zone.as_ref().and_then(|zone| zone.note) {
        add("zone".to_owned(), Label { room: 60.0, ..note }.area());
    }
    for note in &sheet.notes {
        let long = Label { room: note.place.room.min(112.0), ..note.place };
        add(format!("note {:?}", note.says), long.area());
    }
    all
}

#[test]
fn nothing_lies_on_anything_else() {
    for_every_plan(|plan, sheet, name| {
        let all = boxes(plan, sheet);
        for (i, (what, a)) in all.iter().enumerate() {
            for (other, b) in &all[i + 1..] {
                assert!(!a.overlaps(*b), "{name}: {what} {a:?} on {other} {b:?}");
            }
        }
    });
}

#[test]
fn everything_is_inside_the_view_box() {
    for_every_plan(|plan, sheet, name| {
        let inside = |x: f64, y: f64| x >= 0.0 && y >= 0.0 && x <= plan.width && y <= plan.height;
        for (what, b) in boxes(plan, sheet) {
            let whole = inside(b.x, b.y) && inside(b.right(), b.bottom());
            assert!(whole, "{name}: {what} {b:?} in {} by {}", plan.width, plan.height);
        }
        for edge in &plan.edges {
            for i in 0..=20 {
                let p = edge.ride.point_at(f64::from(i) / 20.0);
                assert!(inside(p.x, p.y), "{name}: {:?} at {p:?}", edge.kind);
            }
        }
    });
}

/// The points of a line, two pixels apart.
fn along(track: &Track) -> Vec<Point> {
    let steps = (track.length() / 2.0).ceil();
    (0..=steps as u32).map(|i| track.point_at(f64::from(i) / steps.max(1.0))).collect()
}

#[test]
fn lines_are_clear_of_lettering_and_of_everybody_else() {
    for_every_plan(|plan, sheet, name| {
        let all = boxes(plan, sheet);
        for edge in plan.edges.iter().filter(|edge| edge.kind != EdgeKind::Ack) {
            for p in along(&edge.track) {
                let line = Rect::new(p.x - 3.5, p.y - 3.5, 7.0, 7.0);
                for (what, area) in &all {
                    let end = |end: End| match end {
                        End::Component(id) => what.ends_with(&format!("{id:?}")),
                        End::Worker(worker) => what.ends_with(&format!("{worker:?}")),
                    };
                    let own = (end(edge.from) || end(edge.to))
                        && !["name", "sub", "note", "busy"]
                            .iter()
                            .any(|word| what.starts_with(word));
                    assert!(
                        own || !area.overlaps(line),
                        "{name}: {:?} {:?} to {:?} at {p:?} over {what} {area:?}",
                        edge.kind,
                        edge.from,
                        edge.to
                    );
                }
            }
        }
    });
}

#[test]
fn lines_run_at_right_angles_or_on_the_diagonal_with_true_arcs() {
    for_every_plan(|plan, _, name| {
        for edge in &plan.edges {
            for piece in edge.track.pieces() {
                match *piece {
                    Piece::Straight { from, to } => {
                        let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
                        let allowed = dx < 0.01 || dy < 0.01 || (dx - dy).abs() < 0.01;
                        assert!(allowed, "{name}: {from:?} to {to:?}");
                    }
                    Piece::Arc { radius, from, .. } => {
                        assert!(radius > 3.9 && radius < 18.1, "{name}: {radius} at {from:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn every_link_has_its_lines() {
    for_every_plan(|plan, _, name| {
        for link in links::links(&plan.net) {
            let of = |end: End, id: ComponentId| match end {
                End::Component(own) => own == id,
                End::Worker(worker) => worker.component == id,
            };
            let line = plan.edges.iter().any(|edge| {
                edge.kind == link.kind && of(edge.from, link.from) && of(edge.to, link.to)
            });
            assert!(line, "{name}: no line for {link:?}");
        }
        for berth in &plan.berths {
            let worker = End::Worker(berth.worker);
            let taken = plan.edges.iter().filter(|edge| edge.to == worker);
            for delivery in taken {
                assert_eq!(delivery.ride.end(), berth.stops.get(1).copied(), "{name}");
                let ack = plan.edge(EdgeKind::Ack, worker, delivery.from);
                assert!(ack.is_some(), "{name}: no way back for acks");
            }
        }
    });
}

#[test]
fn a_plan_is_the_same_each_time() {
    for (_, parts) in nets() {
        for shape in [Shape::Wide, Shape::Tall] {
            let plan = || arrange(Net { parts: parts.clone() }, shape);
            assert_eq!(plan(), plan());
        }
    }
}

#[test]
fn a_chain_is_a_straight_line() {
    let plan = arrange(
        Net { parts: vec![source(1), topic(&[2]), queue(None), workers(&[2], 1, &[], &[])] },
        Shape::Wide,
    );
    for edge in plan.edges.iter().filter(|edge| edge.kind != EdgeKind::Ack) {
        let level = edge.track.start().map(|p| p.y);
        assert_eq!(level, edge.track.end().map(|p| p.y), "{:?}", edge.kind);
        assert!(level.is_some_and(|y| ((y - 10.0) / GRID).fract().abs() < 0.001), "off the grid");
    }
}

#[test]
fn lines_that_cross_have_a_bridge_and_lines_that_join_have_none() {
    let bridges = |parts: Vec<Part>| {
        let plan = arrange(Net { parts }, Shape::Wide);
        plan.sheet.map_or(0, |sheet| sheet.bridges.len())
    };
    let joined = vec![source(2), source(2), topic(&[3]), queue(None)];
    assert_eq!(bridges(joined), 0);
    // Each of three services writes to all three logs: some cannot but cross.
    let mut crossed = vec![source(3), source(4), source(5)];
    crossed.extend((0..3).map(|_| service(&[6, 7, 8], &[], None)));
    crossed.extend((0..3).map(|_| log(1, 0)));
    assert!(bridges(crossed) > 0);
}

#[test]
fn few_lines_cross_where_none_has_to() {
    // Given in the wrong order, the second source and the first log belong together.
    let plan =
        arrange(Net { parts: vec![source(3), source(2), log(1, 0), log(1, 0)] }, Shape::Wide);
    assert_eq!(plan.sheet.map(|sheet| sheet.bridges.len()), Some(0));
}
