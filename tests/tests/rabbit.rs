//! The broker against recorded RabbitMQ scripts, and what no script can show: that nothing is lost
//! or made up whatever clients do.

use std::collections::BTreeMap;

use broker::MessageId;
use broker::amqp::{
    Acknowledgement, Binding, Broker, ChannelId, ConnectionId, DeadLetterStrategy, DeleteCondition,
    Event, Exchange, ExchangeKind, Fate, Overflow, Publication, QUORUM_PREFETCH_MAX, QueueKind,
    Release, ReturnCause, Server, Settings, SettingsError, Tags,
};
use sim::{SimDuration, SimTime};
use tests::conformance::{Case, Totals, Verdict, replay};
use tests::rabbits::subscription;

const RECORDED: &str = include_str!("../vectors/rabbitmq_recorded.json");
const RULES: &str = include_str!("../vectors/rabbitmq_rules.json");
const TOPIC: &str = include_str!("../vectors/rabbitmq_topic.json");
const SUITES: &str = include_str!("../vectors/rabbitmq_scenarios.json");

/// Replays a file; every case that runs must pass.
#[track_caller]
fn runs(text: &str, passed: usize, skipped: usize) -> Vec<Case> {
    let cases = replay(text).expect("a vector file can be read");
    let mut totals = Totals::default();
    for case in &cases {
        totals.add(&case.verdict);
    }
    let fallen = cases.iter().filter(|case| case.verdict != Verdict::Pass);
    let fallen: Vec<String> = fallen.map(Case::to_string).collect();
    let expected = Totals { passed, skipped, ..Totals::default() };
    assert_eq!(totals, expected, "\n{}", fallen.join("\n"));
    cases
}

#[test]
fn recorded_scripts_agree_and_at_least_85_in_100_run() {
    let cases = runs(RECORDED, 304, 4);
    let run = cases.iter().filter(|case| case.verdict == Verdict::Pass).count();
    assert!(run * 100 >= cases.len() * 85, "{run} of {} scripts run", cases.len());
}

#[test]
fn a_script_that_is_not_run_says_why() {
    let not_run = [
        ("poison_limit_window", "a defect of that version"),
        ("priority_queue_ttl_trigger", "a defect of that version"),
        ("sac_failover_on_cancel_classic", "a defect of that version"),
        ("tx_ack_commit", "out of the model's scope: transactions"),
    ];
    let mut listed = BTreeMap::new();
    for case in replay(RECORDED).expect("a vector file can be read") {
        if let Verdict::NotRun(why) = case.verdict {
            listed.insert(case.name, why);
        }
    }
    assert_eq!(listed.len(), not_run.len(), "{listed:?}");
    for (name, reason) in not_run {
        assert!(listed[name].starts_with(reason), "{name}: {}", listed[name]);
    }
}

#[test]
fn topic_patterns_agree() {
    runs(TOPIC, 408, 0);
}

#[test]
fn rules_of_the_suites_agree() {
    runs(SUITES, 35, 1);
}

#[test]
fn rules_of_later_releases_and_of_the_guides_agree() {
    runs(RULES, 51, 0);
}

