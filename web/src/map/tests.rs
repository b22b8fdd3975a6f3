//! The map of one moment, held against the run that the first exhibit shows: worker 1 is dead with
//! number 5 still hidden, worker 2 sends the mail of number 9, eight wait, one is a dead letter.

use broker::MessageId;
use player::*;
use scenario::{ComponentId, StepIndex};
use sim::{SimDuration, SimTime};
use world::{Outcome, WorkerId};

use super::draw::{Mode, Scene, picture};
use super::layout::{Line, LineKind, Net, Pace, Part as NetPart, Role, arrange};
use super::lift::{Grip, Lift};
use super::motion::{Motions, Part, motions};
use super::*;
use crate::testing::{words, written};

mod dots;

const QUEUE: usize = 2;
const DEAD: usize = 3;
const WORKERS: usize = 4;
const MAIL: usize = 5;

fn id(index: usize) -> ComponentId {
    ComponentId::new(index)
}

fn message(number: u32) -> MessageId {
    MessageId::from_index(number - 1)
}

fn secs(seconds: f64) -> SimTime {
    SimTime::from_micros((seconds * 1e6).round() as u64)
}

fn worker_id(instance: u16) -> WorkerId {
    WorkerId { component: id(WORKERS), instance }
}

fn net() -> Net {
    let part = |label: &str, role: Role| NetPart { label: label.to_owned(), role };
    let line = |label: &str, kind: LineKind, millis: u64| Line {
        label: label.to_owned(),
        kind,
        takes: Some(SimDuration::from_millis(millis)),
    };
    let queue = |dead_letter_to: Option<ComponentId>| Role::Queue {
        dead_letter_to,
        visibility: SimDuration::from_secs(30),
        receives: Some(5),
    };
    let lines = vec![
        line("match alerts", LineKind::Work, 600),
        line("send mail", LineKind::Call(id(MAIL)), 5_000),
        line("ack", LineKind::Ack, 200),
    ];
    let receive = SimDuration::from_millis(200);
    Net {
        parts: vec![
            part("price feed", Role::Source { to: id(1), pace: Pace::Listed }),
            part(
                "price API",
                Role::Service {
                    to: vec![id(QUEUE)],
                    calls: Vec::new(),
                    answers: Some(202),
                    room: None,
                },
            ),
            part("alerts", queue(Some(id(DEAD)))),
            part("alerts-dlq", queue(None)),
            part(
                "worker",
                Role::Workers {
                    from: id(QUEUE),
                    others: Vec::new(),
                    weights: Vec::new(),
                    to: Vec::new(),
                    calls: Vec::new(),
                    count: 2,
                    receive,
                    lines,
                },
            ),
            part("mail API", Role::External { room: None }),
        ],
    }
}

fn messages() -> Vec<MessageFrame> {
    let state = |number: u32| match number {
        5 | 9 => MessageState::InFlight,
        8 => MessageState::DeadLettered,
        1..=7 => MessageState::Acked,
        18 => MessageState::Published,
        _ => MessageState::Available,
    };
    let one = |number: u32| MessageFrame {
        of: None,
        id: message(number),
        key: u16::try_from(number % 4).expect("small"),
        state: state(number),
        receives: if number == 8 { 5 } else { u32::from(number < 10) },
        poison: number == 8,
        effects: u32::from(number < 8),
        queue: Some(id(if number == 8 { DEAD } else { QUEUE }))
            .filter(|_| (8..18).contains(&number) || number == 5),
        lost: false,
    };
    (1..=18).map(one).collect()
}

fn queue_frame(available: Vec<MessageId>, in_flight: Vec<InFlight>) -> QueueFrame {
    QueueFrame {
        in_force: None,
        available_total: u32::try_from(available.len()).expect("few"),
        oldest_since: available.first().map(|_| secs(18.5)),
        available,
        delayed: Vec::new(),
        in_flight_total: u32::try_from(in_flight.len()).expect("few"),
        in_flight,
        acked: Vec::new(),
        acked_total: 0,
        dead_lettered_total: 0,
        expired_total: 0,
    }
}

fn hidden(number: u32, instance: u16, since: f64, held: bool) -> InFlight {
    InFlight {
        message: message(number),
        since: secs(since),
        until: Some(secs(since + 30.0)),
        taken_by: worker_id(instance),
        held,
    }
}

