//! What is drawn of runs that are no pipelines.

use player::{Frame, Player};

use super::draw::{Mode, Scene, picture};
use super::layout::{Net, Pace, Plan, Role, Shape, plan};
use super::motion::motions;
use crate::testing::{self, words, written};
use crate::words::Words;

/// A run of these components, and its frame at a moment.
fn run(components: &str, seconds: u64) -> (Player, Frame) {
    let player = testing::run(components, seconds);
    let frame = player.frame();
    (player, frame)
}

fn draw(plan: &Plan, frame: &Frame, words: &Words) -> String {
    let motions = motions(frame, plan, words, None);
    let scene = Scene {
        plan,
        frame,
        words,
        motions: &motions,
        followed: frame.travels.first().map(|travel| travel.message),
        selected: None,
        mode: Mode::Live,
        reorder: None,
        lift: None,
    };
    let svg = written(&picture(&scene));
    for (name, motion) in motions.iter() {
        let mark = ["data-m=\"", name, "\""].concat();
        assert_eq!(svg.matches(&mark).count(), 1, "{:?}: {name}", plan.shape);
        let value = motion.value(frame.now);
        assert!(svg.contains(&value), "{:?}: {name} is not at {value}", plan.shape);
    }
    svg
}

/// Looks for parts of the picture in both shapes, each as often as told. What moves is where it
/// should be.
#[track_caller]
fn check(components: &str, seconds: u64, parts: &[(&str, usize)]) {
    check_with(components, "[]", seconds, parts);
}

/// The same of a run in which something breaks.
#[track_caller]
fn check_with(components: &str, faults: &str, seconds: u64, parts: &[(&str, usize)]) {
    let player = testing::run_with(components, faults, seconds);
    let frame = player.frame();
    for shape in [Shape::Wide, Shape::Tall] {
        let svg = draw(&plan(player.scenario(), shape), &frame, &words());
        for (part, count) in parts {
            assert_eq!(svg.matches(part).count(), *count, "{shape:?}: {part}");
        }
    }
}

const FAN: &str = r##"
    "feed": { "is": "source", "to": "news", "routing_key": "key", "arrivals": { "every": { "interval": "1s", "count": 9 } },
              "messages": [{ "key": "a.b" }] },
    "news": { "is": "topic", "exchange": "topic", "to": [ { "queue": "all", "key": "#" }, { "queue": "some", "key": "a.*" } ] },
    "all": { "is": "queue", "profile": "sqs-standard", "dead_letter_to": "dead", "max_receive_count": 3 },
    "some": { "is": "queue", "profile": "sqs-standard" },
    "dead": { "is": "queue", "profile": "sqs-standard" },
    "reader": { "is": "workers", "from": "all", "count": 2, "on_message": [ { "wait": { "for": "5s" } }, "ack" ] },
    "other": { "is": "workers", "from": "some", "count": 5, "on_message": [ { "call": { "to": "mail" } }, "ack" ] },
    "mail": { "is": "external", "latency": "700ms" }"##;

#[test]
fn a_topic_has_what_its_bindings_ask_for_on_its_lines() {
    check(
        FAN,
        4,
        &[
            (">#<", 1),
            (">a.*<", 1),
            // Each queue has a copy of all five, on offer or in flight.
            (">3 waiting, oldest 2.0 s<", 1),
            (">3 more, 1 at work<", 1),
            (">dead: empty<", 1),
            ("class=\"berth\"", 4),
        ],
    );
}

fn log(interval: &str) -> String {
    let log = r#"
    "feed": { "is": "source", "to": "bids", "key": "of", "messages": [{ "of": "a" }],
              "arrivals": { "every": { "interval": "EACH", "count": 5000 } } },
    "bids": { "is": "log", "profile": "kafka", "partitions": 2 },
    "slow": { "is": "workers", "from": "bids", "group": { "auto_offset_reset": "earliest", "initial_delay": "0s" },
              "on_message": [ { "wait": { "for": "2s" } }, "ack" ] },
    "quick": { "is": "workers", "from": "bids", "group": { "auto_offset_reset": "earliest", "initial_delay": "0s" },
               "on_message": [ { "wait": { "for": "1ms" } }, "ack" ] }"#;
    log.replace("EACH", interval)
}

#[test]
fn a_log_shows_records_at_their_offsets_and_where_each_group_stands() {
    let parts: &[(&str, usize)] = &[
        (">P0<", 1),
        (">P1<", 1),
        ("class=\"mark\"", 2),
        ("class=\"mark is-other\"", 2),
        // Whoever is first in the document gives the records their shape.
        ("class=\"lane\"", 2),
        ("class=\"pile\"", 0),
        ("class=\"pill\"", 0),
    ];
    check(&log("1s"), 6, parts);
}

