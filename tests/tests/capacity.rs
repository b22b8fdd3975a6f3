//! The rules of capacity and load, each as a run: turns, waiting rooms, rates, brownouts, spikes, and
//! the retry storm.

#![allow(clippy::needless_pass_by_value, reason = "what json! makes is handed over")]

use player::Player;
use serde_json::{Value as Json, json};
use tests::runs::{check, finished, scenario, trace_text, with};
use world::{Part, Plan, SourceState, Trace, World};

const CAPACITY: &str = "/components/mail/capacity";

/// The base scenario with three workers and three messages at once.
fn three(capacity: Json) -> Vec<(&'static str, Json)> {
    vec![
        ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        ("/components/crew/count", json!(3)),
        (CAPACITY, capacity),
    ]
}

fn times(player: &Player, word: &str) -> Vec<f64> {
    let text = trace_text(player);
    let lines = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    lines.filter(|w| w[1] == word).map(|w| w[0].parse().expect("a time")).collect()
}

#[test]
fn servers_take_calls_in_turn_and_refuse_who_finds_no_room_to_wait() {
    check(
        &three(json!({ "servers": 1 })),
        &[
            "1.000000 effected mail 1 crew.1 nth 1",
            "2.000000 effected mail 2 crew.2 nth 1",
            "3.000000 effected mail 3 crew.3 nth 1",
            "!call-failed",
        ],
    );
    let mut one_waits = three(json!({ "servers": 1, "waiting": 1, "when_full": "refuse" }));
    one_waits.push(("/components/crew/on_error", json!({ "nack": { "delay": "10s" } })));
    check(
        &one_waits,
        &[
            "0.000000 call-failed mail 3 crew.3",
            "0.000000 nacked jobs 3 crew.3 visible 10.000000",
            "1.000000 effected mail 1 crew.1 nth 1",
            "2.000000 effected mail 2 crew.2 nth 1",
            "11.000000 effected mail 3",
        ][..4],
    );
}

#[test]
fn who_dies_in_the_waiting_room_of_a_dialogue_leaves_it_and_who_has_sent_a_request_does_not() {
    let crash = json!([{ "at": "500ms", "crash": { "component": "crew", "instance": 1 } }]);
    let mut stops = three(json!({ "servers": 1 }));
    stops.push(("/components/mail/if_caller_dies", json!("stops")));
    stops.push(("/faults", crash.clone()));
    check(
        &stops,
        &["1.500000 effected mail 2 crew.2 nth 1", "2.500000 effected mail 3 crew.3 nth 1"],
    );
    let mut goes_on = three(json!({ "servers": 1 }));
    goes_on.push(("/faults", crash));
    check(
        &goes_on,
        &["1.000000 effected mail 1 crew.1 nth 1", "2.000000 effected mail 2 crew.2 nth 1"],
    );
}

#[test]
fn work_for_callers_that_have_given_up_is_done_and_wasted() {
    let mut changes = three(json!({ "servers": 1 }));
    changes.push(("/components/crew/on_error", json!("leave")));
    changes.push((
        "/components/crew/on_message",
        json!([{ "call": { "to": "mail", "timeout": "1500ms" } }, "ack"]),
    ));
    check(
        &changes,
        &[
            "1.500000 step-ended crew.2 2 line 1 timeout",
            "1.500000 step-ended crew.3 3 line 1 timeout",
            "2.000000 effected mail 2 crew.2 nth 1",
            "3.000000 effected mail 3 crew.3 nth 1",
        ],
    );
}

