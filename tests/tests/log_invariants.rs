//! What holds for every run of a log: random groups with random faults, every invariant on.
//!
//! 150 are tried, 2,000 in CI; `INFLIGHT_RUNS` sets another number.

use broker::log::{Entry, PartitionId};
use player::{Player, Progress};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use tests::logs::log;
use tests::runs::{changed, repeats, scenario};
use world::{Part, What, World};

fn seconds(range: std::ops::Range<u32>) -> impl Strategy<Value = String> {
    range.prop_map(|tenths| format!("{}ms", tenths * 100))
}

fn fault() -> impl Strategy<Value = Json> {
    let what = prop_oneof![
        Just(json!({ "crash": { "component": "crew" } })),
        Just(json!({ "crash": { "component": "crew", "instance": 1, "restart_after": "3s" } })),
        Just(json!({ "crash": { "component": "others", "restart_after": "8s" } })),
        seconds(1..400)
            .prop_map(|t| json!({ "pause": { "component": "crew", "instance": 1, "for": t } })),
        (1_u32..900, seconds(1..400)).prop_map(|(percent, t)| {
            json!({ "slow": { "component": "crew", "percent": percent, "for": t } })
        }),
        seconds(1..400).prop_map(|t| json!({ "outage": { "component": "mail", "for": t } })),
        Just(json!({ "lose": { "what": "ack", "component": "crew" } })),
        Just(json!({ "lose": { "what": "confirm", "component": "orders" } })),
        Just(json!({ "lose": { "what": "confirm", "component": "receipts" } })),
        (1_u32..40).prop_map(|message| json!({ "poison": { "message": message } })),
        seconds(1..200).prop_map(|t| {
            json!({ "leave": { "component": "crew", "instance": 1, "back_after": t } })
        }),
        Just(json!({ "leave": { "component": "others" } })),
        Just(json!({ "scale": { "component": "crew", "to": 1 } })),
        Just(json!({ "scale": { "component": "others", "to": 2, "start_up": "3s" } })),
        (seconds(1..100), prop::bool::ANY).prop_map(|(t, killed)| {
            let how = if killed { "killed" } else { "drained" };
            json!({ "deploy": { "component": "crew", "takes": t, "how": how } })
        }),
        seconds(1..300)
            .prop_map(|t| json!({ "cut": { "component": "crew", "to": "orders", "for": t } })),
        prop_oneof![Just("orders"), Just("receipts")]
            .prop_map(|log| json!({ "fail-over": { "component": log } })),
        (1_u32..9).prop_map(|n| json!({ "add-partitions": { "component": "orders", "to": n } })),
        prop_oneof![Just("earliest"), Just("latest"), Just("5s")]
            .prop_map(|to| json!({ "rewind": { "component": "crew", "to": to } })),
    ];
    (seconds(0..2_000), what).prop_map(|(at, mut fault)| {
        fault["at"] = json!(at);
        fault
    })
}

fn group() -> impl Strategy<Value = Json> {
    let assignor = prop_oneof![
        Just("range"),
        Just("round-robin"),
        Just("sticky"),
        Just("cooperative-sticky"),
        Just("server-side"),
    ];
    let reset = prop_oneof![Just("earliest"), Just("latest")];
    let flags = (prop::bool::ANY, prop::bool::ANY, prop::bool::ANY, 0_u32..6);
    let times = (seconds(0..50), seconds(45..300), seconds(10..600));
    (assignor, reset, flags, times, 1_u32..20).prop_map(|(assignor, reset, flags, times, most)| {
        let (by_hand, fixed, committed, share) = flags;
        let (delay, session, poll) = times;
        if share == 0 {
            return json!({ "share": true, "lock": "15s", "max_poll_records": most,
                           "auto_offset_reset": reset, "delivery_count_limit": 3 });
        }
        let server = assignor == "server-side";
        json!({ "assignor": assignor, "auto_offset_reset": reset, "initial_delay": delay,
                "session_timeout": if server { "45s".to_owned() } else { session },
                "max_poll_interval": poll, "max_poll_records": most,
                "auto_commit": if by_hand { "off" } else { "5s" },
                "on_revoke": if by_hand { "commit-finished" } else { "let-go" },
                "isolation": if committed { "read-committed" } else { "read-uncommitted" },
                "static_members": fixed })
    })
}

fn session_at_least_beat(group: &mut Json) {
    if group["assignor"] != "server-side" && group["session_timeout"].is_string() {
        let session =
            scenario::wire::parse_duration(group["session_timeout"].as_str().unwrap_or("6s"));
        if session.is_ok_and(|session| session < broker::log::group::SESSION_MIN) {
            group["session_timeout"] = json!("6s");
        }
    }
}

