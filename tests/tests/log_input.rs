//! What is wrong with a log, or with a group that reads one, is said with its place and its repair;
//! what is right comes out as it was meant.

use broker::log::consumer::{AutoCommit, OnRevoke, Reset};
use broker::log::group::Protocol;
use broker::log::group::assignor::Assignor;
use broker::log::producer::{Acks, Idempotence};
use broker::log::{Cleanup, Isolation};
use scenario::read::{Names, read_intervention};
use scenario::wire::{Diagnostics, Reader};
use scenario::{Kind, Members, Partitioning, Reading, Scenario, Transactions};
use serde_json::{Value as Json, json};
use sim::SimDuration;
use tests::logs::log;
use tests::runs::{changed, scenario};

/// Everything that is wrong, as `path | problem | repair`.
fn wrongs(document: &Json) -> Vec<String> {
    let document = tests::documents::parse("test", &document.to_string()).expect("well-formed");
    let sink = Diagnostics::new();
    let read = Scenario::read(&Reader::new(&document, &sink));
    let wrong = sink.into_vec();
    assert!(read.is_some() || !wrong.is_empty(), "refused without a reason");
    wrong.iter().map(|d| format!("{} | {} | {}", d.path, d.problem, d.repair)).collect()
}

/// The first thing that is wrong, if anything is, is this.
#[track_caller]
fn check(changes: &[(&str, Json)], wanted: &str) {
    let found = wrongs(&changed(log(), changes));
    assert!(found.iter().any(|line| line.starts_with(wanted)), "no\n{wanted}\nin\n{found:?}");
}

fn kind(document: &Json, name: &str) -> Kind {
    let scenario = scenario(document);
    let id = scenario.find(name).expect("it is there");
    scenario.component(id).kind.clone()
}

fn reading(changes: &[(&str, Json)]) -> Reading {
    let Kind::Workers(crew) = kind(&changed(log(), changes), "crew") else { panic!("workers") };
    crew.membership.expect("it reads a log").reading
}

#[test]
fn settings_stay_within_what_the_product_takes() {
    let group = "/components/crew/group/session_timeout";
    check(
        &[(group, json!("5s"))],
        &format!("{group} | session_timeout is 5 s: it must be from 6 s"),
    );
    check(
        &[("/components/crew/group/assignor", json!("server-side"))],
        &format!("{group} | session_timeout is 10 s: it must be from 45 s"),
    );
    check(
        &[("/components/orders/producer", json!({ "acks": "leader", "idempotence": true }))],
        "/components/orders/producer/acks | acks: an idempotent producer needs acks of all",
    );
    check(
        &[("/components/orders/partitions", json!(201))],
        "/components/orders/partitions | 201 is out of range | stay from 1 to 200",
    );
    check(
        &[("/components/crew/group", json!({ "share": true, "lock": "5s" }))],
        "/components/crew/group/lock | lock is 5 s: it must be from 15 s to 60 s",
    );
}

#[test]
fn what_does_not_go_together_is_refused() {
    check(
        &[("/components/crew/group/auto_commit", json!("5s"))],
        "/components/crew/group | the handler commits by its ack",
    );
    check(
        &[("/components/crew/heartbeat", json!({ "every": "1s", "extend_to": "5s" }))],
        "/components/crew | a log has no visibility timeout",
    );
    check(
        &[("/components/crew/receive", json!({ "max": 5 }))],
        "/components/crew | readers of a log poll instead",
    );
    check(
        &[("/components/crew/on_message", json!(["dead-letter"]))],
        "/components/crew | a log has no dead-letter queue of its own",
    );
    check(&[("/components/crew/prefetch", json!(5))], "/components/crew | a log pushes nothing");
    let second = json!({ "is": "workers", "from": "orders", "on_message": ["ack"],
                         "group": { "name": "crew", "session_timeout": "20s" } });
    check(&[("/components/second", second)], "/components/second | the group “crew” is another");
    check(
        &[
            ("/components/jobs", json!({ "is": "queue", "profile": "sqs-standard" })),
            ("/components/crew/from", json!("jobs")),
        ],
        "/components/crew/group | only workers that read a log are in a group",
    );
    check(
        &[
            ("/components/crew/group/transactions", json!("per-record")),
            ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ],
        "/components/crew/group | a transaction ends with an ack",
    );
    check(
        &[("/components/crew/group/lock", json!("20s"))],
        "/components/crew/group/lock | the field “lock” is not known here",
    );
}