#[test]
fn hundreds_are_a_pill_and_thousands_a_bar() {
    // Those of the group that gives the records their shape: it has done hardly any.
    let (player, frame) = run(&log("10ms"), 5);
    let pill = draw(&plan(player.scenario(), Shape::Wide), &frame, &words());
    let (player, frame) = run(&log("10ms"), 40);
    let bar = draw(&plan(player.scenario(), Shape::Wide), &frame, &words());
    let counts =
        |svg: &str| (svg.matches("class=\"pill\"").count(), svg.matches("class=\"pile\"").count());
    let first = player.scenario().components.iter().find_map(|component| match &component.kind {
        scenario::Kind::Workers(_) => Some(component.name.as_str()),
        _ => None,
    });
    let behind = usize::from(first == Some("slow"));
    assert_eq!((counts(&pill), counts(&bar)), ((behind, 0), (0, behind)));

    let queue = r#"
    "feed": { "is": "source", "to": "jobs", "arrivals": { "every": { "interval": "10ms", "count": 5000 } } },
    "jobs": { "is": "queue", "profile": "sqs-standard" },
    "rare": { "is": "queue", "profile": "sqs-standard" },
    "crew": { "is": "workers", "from": ["rare", "jobs"], "on_message": [ { "wait": { "for": "30s" } }, "ack" ] }"#;
    check(queue, 2, &[("class=\"pill\"", 1), ("class=\"pile\"", 0), (">turn 2<", 1)]);
    check(queue, 40, &[("class=\"pill\"", 0), ("class=\"pile\"", 1), ("tok-available", 2)]);
}

#[test]
fn a_scheduler_says_when_the_next_run_is_due_or_how_many_wait_and_shows_that_it_is_down() {
    let nightly = r#"
    "clock": { "is": "scheduler", "every": "10s", "lease": "30s" },
    "crew": { "is": "workers", "from": "clock", "count": 1,
              "on_message": [ { "wait": { "for": "15s" } }, "ack" ] }"#;
    let down = r#"[{ "at": "4s", "crash": { "component": "clock", "restart_after": "3s" } }]"#;
    let said = |next, due, down| {
        [
            ("clock, scheduler", 1),
            (">next 0:10<", next),
            (">1 due<", due),
            ("class=\"stn is-down\"", down),
        ]
    };
    check(nightly, 5, &said(1, 0, 0));
    check(nightly, 12, &said(0, 1, 0));
    check_with(nightly, down, 5, &said(0, 0, 1));
    check_with(nightly, down, 8, &said(1, 0, 0));
}

#[test]
fn services_show_their_places_and_who_waits() {
    let busy = r#"
    "shop": { "is": "source", "to": "api", "request": "ask", "arrivals": { "every": { "interval": "10ms", "count": 500 } } },
    "api": { "is": "service", "concurrency": 3, "waiting": 20,
             "handles": { "ask": [ { "call": { "to": "bank" } }, { "respond": 200 } ] } },
    "bank": { "is": "external", "latency": "1s", "capacity": { "servers": 2, "waiting": 5 } }"#;
    check(
        busy,
        3,
        &[
            (">3 of 3 busy<", 1),
            (">2 of 2 busy<", 1),
            (">1 wait<", 1),
            (" refused<", 1),
            ("class=\"seat is-taken\"", 5),
        ],
    );
}

/// A source of these arrivals and a queue of this profile, whose workers' one line has this name.
fn line_of(arrivals: &str, profile: &str, line: &str) -> String {
    let line_of = r#"
    "feed": { "is": "source", "to": "jobs", "arrivals": ARRIVALS },
    "jobs": { "is": "queue", "profile": "PROFILE" },
    "crew": { "is": "workers", "from": "jobs", "count": 4, "on_message": [ { "wait": { "label": "LINE", "for": "9s" } }, "ack" ] }"#;
    line_of.replace("ARRIVALS", arrivals).replace("PROFILE", profile).replace("LINE", line)
}