fn holding(number: u32, started: f64, step: usize, step_started: f64, step_ends: f64) -> Holding {
    Holding {
        message: message(number),
        attempt: 1,
        started: secs(started),
        step: Some(StepIndex::new(step)),
        step_started: secs(step_started),
        step_ends: secs(step_ends),
        done: (0..step).map(|step| (StepIndex::new(step), Outcome::Ok)).collect(),
        passed_by: 0,
        receipt_valid: true,
    }
}

/// The moment 34.2 s of the first exhibit.
fn frame() -> Frame {
    let waiting = (10..=17).map(message).collect();
    let in_flight = vec![hidden(5, 0, 12.5, false), hidden(9, 1, 30.5, true)];
    let mut queue = queue_frame(waiting, in_flight);
    queue.acked = [1, 2, 3, 4, 6, 7].map(message).to_vec();
    queue.acked_total = 6;
    let dead = WorkerState::Down { since: secs(18.4), until: Some(secs(38.4)) };
    let worker = |state: WorkerState, holding: Holding| WorkerFrame {
        state,
        holding: Some(holding),
        slowed: None,
        ack_loss_armed: false,
        partitions: Vec::new(),
    };
    let instances = vec![
        worker(dead, holding(5, 12.5, 2, 18.3, 18.4)),
        worker(WorkerState::Working, holding(9, 30.5, 1, 31.3, 36.3)),
    ];
    let travel = |number, kind, (from, to), worker, departed, arrives| Travel {
        message: message(number),
        kind,
        from: id(from),
        to: id(to),
        worker,
        departed: secs(departed),
        arrives: secs(arrives),
    };
    Frame {
        now: secs(34.2),
        events: 0,
        components: vec![
            ComponentFrame::Source(SourceFrame {
                sent: 18,
                asked: Default::default(),
                total: Some(18),
                next: None,
            }),
            ComponentFrame::Service(ServiceFrame {
                busy: 1,
                answered: 17,
                waiting: 0,
                refused: 0,
                instances: Vec::new(),
                last_status: None,
            }),
            ComponentFrame::Queue(queue),
            ComponentFrame::Queue(queue_frame(vec![message(8)], Vec::new())),
            ComponentFrame::Workers(WorkersFrame { instances, mended: false }),
            ComponentFrame::External(ExternalFrame {
                busy: 1,
                effects: 7,
                outage_until: None,
                waiting: 0,
                refused: 0,
                brownout: None,
                errors_per_million: None,
            }),
        ],
        messages: messages(),
        travels: vec![
            travel(18, TravelKind::Publish, (1, QUEUE), None, 34.1, 34.5),
            travel(9, TravelKind::Call, (WORKERS, MAIL), Some(worker_id(1)), 31.3, 36.3),
        ],
    }
}

struct Shown {
    plan: Plan,
    motions: Motions,
    svg: String,
}

fn show(frame: &Frame, shape: Shape, change: impl Fn(&mut Scene)) -> Shown {
    let (plan, words) = (arrange(net(), shape), words());
    let motions = motions(frame, &plan, &words, Some(message(5)));
    let mut scene = Scene {
        plan: &plan,
        frame,
        words: &words,
        motions: &motions,
        followed: Some(message(5)),
        selected: None,
        mode: Mode::Live,
        reorder: Some(id(WORKERS)),
        lift: None,
    };
    change(&mut scene);
    let svg = written(&picture(&scene));
    Shown { plan, motions, svg }
}

fn as_it_is(_: &mut Scene) {}

#[test]
fn motions_are_linear_in_virtual_time() {
    let shown = show(&frame(), Shape::Wide, as_it_is);
    let value = |part: Part, at: f64| {
        shown.motions.of(part).map(|(_, motion)| motion.value(secs(at))).unwrap_or_default()
    };
    let check = |part: Part, at: f64, want: &str| assert_eq!(value(part, at), want, "at {at}");
    check(Part::Left(message(5)), 34.2, "8.3 s left");
    check(Part::Left(message(5)), 42.5, "0 s left");
    check(Part::Left(message(9)), 34.2, "26.3 s left");
    check(Part::Waiting(id(QUEUE)), 34.2, "8 waiting, oldest 15.7 s");
    check(Part::Waiting(id(QUEUE)), 35.0, "8 waiting, oldest 16.5 s");
    check(Part::Back(worker_id(0)), 34.2, "back in 4.2 s");
    check(Part::Spent(worker_id(1)), 34.2, "3.7 of 6.0 s");
    check(Part::Bar(worker_id(1)), 33.5, "53");
    check(Part::Ring(message(9)), 45.5, "45.55 120");
    check(Part::Ring(message(9)), 90.0, "0 120");
    // The copy goes from its stop to the next while the line runs.
    let berth = shown.plan.berth(worker_id(1)).expect("worker 2");
    let stop = |i: usize| layout::translate(berth.stops[i]);
    check(Part::Held(worker_id(1)), 31.3, &stop(2));
    check(Part::Held(worker_id(1)), 36.3, &stop(3));
    assert!(shown.motions.of(Part::Held(worker_id(0))).is_none(), "the dead do not move");
    // A call is there at half time and back at the end.
    let call = Part::Travel(message(9), TravelKind::Call, Some(worker_id(1)));
    assert_eq!(value(call, 31.3), value(call, 36.3));
    check(call, 33.8, "translate(854 257)");
}