#[test]
fn a_rate_spaces_calls_or_says_when_to_come_again() {
    let effects = |capacity: Json, more: &[(&'static str, Json)]| {
        let mut changes = three(capacity);
        changes.push(("/components/mail/latency", json!("0s")));
        changes.extend_from_slice(more);
        times(&finished(&with(&changes)), "effected")
    };
    assert_eq!(effects(json!({ "per_second": 2 }), &[]), [0.0, 0.5, 1.0]);
    assert_eq!(effects(json!({ "per_second": 2, "burst": 2 }), &[]), [0.0, 0.0, 0.5]);
    let polite = json!([{ "call": { "to": "mail", "retry": {
        "fixed": { "delay": "10ms" }, "attempts": 9, "retry_after": "replaces" } } }, "ack"]);
    let asks = [("/components/crew/on_message", polite)];
    let limited = json!({ "per_second": 2, "when_full": "429" });
    assert_eq!(effects(limited, &asks), [0.0, 0.5, 1.0]);
    // Nobody is told when to come again, and so they come every ten milliseconds.
    let mute = json!({ "per_second": 2, "when_full": "refuse" });
    let text = trace_text(&finished(&with(&{
        let mut changes = three(mute);
        changes.extend(asks);
        changes
    })));
    assert!(text.contains("0.010000 call-failed"), "{text}");
}

#[test]
fn a_brownout_takes_capacity_and_gives_it_back() {
    let mut changes = three(json!({ "servers": 3 }));
    changes.push((
        "/faults",
        json!([{ "at": "0s", "brownout": { "component": "mail", "for": "90s", "capacity": 0.4,
                                           "latency_percent": 200 } }]),
    ));
    changes[0].1 = json!({ "at": ["1s", "1s", "1s"] });
    check(
        &changes,
        &[
            "0.000000 brownout-began mail 40 until 90.000000",
            "3.000000 effected mail 1 crew.1 nth 1",
            "5.000000 effected mail 2 crew.2 nth 1",
            "7.000000 effected mail 3 crew.3 nth 1",
        ],
    );
    changes[3].1[0]["brownout"]["for"] = json!("2500ms");
    check(
        &changes,
        &[
            "2.500000 brownout-ended mail",
            "3.000000 effected mail 1 crew.1 nth 1",
            "3.500000 effected mail 2 crew.2 nth 1",
            "3.500000 effected mail 3 crew.3 nth 1",
        ],
    );
}

#[test]
fn a_spike_makes_the_schedule_go_by_faster_from_where_it_stands() {
    let player = finished(&with(&[
        ("/components/feed/arrivals", json!({ "every": { "interval": "2s", "count": 6 } })),
        (
            "/faults",
            json!([{ "at": "3s", "spike": { "component": "feed", "percent": 400, "for": "1s" } }]),
        ),
    ]));
    // One of two seconds is left at 3 s and takes a quarter; then every half second; from 4 s on
    // half of the gap is left and takes its whole time.
    assert_eq!(times(&player, "published"), [0.0, 2.0, 3.25, 3.75, 5.0, 7.0]);
    assert_eq!(times(&player, "spike-ended"), [4.0]);
}

#[test]
fn bursts_come_at_once_and_measured_times_lie_between_their_percentiles() {
    let player = finished(&with(&[(
        "/components/feed/arrivals",
        json!({ "bursts": { "first": "1s", "interval": "10s", "size": 3, "count": 7 } }),
    )]));
    assert_eq!(times(&player, "published"), [1.0, 1.0, 1.0, 11.0, 11.0, 11.0, 21.0]);
    let measured = json!({ "measured": { "min": "1s", "p50": "2s", "p90": "3s", "p99": "10s", "max": "20s" } });
    let player = finished(&with(&[
        ("/components/feed/arrivals", json!({ "every": { "interval": "100s", "count": 2000 } })),
        ("/until", json!("30d")),
        ("/components/mail/latency", measured),
    ]));
    let (starts, ends) = (times(&player, "step-started"), times(&player, "effected"));
    let calls = starts.iter().step_by(2).zip(&ends);
    let mut lengths: Vec<f64> = calls.map(|(start, end)| end - start).collect();
    lengths.sort_by(f64::total_cmp);
    let at = |share: f64| lengths[(share * 2000.0) as usize];
    assert!((lengths[0] - 1.0).abs() < 0.05 && lengths[1999] <= 20.0);
    assert!((at(0.5) - 2.0).abs() < 0.06, "{}", at(0.5));
    assert!((at(0.85) - 2.875).abs() < 0.08, "{}", at(0.85));
}

/// A list is drawn from with replacement, each place as likely as any other, by the component's own
/// stream: what else is in the scenario changes nothing of it.
#[test]
fn a_measured_list_says_how_long_calls_take() {
    let run = |more: &[(&'static str, Json)]| {
        let mut changes = vec![
            ("/components/feed/arrivals", json!({ "every": { "interval": "10s", "count": 2000 } })),
            ("/until", json!("30000s")),
            ("/components/mail/latency", json!({ "measured": ["1s", "1s", "1s", "4s"] })),
        ];
        changes.extend_from_slice(more);
        let player = finished(&with(&changes));
        let (starts, ends) = (times(&player, "step-started"), times(&player, "effected"));
        let calls = starts.iter().step_by(2).zip(&ends);
        calls.map(|(start, end)| end - start).collect::<Vec<f64>>()
    };
    let lengths = run(&[]);
    let long = lengths.iter().filter(|length| (**length - 4.0).abs() < 1e-9).count();
    let short = lengths.iter().filter(|length| (**length - 1.0).abs() < 1e-9).count();
    assert_eq!(long + short, 2000, "nothing that is not in the list");
    // A quarter, within four standard deviations.
    assert!((422..578).contains(&long), "{long}");
    assert_eq!(lengths, run(&[("/components/crew/count", json!(3))]));
    assert_ne!(lengths, run(&[("/seed", json!("2"))]));
}

fn callers(world: &World) -> &SourceState {
    let found = world.parts().iter().find_map(|part| match part {
        Part::Source(state) => Some(&**state),
        _ => None,
    });
    found.expect("there is a source")
}

/// Runs a document to its end without keeping its trace.
fn counted(document: &Json) -> World {
    let scenario = std::sync::Arc::new(scenario(document));
    let plan = Plan::of(&scenario);
    let mut world = World::new(&scenario);
    while world.step(&mut Trace::counting(), &plan) {}
    world
}

/// The crowd of the course: 300 clients that fail together within 0.2 s, before a server that answers
/// nothing before 10 s and then 20 in 100 ms, less when it is asked for more.
fn crowd(retry: Json, until: &str) -> World {
    // What is done at an instant comes after all else of it: a request at 0 would find the server up.
    let mut at = vec!["1ms"; 135];
    at.extend(vec!["101ms"; 165]);
    counted(&json!({
        "format": 1, "name": "crowd", "seed": "5", "until": until,
        "components": {
            "clients": { "is": "source", "to": "api", "request": "ask", "arrivals": { "at": at },
                         "retry": retry },
            "api": { "is": "service", "handles": { "ask": [{ "call": { "to": "server" } }, { "respond": 200 }] } },
            "server": { "is": "external", "latency": "0s", "capacity": {
                "per_slice": 20, "slice": "100ms", "waste_percent": 100, "floor_percent": 25 } },
        },
        "faults": [{ "at": "0s", "outage": { "component": "server", "for": "10s" } }],
    }))
}

#[test]
fn a_crowd_in_step_is_served_ten_a_wave_and_one_with_jitter_at_once() {
    let sent = |world: &World| callers(world).sent + callers(world).retries;
    let step = crowd(json!({ "exponential": { "base": "1s", "cap": "8s" } }), "30s");
    // 300 clients × 5, and 290 that were left; ten are served in each of two waves.
    assert_eq!((sent(&step), callers(&step).succeeded), (1_790, 20));
    let jitter = crowd(json!({ "full_jitter": { "base": "1s", "cap": "8s" } }), "30s");
    assert_eq!(callers(&jitter).succeeded, 300);
    assert!((1_750..=1_930).contains(&sent(&jitter)), "{}", sent(&jitter));
    let none = crowd(json!({ "none": {} }), "30s");
    assert_eq!((sent(&none), callers(&none).succeeded), (300, 0));
}

#[test]
fn the_storm_outlasts_the_brownout_that_began_it() {
    let mut storm: Json =
        serde_json::from_str(include_str!("../scenarios/storm.json")).expect("well-formed");
    let world = counted(&storm);
    let state = callers(&world);
    // The same model in SimPy, two seeds: 12,000 answered, 19,150 given up, 130,000 tries.
    assert!((11_500..=12_600).contains(&state.succeeded), "{}", state.succeeded);
    assert!((18_600..=19_800).contains(&state.gave_up), "{}", state.gave_up);
    let tries = state.sent + state.retries;
    assert!((127_000..=133_000).contains(&tries), "{tries}");
    assert!(state.open > 3_000, "it still storms at the end: {}", state.open);
    storm["faults"] = json!([]);
    let calm = counted(&storm);
    assert_eq!((callers(&calm).gave_up, callers(&calm).retries), (0, 0));
    // A budget of a tenth ends it.
    storm["faults"] =
        json!([{ "at": "8s", "slow": { "component": "api", "percent": 600, "for": "4s" } }]);
    storm["components"]["callers"]["retry"]["budget"] =
        json!({ "finagle": { "ttl": "10s", "min_per_second": 0, "share_milli": 100 } });
    let kept = counted(&storm);
    let state = callers(&kept);
    assert!(state.retries < state.sent / 8, "{} retries", state.retries);
}
