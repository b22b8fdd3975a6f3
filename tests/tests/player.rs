//! A run in hand: seeking, branching and taking back must give what a run from the start gives.

use player::{Finding, Frame, Gauge, Player, Progress, StretchKind};
use scenario::{Action, Intervention};
use serde_json::{Value as Json, json};
use sim::{SimDuration, SimTime};
use tests::runs::{finished, scenario, trace_text, with};

/// Something always goes on: Poisson arrivals, three workers, log-normal calls that sometimes fail.
fn busy() -> Json {
    with(&[
        ("/components/feed/arrivals", json!({ "poisson": { "per_second": 2.5, "count": 400 } })),
        ("/components/crew/count", json!(3)),
        ("/components/crew/restart_after", json!("5s")),
        ("/components/mail/latency", json!({ "log_normal": { "median": "900ms", "p99": "4s" } })),
        ("/components/mail/error_rate", json!(0.05)),
    ])
}

fn at(seconds: u64) -> SimTime {
    SimTime::from_secs(seconds)
}

fn crash(player: &Player) -> Action {
    let component = player.scenario().find("crew").expect("there is a crew");
    Action::Crash { component, instance: Some(0), restart_after: None, border: None }
}

/// The frame at a time, of a run that was never sought in.
fn fresh_frame(document: &Json, interventions: &[Intervention], time: SimTime) -> Frame {
    let mut player = Player::with_interventions(scenario(document), interventions.to_vec());
    player.finish();
    player.seek(time);
    player.frame()
}

#[test]
fn seeking_anywhere_in_any_order_shows_the_same_frame() {
    let document = busy();
    let mut player = finished(&document);
    assert!(player.trace().len() > 2_000, "long enough for snapshots to matter");
    for seconds in [0, 150, 3, 149, 150, 12, 13, 299, 1, 80] {
        player.seek(at(seconds));
        assert_eq!(player.position(), at(seconds).min(player.end()));
        assert_eq!(player.frame(), fresh_frame(&document, &[], at(seconds)), "at {seconds} s");
    }
}

#[test]
fn a_run_computed_in_slices_is_the_run_computed_at_once() {
    let mut player = Player::new(scenario(&busy()));
    assert_eq!(player.progress(), Progress::Running);
    while player.advance(7) == Progress::Running {}
    assert_eq!(trace_text(&player), trace_text(&finished(&busy())));
}

#[test]
fn an_intervention_changes_what_follows_and_nothing_before() {
    let document = busy();
    let mut player = finished(&document);
    let before = trace_text(&player);
    player.seek(at(40));
    let index = player.intervene(crash(&player));
    player.finish();
    let after = trace_text(&player);
    let same = before.lines().zip(after.lines()).take_while(|(a, b)| a == b).count();
    let divergence = after.lines().nth(same).expect("a difference");
    assert!(divergence.starts_with("40.000000 crashed crew.1"), "{divergence}");
    assert_eq!(player.frame(), fresh_frame(&document, player.interventions(), at(40)));

    player.seek(at(90));
    assert_eq!(player.frame(), fresh_frame(&document, player.interventions(), at(90)));
    let taken = player.take_back(index).expect("it is there");
    assert_eq!(taken.at, at(40));
    player.finish();
    assert_eq!(trace_text(&player), before);
    assert_eq!(player.position(), at(90));
    assert_eq!(player.take_back(0), None);
}

#[test]
fn interventions_of_one_instant_come_in_the_order_in_which_they_were_made() {
    let document = busy();
    let mut player = finished(&document);
    player.seek(at(40));
    player.intervene(crash(&player));
    let component = player.scenario().find("mail").expect("there is a mail API");
    player.intervene(Action::Outage { component, lasts: SimDuration::from_secs(9) });
    player.finish();
    let mut fresh =
        Player::with_interventions(scenario(&document), player.interventions().to_vec());
    fresh.finish();
    assert_eq!(trace_text(&player), trace_text(&fresh));
}

#[test]
fn stepping_visits_every_instant_forth_and_back() {
    let mut player = finished(&with(&[]));
    let mut forth = vec![player.position()];
    while player.position() < player.end() {
        player.step_forward();
        forth.push(player.position());
    }
    let mut back = vec![player.position()];
    while player.position() > SimTime::ZERO {
        player.step_back();
        back.push(player.position());
    }
    back.reverse();
    assert_eq!(forth, back);
    assert_eq!(forth, [SimTime::ZERO, at(1)]);
}

#[test]
fn the_next_event_of_a_kind_is_found_or_the_playhead_stays() {
    let mut player = finished(&with(&[]));
    assert!(player.seek_next(|what| matches!(what, world::What::Acked { .. })));
    assert_eq!(player.position(), at(1));
    assert!(!player.seek_next(|what| matches!(what, world::What::Acked { .. })));
    assert_eq!(player.position(), at(1));
}