#[test]
fn a_wait_without_an_end_has_no_progress() {
    let mut frame = frame();
    let workers = &mut frame.components[WORKERS];
    let ComponentFrame::Workers(workers) = workers else { panic!("no workers") };
    let holding = workers.instances[1].holding.as_mut().expect("a message in hand");
    holding.step_ends = SimTime::MAX;
    let shown = show(&frame, Shape::Wide, as_it_is);
    assert!(shown.motions.of(Part::Bar(worker_id(1))).is_none());
    assert!(shown.motions.of(Part::Spent(worker_id(1))).is_none());
    assert!(shown.motions.of(Part::Held(worker_id(1))).is_some(), "it is still in hand");
}

#[test]
fn every_motion_has_its_element() {
    for shape in [Shape::Wide, Shape::Tall] {
        let shown = show(&frame(), shape, as_it_is);
        for (name, motion) in shown.motions.iter() {
            let mark = ["data-m=\"", name, "\""].concat();
            assert_eq!(shown.svg.matches(&mark).count(), 1, "{shape:?}: {name}");
            // The still picture is the motion at the frame's moment.
            let value = motion.value(secs(34.2));
            let written = match motion.change.attribute() {
                Some(attribute) => [attribute, "=\"", &value, "\""].concat(),
                None => value,
            };
            assert!(shown.svg.contains(&written), "{shape:?}: {name} is not at {written}");
        }
    }
}

#[test]
fn the_moment_is_drawn_as_it_is() {
    let check = |shape: Shape, parts: &[(&str, usize)]| {
        let svg = show(&frame(), shape, as_it_is).svg;
        for (part, count) in parts {
            assert_eq!(svg.matches(part).count(), *count, "{shape:?}: {part}");
        }
    };
    let all = [
        ("class=\"tok tok-available", 8),
        ("class=\"tok tok-inflight", 2),
        ("class=\"tok tok-dead", 1),
        ("class=\"tok tok-published", 1),
        ("class=\"tok-halo\"", 1),
        ("class=\"tok-hazard\"", 1),
        ("class=\"berth is-down\"", 1),
        ("class=\"berth\"", 1),
        ("class=\"tear\"", 1),
        ("class=\"rail-stop is-done\"", 6),
        (">held number 5 when it died<", 1),
        (">nobody holds it<", 1),
        (">7 effects<", 1),
        (">on 9, receive 1<", 1),
        ("class=\"t-code is-cur\"", 1),
    ];
    check(Shape::Wide, &all);
    check(Shape::Tall, &all);
    check(Shape::Wide, &[("class=\"tok tok-acked", 6), ("class=\"ln lit\"", 4)]);
    check(Shape::Tall, &[("class=\"tok tok-acked", 4)]);
}

#[test]
fn what_can_be_done_has_a_name_and_one_stop_of_a_kind() {
    let svg = show(&frame(), Shape::Wide, as_it_is).svg;
    assert_eq!(svg.matches("role=\"button\"").count(), svg.matches("aria-label=").count());
    assert_eq!(svg.matches("aria-label=\"\"").count(), 0);
    assert_eq!(svg.matches("tabindex=\"0\"").count(), 3, "a component, a message, a line");
    assert!(svg.contains("aria-label=\"Number 5, in flight, receive 1\""));
    let still = show(&frame(), Shape::Wide, |scene| scene.mode = Mode::Still).svg;
    assert_eq!(still.matches("tabindex").count() + still.matches("role=").count(), 0);
}

#[test]
fn a_picked_line_has_gaps_and_the_others_make_room() {
    let lift = Lift::of(id(WORKERS), 2, 3, Grip::Picked);
    let svg = show(&frame(), Shape::Wide, |scene| scene.lift = Some(lift.over(0))).svg;
    // Above each of the two other lines, on both trains; beside itself there is nothing to gain.
    assert_eq!(svg.matches("class=\"gap\"").count(), 4);
    assert_eq!(svg.matches("is-lifted").count(), 2);
    assert_eq!(svg.matches("transform=\"translate(0 -46)\"").count(), 2);
    assert_eq!(svg.matches("transform=\"translate(0 23)\"").count(), 4);
}