/// A difference must be noticed: each row spoils one answer of a recorded script.
#[test]
fn a_spoilt_answer_is_a_failure() {
    let rows = [
        ("unacked_close_requeues_classic", r#""redelivered": true"#, r#""redelivered": false"#),
        ("unacked_close_requeues_quorum", r#""x-delivery-count": 1"#, r#""x-delivery-count": 2"#),
        ("prefetch_one_classic", r#"[{"body": "b""#, r#"[{"body": "c""#),
        ("dl_rejected_classic", r#""reason": "rejected""#, r#""reason": "expired""#),
        ("mandatory_return", r#""code": 312"#, r#""code": 313"#),
        ("default_exchange", r#""q2": 1"#, r#""q2": 2"#),
    ];
    for (name, right, wrong) in rows {
        let at = last_in_script(name, right);
        let spoilt = format!("{}{wrong}{}", &RECORDED[..at], &RECORDED[at + right.len()..]);
        let cases = replay(&spoilt).expect("it can still be read");
        let case = cases.iter().find(|case| case.name == name).expect("the script is there");
        assert!(matches!(case.verdict, Verdict::Fail(_)), "{case}");
    }
}

/// The last place of a text in a recorded script.
fn last_in_script(name: &str, text: &str) -> usize {
    let start = RECORDED.find(&format!(r#""name": "{name}""#)).expect("the script is there");
    let script = &RECORDED[start..];
    let end = script.find('\n').unwrap_or(script.len());
    start + script[..end].rfind(text).expect("the answer is in the script")
}

#[test]
fn a_file_that_names_no_version_is_answered() {
    let file = r#"{ "legend": {}, "broker": "rabbitmq of some kind", "scenarios": [
        { "name": "x", "queues": {}, "steps": [] } ] }"#;
    let cases = replay(file).expect("the file itself can be read");
    let lines: Vec<String> = cases.iter().map(Case::to_string).collect();
    let expected = "UNREAD   x: at /broker: names no version; write for example rabbitmq 4.3.0";
    assert_eq!(lines, [expected]);
}

#[test]
fn settings_that_the_broker_refuses_name_field_and_range() {
    let quorum = || Settings::rabbitmq_quorum(Release::V4_3);
    let long = SimDuration::from_millis(1 << 32);
    let rows: [(Settings, &str); 7] = [
        (
            Settings { message_ttl: Some(long), ..Settings::rabbitmq_classic() },
            "message_ttl is 4294967.296 s: it must be from 0 s to 4294967.295 s",
        ),
        (
            Settings { expires: Some(SimDuration::ZERO), ..quorum() },
            "expires is 0 s: it must be from 0.001 s to 4294967.295 s",
        ),
        (
            Settings { max_priority: Some(256), ..Settings::rabbitmq_classic() },
            "max_priority is 256: it must be from 0 to 255",
        ),
        (
            Settings { delivery_limit: Some(1), ..Settings::rabbitmq_classic() },
            "a classic queue has no delivery_limit in this release: leave it out",
        ),
        (
            Settings { dead_letter_routing_key: Some("k".into()), ..quorum() },
            "dead_letter_routing_key asks for a dead_letter_exchange",
        ),
        (
            Settings {
                dead_letter_exchange: Some("".into()),
                dead_letter_strategy: DeadLetterStrategy::AtLeastOnce,
                ..quorum()
            },
            "dead_letter_strategy asks for overflow to reject publishes",
        ),
        (
            Settings { overflow: Overflow::RejectPublishDeadLetter, ..quorum() },
            "a quorum queue has no overflow in this release: leave it out",
        ),
    ];
    for (settings, message) in rows {
        let error: Result<(), SettingsError> = settings.validate(Release::V4_3);
        assert_eq!(error.expect_err(message).to_string(), message);
    }
    for release in [Release::V3_10, Release::V4_0, Release::V4_3] {
        assert_eq!(Settings::rabbitmq_quorum(release).validate(release), Ok(()));
        assert_eq!(Settings::rabbitmq_classic().validate(release), Ok(()));
    }
}

/// A broker with one queue, and one channel.
fn one_queue(release: Release, settings: Settings) -> (Broker, ChannelId) {
    let mut broker = Broker::new(Server::new(release));
    let channel = broker.open_channel(SimTime::ZERO, ConnectionId(0));
    let declared = broker.declare_queue(SimTime::ZERO, channel, "q", settings, &mut Vec::new());
    assert_eq!(declared, Ok(0));
    (broker, channel)
}

#[test]
fn a_quorum_consumer_without_a_window_holds_2000_and_a_classic_one_all() {
    for (kind, held) in [(QueueKind::Quorum, QUORUM_PREFETCH_MAX), (QueueKind::Classic, 2_001)] {
        let settings = match kind {
            QueueKind::Quorum => Settings::rabbitmq_quorum(Release::V4_0),
            QueueKind::Classic => Settings::rabbitmq_classic(),
        };
        let (mut broker, channel) = one_queue(Release::V4_0, settings);
        let out = &mut Vec::new();
        broker.consume(SimTime::ZERO, channel, subscription("q", 0), out).expect("it is free");
        for number in 0..2_001 {
            let publication = Publication::new(MessageId::from_index(number), "", "q", 1);
            broker.publish(SimTime::ZERO, channel, publication, out).expect("it is open");
        }
        assert_eq!(broker.queue("q").map(|queue| queue.counts().unacked), Some(held));
    }
}

#[test]
fn an_at_least_once_dead_letter_is_tried_again_only_where_it_was_refused() {
    let settings = Settings {
        dead_letter_exchange: Some("dead".into()),
        dead_letter_strategy: DeadLetterStrategy::AtLeastOnce,
        overflow: Overflow::RejectPublish,
        ..Settings::rabbitmq_quorum(Release::V3_10)
    };
    let (mut broker, channel) = one_queue(Release::V3_10, settings);
    let (mut now, out) = (SimTime::ZERO, &mut Vec::new());
    let full = Settings {
        max_length: Some(0),
        overflow: Overflow::RejectPublish,
        ..Settings::rabbitmq_classic()
    };
    for (name, settings) in [("full", full), ("free", Settings::rabbitmq_classic())] {
        broker.declare_queue(now, channel, name, settings, out).expect("it is allowed");
    }
    broker.declare_exchange("dead", Exchange::new(ExchangeKind::Fanout, None));
    for name in ["full", "free"] {
        broker.bind(now, channel, "dead", Binding::queue(name, ""), out).expect("both exist");
    }
    let publication = Publication::new(MessageId::from_index(0), "", "q", 1);
    broker.publish(now, channel, publication, out).expect("it is open");
    let got = broker.get(now, channel, "q", Acknowledgement::Manual, out).expect("it exists");
    let tag = got.expect("a message is ready").delivery.tag;
    broker.discard(now, channel, Tags::One(tag), out).expect("it is held");
    for tries in 1..=3 {
        let counts = |name: &str| broker.queue(name).expect("it exists").counts();
        assert_eq!((counts("free").ready, counts("q").kept_aside), (1, 1), "after {tries} tries");
        now = broker.next_deadline().expect("it will be tried again");
        assert_eq!(now, SimTime::from_secs(180 * tries));
        broker.advance(now, out);
    }
    let died = |event: &&Event| matches!(event, Event::Died { .. });
    assert_eq!(out.iter().filter(died).count(), 1, "it is told once that it is kept aside");
    let gone = DeleteCondition::Always;
    broker.delete_queue(now, channel, "full", gone, out).expect("it is free");
    now = broker.next_deadline().expect("it will be tried again");
    broker.advance(now, out);
    assert_eq!(broker.queue("free").map(|queue| queue.counts().ready), Some(1));
    assert_eq!(broker.queue("q").map(|queue| queue.counts().kept_aside), Some(0));
}

/// Rejects a message from a queue with these settings, or lets it expire, and compares its fate.
#[track_caller]
fn dies(settings: Settings, fate: &Fate) {
    let expires = settings.message_ttl.is_some();
    let (mut broker, channel) = one_queue(Release::V4_0, settings);
    let (now, out) = (SimTime::ZERO, &mut Vec::new());
    let dlq = Settings::rabbitmq_classic();
    broker.declare_queue(now, channel, "dlq", dlq, out).expect("it is allowed");
    broker.declare_exchange("unbound", Exchange::new(ExchangeKind::Direct, None));
    broker.consume(now, channel, subscription("q", 0), out).expect("it is free");
    let publication = Publication::new(MessageId::from_index(0), "", "q", 1);
    broker.publish(now, channel, publication, out).expect("it is open");
    let settled = if expires {
        broker.requeue(now, channel, Tags::All, ReturnCause::Nack, out)
    } else {
        broker.discard(now, channel, Tags::All, out)
    };
    settled.expect("it is held");
    let fate_of = |event: &Event| match event {
        Event::Died { fate, .. } => Some(fate.clone()),
        _ => None,
    };
    let fates: Vec<Fate> = out.iter().filter_map(fate_of).collect();
    assert_eq!(fates, std::slice::from_ref(fate));
}

#[test]
fn a_death_says_what_became_of_the_message() {
    let to = |exchange: &str, key: &str| Settings {
        dead_letter_exchange: Some(exchange.into()),
        dead_letter_routing_key: Some(key.into()),
        ..Settings::rabbitmq_classic()
    };
    dies(Settings::rabbitmq_classic(), &Fate::NoDeadLetterExchange);
    dies(to("nowhere", "k"), &Fate::ExchangeMissing);
    dies(to("unbound", "k"), &Fate::NoRoute);
    dies(to("", "dlq"), &Fate::DeadLettered { to: vec!["dlq".into()] });
    dies(to("", "q"), &Fate::DeadLettered { to: vec!["q".into()] });
    // A consumer that waits gets it all the same; it comes back in the same instant, and expires.
    let at_once = Some(SimDuration::ZERO);
    dies(Settings { message_ttl: at_once, ..to("", "q") }, &Fate::Cycle);
}