#[test]
fn a_group_is_as_the_product_has_it_unless_told() {
    let Reading::Consumers { group, consumer, members, transactions } =
        reading(&[("/components/crew/group", json!("billing"))])
    else {
        panic!("consumers")
    };
    assert_eq!(group, broker::log::group::Settings::classic());
    assert_eq!(consumer.reset, Reset::Latest);
    // It commits by hand, for its handler has an ack.
    assert_eq!(consumer.auto_commit, AutoCommit::Off);
    assert_eq!((members, transactions), (Members::Dynamic, Transactions::None));
    let by_itself = ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }]));
    let Reading::Consumers { consumer, .. } = reading(&[by_itself]) else { panic!("consumers") };
    assert_eq!(consumer.auto_commit, AutoCommit::Every(SimDuration::from_secs(5)));
}

#[test]
fn every_setting_of_a_group_comes_through() {
    let group = json!({ "name": "billing", "assignor": "cooperative-sticky", "session_timeout": "30s",
                        "heartbeat_interval": "2s", "max_poll_interval": "1m", "initial_delay": "1s",
                        "max_poll_records": 7, "on_revoke": "commit-finished",
                        "auto_offset_reset": "earliest", "isolation": "read-committed",
                        "static_members": true,
                        "transactions": { "per-record": { "timeout": "10s" } } });
    let Reading::Consumers { group, consumer, members, transactions } =
        reading(&[("/components/crew/group", group)])
    else {
        panic!("consumers")
    };
    assert_eq!(group.protocol, Protocol::Cooperative(Assignor::CooperativeSticky));
    assert_eq!(group.session_timeout, SimDuration::from_secs(30));
    assert_eq!(group.heartbeat_interval, SimDuration::from_secs(2));
    assert_eq!(group.max_poll_interval, SimDuration::from_secs(60));
    assert_eq!(group.initial_delay, SimDuration::from_secs(1));
    assert_eq!((consumer.max_poll_records, consumer.on_revoke), (7, OnRevoke::CommitFinished));
    assert_eq!((consumer.reset, consumer.isolation), (Reset::Earliest, Isolation::ReadCommitted));
    let timeout = SimDuration::from_secs(10);
    assert_eq!((members, transactions), (Members::Static, Transactions::PerRecord { timeout }));
}

#[test]
fn every_setting_of_a_log_comes_through() {
    let orders = json!({ "is": "log", "profile": "kafka", "partitions": 4, "partitioner": "sticky",
                         "cleanup": "compact", "retention": "forever", "retention_bytes": "all",
                         "segment_bytes": 2048, "segment_time": "1h", "min_dirty_percent": 10,
                         "producer": { "acks": "leader", "request_timeout": "1s" } });
    let Kind::Log(read) = kind(&changed(log(), &[("/components/orders", orders)]), "orders") else {
        panic!("a log")
    };
    assert_eq!((read.settings.partitions, read.partitioning), (4, Partitioning::Sticky));
    assert_eq!((read.settings.cleanup, read.settings.retention), (Cleanup::Compact, None));
    assert_eq!((read.settings.segment_bytes, read.settings.min_dirty_percent), (2048, 10));
    // What is not said goes with the acks.
    assert_eq!((read.producer.acks, read.producer.idempotence), (Acks::Leader, Idempotence::Off));
    assert!(read.overridden.contains(&"cleanup") && !read.overridden.contains(&"delete_retention"));
}

#[test]
fn what_is_done_to_a_log_reads_and_writes_back_alike() {
    let document = log();
    let text = document.to_string();
    let tree = tests::documents::parse("test", &text).expect("well-formed");
    let scenario = scenario(&document);
    for action in [
        json!({ "at": "5s", "add-partitions": { "component": "orders", "to": 6 } }),
        json!({ "at": "5s", "leave": { "component": "crew", "instance": 2, "back_after": "3s" } }),
        json!({ "at": "5s", "leave": { "component": "crew" } }),
        json!({ "at": "5s", "fail-over": { "component": "orders" } }),
        json!({ "at": "5s", "rewind": { "component": "crew", "to": "earliest" } }),
        json!({ "at": "5s", "rewind": { "component": "crew", "to": "latest" } }),
        json!({ "at": "5s", "rewind": { "component": "crew", "to": "2s" } }),
        json!({ "at": "5s", "lose": { "what": "confirm", "component": "orders" } }),
    ] {
        let value = tests::documents::parse("test", &action.to_string()).expect("well-formed");
        let sink = Diagnostics::new();
        let read =
            read_intervention(&Reader::new(&value, &sink), &Names::of(&tree)).expect("right");
        let again = read.to_value(&scenario);
        let again = read_intervention(&Reader::new(&again, &sink), &Names::of(&tree));
        assert_eq!(again, Some(read));
    }
}