fn any_scenario() -> impl Strategy<Value = Json> {
    let partitioner =
        prop_oneof![Just("murmur2"), Just("sticky"), Just("round-robin"), Just("crc32")];
    let log_settings = (1_u32..7, partitioner, prop::bool::ANY, prop::bool::ANY, 0_u32..3);
    let crew = (1_u32..5, group(), group(), prop::option::of(seconds(1..300)), 0_u32..4);
    let faults = prop::collection::vec(fault(), 0..8);
    let others = (seconds(0..40), 0_u32..40, 0_u32..5, 0_u64..1_000);
    (log_settings, crew, faults, others).prop_map(|(settings, crew, faults, others)| {
        let (partitions, partitioner, idempotent, short, cleanup) = settings;
        let (count, mut one, mut two, restart, style) = crew;
        let (latency, errors, rate, seed) = others;
        session_at_least_beat(&mut one);
        session_at_least_beat(&mut two);
        let lines = match style {
            0 => json!([{ "call": { "to": "mail" } }]),
            1 => json!(["ack", { "call": { "to": "mail" } }]),
            2 => json!([{ "publish": { "to": "receipts", "takes": "100ms" } }, { "call": { "to": "mail" } }, "ack"]),
            _ => json!([{ "call": { "to": "mail", "on": { "error": [{ "dead-letter": { "to": "receipts" } }] } } }, "ack"]),
        };
        if style > 0 && one["share"] != true {
            one["auto_commit"] = json!("off");
        }
        if style == 2 && one["share"] != true {
            one["transactions"] = json!({ "per-record": { "timeout": "9s" } });
        }
        two["name"] = json!("audit");
        let mut orders = json!({
            "is": "log", "partitions": partitions, "partitioner": partitioner,
            "producer": { "idempotence": idempotent, "request_timeout": "2s" },
            "segment_bytes": if short { 3_000 } else { 1 << 20 },
            "retention": if short { "20s" } else { "7d" }, "retention_check": "7s",
            "cleaner_backoff": "5s" });
        if rate == 1 {
            orders["replication_lag"] = json!("700ms");
            orders["producer"]["acks"] = json!(if idempotent { "all" } else { "leader" });
        }
        if cleanup > 0 {
            orders["cleanup"] = json!(if cleanup == 1 { "compact" } else { "compact-and-delete" });
        }
        let mut document = changed(log(), &[
            ("/seed", json!(seed.to_string())),
            ("/components/orders", orders),
            ("/components/receipts", if rate == 2 { json!({ "is": "log", "partitions": 2, "replication_lag": "200ms" }) } else { json!({ "is": "log", "partitions": 2 }) }),
            ("/components/crew/count", json!(count)),
            ("/components/crew/group", one),
            ("/components/crew/on_message", lines),
            ("/components/crew/on_error", if errors % 2 == 0 { json!("leave") } else { json!({ "nack": { "delay": "1s" } }) }),
            ("/components/others", json!({ "is": "workers", "from": "orders", "count": 2, "group": two,
                                           "on_message": [{ "wait": { "for": "300ms" } }] })),
            ("/components/mail/latency", json!(latency)),
            ("/components/mail/error_rate", json!(f64::from(errors) / 100.0)),
            ("/components/feed/arrivals", json!({ "poisson": { "per_second": 0.5 + f64::from(rate), "count": 60 } })),
            ("/interventions", json!(faults)),
        ]);
        if let Some(restart) = restart {
            document["components"]["crew"]["restart_after"] = json!(restart);
        }
        document
    })
}

/// Appended = there + deleted + cleaned + cut by a fail-over, no group stands beyond the end, and nobody shares a
/// partition as far as the group knows.
fn conserved(world: &World) -> Result<(), TestCaseError> {
    for part in world.parts() {
        let Part::Log(state) = part else { continue };
        let mut there = 0;
        for lane in state.topic().partitions() {
            let record = |stored: &&broker::log::Stored| matches!(stored.entry, Entry::Record(_));
            there += lane.entries(lane.start()).filter(record).count();
        }
        prop_assert_eq!(state.appended, there as u32 + state.expired + state.compacted + state.cut);
        for group in &state.groups {
            for (index, lane) in state.topic().partitions().iter().enumerate() {
                let partition = PartitionId::from_index(index as u32);
                let committed = group.committed(partition);
                prop_assert!(committed.is_none_or(|at| at <= lane.end()), "committed past the end");
                let position = group.owner(partition).map(|(_, position)| position);
                prop_assert!(position.is_none_or(|at| at <= lane.end()), "read past the end");
                let known = group.members.iter().filter(|member| group.honours(member.worker));
                let owners = known.filter(|member| member.owned().any(|(at, _)| at == partition));
                prop_assert!(owners.count() <= 1, "two members read one partition");
            }
        }
    }
    Ok(())
}

/// What each record was to a group: read, or passed over because the group started behind it, or
/// lost, or still to be read.
fn told(player: &Player) -> Result<(), TestCaseError> {
    let mut lost: Vec<(world::GroupId, broker::MessageId, u64)> = Vec::new();
    for event in player.trace() {
        match event.what {
            What::LostToGroup { group, message, offset, .. } => {
                let this = (group, message, offset.value());
                prop_assert!(!lost.contains(&this), "a record is lost to a group twice");
                lost.push(this);
            }
            What::Effected { nth, .. } => prop_assert!(nth > 0),
            _ => {}
        }
    }
    Ok(())
}

fn holds(document: &Json) -> Result<(), TestCaseError> {
    let mut player = Player::new(scenario(document));
    while player.advance(200) == Progress::Running {
        conserved(player.head())?;
        prop_assert!(player.trace().len() < 200_000, "a run of sixty messages never ends");
    }
    conserved(player.head())?;
    told(&player)?;
    let times: Vec<_> = player.trace().iter().map(|event| event.at).collect();
    prop_assert!(times.is_sorted(), "time went back");
    let _ = (player.upsets(), player.verdicts(), player.life(broker::MessageId::from_index(0)));
    repeats(document, &mut player).map_err(TestCaseError::fail)
}

#[test]
fn every_random_run_of_a_log_keeps_every_invariant() {
    let cases = tests::runs::tries(150, 2000);
    let config = Config { cases, ..Config::default() };
    let config = Config { failure_persistence: None, ..config };
    TestRunner::new(config).run(&any_scenario(), |document| holds(&document)).unwrap();
}