#[test]
fn gauges_agree_with_the_queues_own_counts_at_every_time() {
    let mut player = finished(&busy());
    let jobs = player.scenario().find("jobs").expect("there is a queue");
    let mail = player.scenario().find("mail").expect("there is a mail API");
    let depth = player.gauge(Gauge::Depth(jobs));
    let hidden = player.gauge(Gauge::InFlight(jobs));
    let acked = player.gauge(Gauge::Acked(jobs));
    let oldest = player.gauge(Gauge::Oldest(jobs));
    let effects = player.gauge(Gauge::Effects(mail));
    for tenth in (0..3_000).step_by(7) {
        let now = SimTime::from_millis(tenth * 100).min(player.end());
        player.seek(now);
        let frame = player.frame();
        let player::ComponentFrame::Queue(queue) = &frame.components[jobs.index()] else {
            unreachable!("jobs is a queue")
        };
        let player::ComponentFrame::External(external) = &frame.components[mail.index()] else {
            unreachable!("mail is external")
        };
        let age = queue.oldest_since.map_or(0.0, |since| (now - since).as_secs_f64());
        let check = |what, found: f64, wanted: f64| {
            assert!((found - wanted).abs() < 1e-9, "{what} at {now}: {found}, not {wanted}");
        };
        check("depth", depth.value_at(now), f64::from(queue.available_total));
        check("in flight", hidden.value_at(now), f64::from(queue.in_flight_total));
        check("acked", acked.value_at(now), f64::from(queue.acked_total));
        check("effects", effects.value_at(now), f64::from(external.effects));
        check("oldest", oldest.value_at(now), age);
    }
}

#[test]
fn verdicts_name_their_first_witness() {
    let player = finished(&with(&[]));
    assert!(player.verdicts().iter().all(|verdict| verdict.finding == Finding::Holds));
    let open = Player::new(scenario(&with(&[])));
    assert!(open.verdicts().iter().all(|verdict| verdict.finding == Finding::Open));
    let faults = json!([{ "at": "0s", "lose": { "what": "ack", "component": "crew" } }]);
    let player = finished(&with(&[("/faults", faults)]));
    let Finding::Broken { witness, times: 1 } = player.verdicts()[1].finding else {
        panic!("a lost ack makes a second effect: {:?}", player.verdicts())
    };
    assert!(matches!(player.trace()[witness].what, world::What::Effected { nth: 2, .. }));
    assert_eq!(player.verdicts()[0].finding, Finding::Holds);
}

#[test]
fn a_life_is_a_row_of_states_without_gaps() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "restart_after": "2s" } }]);
    let player = finished(&with(&[
        ("/components/feed/travel", json!("250ms")),
        ("/interventions", crash),
        ("/components/mail/if_caller_dies", json!("stops")),
    ]));
    let life = player.life(broker::MessageId::from_index(0));
    let names: Vec<_> = life
        .stretches
        .iter()
        .map(|stretch| match stretch.kind {
            StretchKind::Published => "published".to_owned(),
            StretchKind::Waiting { receives } => format!("waiting after {receives}"),
            StretchKind::Hidden { receive, held_until, .. } => {
                format!("hidden {receive} let go {:?}", held_until.map(SimTime::as_secs_f64))
            }
            StretchKind::Acked => "acked".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        names,
        [
            "published",
            "waiting after 0",
            "hidden 1 let go Some(0.5)",
            "waiting after 1",
            "hidden 2 let go None",
            "acked",
        ]
    );
    assert!(life.stretches.windows(2).all(|pair| pair[0].to == pair[1].from));
    assert_eq!(life.stretches.last().map(|last| last.to), Some(player.end()));
}

#[test]
fn lives_in_one_pass_are_the_lives_one_by_one() {
    let content = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/course/content/exhibits");
    let mut compared = 0;
    for entry in std::fs::read_dir(content).expect("the exhibits' folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("an exhibit");
        let document: Json = serde_json::from_str(&text).expect("JSON");
        let player = finished(&document["scenario"]);
        for life in player.lives(2..12) {
            assert_eq!(life, player.life(life.message), "{}: {:?}", path.display(), life.message);
            compared += usize::from(!life.stretches.is_empty());
        }
    }
    assert!(compared > 200, "{compared} messages had a life");
}

#[test]
fn a_request_that_is_answered_is_on_its_way_no_longer() {
    let text = include_str!("../../crates/course/content/exhibits/one-outage-two-orders.json");
    let document: Json = serde_json::from_str(text).expect("JSON");
    let player = finished(&document["scenario"]);
    let kinds = |position: u32| -> Vec<StretchKind> {
        let life = player.life(broker::MessageId::from_index(position));
        life.stretches.iter().map(|stretch| stretch.kind).collect()
    };
    use StretchKind::{Answered, Published};
    assert_eq!(kinds(0), [Published, Answered { status: 201 }]);
    let refused = Answered { status: 503 };
    assert_eq!(kinds(1), [Published, refused, Published, refused]);
}