#[test]
fn many_wait_as_a_pill() {
    let check = |waiting: u32, tokens: usize, pill: Option<&str>| {
        let mut frame = frame();
        if let ComponentFrame::Queue(queue) = &mut frame.components[QUEUE] {
            queue.available = (10..10 + waiting.min(64)).map(message).collect();
            queue.available_total = waiting;
        }
        let state = |number: u32| MessageFrame {
            id: message(number),
            state: MessageState::Available,
            ..messages()[9].clone()
        };
        frame.messages = (10..10 + waiting.min(64)).map(state).collect();
        let svg = show(&frame, Shape::Wide, as_it_is).svg;
        assert_eq!(svg.matches("tok-available").count(), tokens, "{waiting}");
        assert_eq!(svg.matches("class=\"pill\"").count(), usize::from(pill.is_some()), "{waiting}");
        assert!(pill.is_none_or(|said| svg.contains(said)), "{waiting}");
    };
    check(0, 0, None);
    check(10, 10, None);
    check(11, 7, Some(">4 more<"));
    check(200, 7, Some(">193 more<"));
    check(500_000, 7, Some(">+499,993<"));
}

#[test]
fn what_is_acked_and_lost_is_not_drawn_as_done() {
    let mut frame = frame();
    frame.messages[2].lost = true;
    let svg = show(&frame, Shape::Wide, as_it_is).svg;
    assert_eq!(svg.matches("class=\"tok tok-acked").count(), 5);
    assert_eq!(svg.matches("tok-lost").count(), 1);
    assert!(svg.contains(">6 acked and deleted, 1 lost<"));
    assert!(svg.contains("aria-label=\"Number 3, acked, and lost: its work was not done\""));
}

#[test]
fn workers_say_what_is_wrong_with_them() {
    let check = |change: fn(&mut WorkerFrame), parts: &[&str]| {
        let mut frame = frame();
        if let ComponentFrame::Workers(workers) = &mut frame.components[WORKERS] {
            change(&mut workers.instances[1]);
        }
        let svg = show(&frame, Shape::Wide, as_it_is).svg;
        for part in parts {
            assert!(svg.contains(part), "no {part}");
        }
    };
    check(
        |worker| worker.state = WorkerState::Paused { until: secs(40.0) },
        &["berth is-paused", ">frozen, 5.8 s more<", ">still holds number 9<"],
    );
    check(
        |worker| worker.slowed = Some((400, secs(40.0))),
        &["berth is-slow", ">on 9, 4× slower<"],
    );
    check(|worker| worker.holding.as_mut().expect("number 9").attempt = 3, &[">on 9, receive 3<"]);
    check(|worker| worker.ack_loss_armed = true, &[">will be lost<"]);
    check(
        |worker| {
            *worker = WorkerFrame { state: WorkerState::Idle, holding: None, ..worker.clone() }
        },
        &[">idle<", ">waits for a message<"],
    );
    // A line that is for other messages takes this one no time: here the ack, of 0.2 s.
    check(
        |worker| worker.holding.as_mut().expect("number 9").passed_by = 0b100,
        &[">3.7 of 5.8 s<"],
    );
    // After its own ack a receipt is used up, and nothing is wrong.
    check(
        |worker| {
            let held = worker.holding.as_mut().expect("number 9");
            held.receipt_valid = false;
            held.done.push((StepIndex::new(2), Outcome::Ok));
        },
        &[">3.7 of 6.0 s<"],
    );
    check(
        |worker| worker.holding.as_mut().expect("number 9").receipt_valid = false,
        &[">stale receipt: ack will fail<", "tok-dup"],
    );
    check(
        |worker| worker.state = WorkerState::Down { since: secs(34.0), until: None },
        &[">dead for good<", ">held number 9 when it died<"],
    );
}

#[test]
fn codes_of_goals_are_read_back() {
    use super::draw::Goal;
    let check = |code: &str, want: Option<Goal>| assert_eq!(Goal::read(code), want, "{code}");
    check("m4", Some(Goal::Message(message(5))));
    check("c2", Some(Goal::Component(id(2))));
    check("l1", Some(Goal::Line(1)));
    check("g0", Some(Goal::Gap(0)));
    check("c99999", None);
    check("x1", None);
    check("m", None);
    check("", None);
    check("é", None);
}