#[test]
fn a_source_says_its_rate_and_a_burst_how_many_come_at_once() {
    let said = |arrivals: &str, said: &str| {
        check(&line_of(arrivals, "sqs-standard", "work"), 4, &[(said, 1)]);
    };
    said(r#"{ "rate": { "per_second": 30 } }"#, ">30 per second<");
    said(r#"{ "bursts": { "size": 200, "interval": "1s", "count": 200 } }"#, ">200 at once<");
    said(r#"{ "bursts": { "size": 100, "interval": "1h", "count": 500 } }"#, ">100 at once<");
    said(r#"{ "bursts": { "size": 50, "interval": "1h", "count": 5 } }"#, ">5 at once<");
    said(r#"{ "bursts": { "size": 1, "interval": "2s" } }"#, ">one every 2 s<");
    said(r#"{ "bursts": { "size": 10, "interval": "20s" } }"#, ">10 at once");
    let again = line_of(r#"{ "bursts": { "size": 10, "interval": "20s" } }"#, "sqs-standard", "a");
    let (player, _) = run(&again, 1);
    let net = Net::of(player.scenario());
    let paces = net.parts.iter().filter_map(|part| match part.role {
        Role::Source { pace, .. } => Some(pace),
        _ => None,
    });
    let every = Some(sim::SimDuration::from_secs(20));
    assert_eq!(paces.collect::<Vec<_>>(), [Pace::Burst { size: 10, every }]);
}

#[test]
fn only_a_queue_with_a_timer_speaks_of_the_ring() {
    let rate = r#"{ "rate": { "per_second": 2 } }"#;
    let ring = |profile: &str| {
        let (player, frame) = run(&line_of(rate, profile, "work"), 4);
        let svg = draw(&plan(player.scenario(), Shape::Wide), &frame, &words());
        svg.matches(">back when the ring runs out<").count()
    };
    assert_eq!((ring("sqs-standard"), ring("rabbitmq-classic")), (1, 0));
}

#[test]
fn a_small_train_leaves_its_line_all_the_room_beside_the_progress() {
    let rate = r#"{ "rate": { "per_second": 2 } }"#;
    let (player, frame) = run(&line_of(rate, "sqs-standard", "ask for the job"), 4);
    for shape in [Shape::Wide, Shape::Tall] {
        let svg = draw(&plan(player.scenario(), shape), &frame, &words());
        let said = |name: &str| svg.matches(&[">", name, "<"].concat()).count();
        assert!(said("ask for the job") >= 3 && said("ask for the…") == 0, "{shape:?}");
    }
}

#[test]
fn a_name_beside_a_ring_has_the_room_up_to_the_next() {
    let two = r#"
    "tenants": { "is": "source", "label": "twelve tenants", "to": "jobs", "arrivals": { "rate": { "per_second": 3 } } },
    "importer": { "is": "source", "to": "jobs", "arrivals": { "rate": { "per_second": 1 } } },
    "jobs": { "is": "queue", "profile": "sqs-standard" },
    "crew": { "is": "workers", "from": "jobs", "on_message": [ "ack" ] }"#;
    let (player, frame) = run(two, 4);
    let svg = draw(&plan(player.scenario(), Shape::Tall), &frame, &words());
    assert!(svg.contains(">twelve tenants<"));
}

#[test]
fn what_holds_now_is_drawn_and_not_what_the_scenario_began_with() {
    let shop = r#"
    "shop": { "is": "source", "to": "api", "request": "ask", "arrivals": { "every": { "interval": "1s", "count": 30 } } },
    "api": { "is": "service", "handles": { "ask": [ { "publish": { "to": "jobs" } }, { "respond": 202 } ] } },
    "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "30s" },
    "crew": { "is": "workers", "from": "jobs", "on_message": [ { "wait": { "for": "2s" } }, "ack" ] }"#;
    let faults = r#"[ { "at": "5.5s", "crash": { "component": "api", "restart_after": "3s" } },
                      { "at": "5.5s", "patch": { "component": "jobs", "visibility_timeout": "7s" } } ]"#;
    // The upright shape has no room for either.
    let shown = |seconds| {
        let player = testing::run_with(shop, faults, seconds);
        draw(&plan(player.scenario(), Shape::Wide), &player.frame(), &words())
    };
    let (before, after) = (shown(5), shown(8));
    assert!(before.contains(">answers 202<") && before.contains(">visibility 30 s<"));
    assert!(after.contains(">answers 503<") && after.contains(">visibility 7 s<"));
}

#[test]
fn everything_on_a_general_map_can_be_chosen_by_a_name() {
    let (player, frame) = run(FAN, 4);
    for shape in [Shape::Wide, Shape::Tall] {
        let svg = draw(&plan(player.scenario(), shape), &frame, &words());
        assert_eq!(svg.matches("role=\"button\"").count(), svg.matches("aria-label=").count());
        assert_eq!(svg.matches("aria-label=\"\"").count(), 0);
        for name in ["news, topic", "all, queue", "mail, external service"] {
            assert_eq!(svg.matches(&["aria-label=\"", name].concat()).count(), 1, "{name}");
        }
        // One of a kind is in the tab order.
        assert_eq!(svg.matches("tabindex=\"0\"").count(), 2);
    }
}

#[test]
fn a_crew_is_joined_to_those_that_some_message_makes_it_call() {
    let calls = |said: &str| {
        let (player, _) = run(
            &format!(
                r#""feed": {{ "is": "source", "to": "jobs", "arrivals": {{ "at": ["0s"] }},
                           "messages": [{{ "type": "{said}" }}] }},
                "jobs": {{ "is": "queue", "profile": "sqs-standard" }},
                "crew": {{ "is": "workers", "from": "jobs", "on_message": [
                    {{ "call": {{ "to": "mail", "if_type": "mail" }} }},
                    {{ "call": {{ "to": "bank", "if_type": "bill" }} }}, "ack"] }},
                "mail": {{ "is": "external", "latency": "1s" }},
                "bank": {{ "is": "external", "latency": "1s" }}"#
            ),
            1,
        );
        let net = Net::of(player.scenario());
        let called = net.parts.iter().find_map(|part| match &part.role {
            Role::Workers { calls, .. } => Some(calls.clone()),
            _ => None,
        });
        let name = |id: &scenario::ComponentId| player.scenario().component(*id).name.clone();
        called.expect("a crew").iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(calls("mail"), ["mail"]);
    assert_eq!(calls("bill"), ["bank"]);
    assert!(calls("other").is_empty());
}
