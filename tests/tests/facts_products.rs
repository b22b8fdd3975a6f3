//! What the course says of products, as rows against the code that keeps their rules.

use broker::log::{self, producer};
use broker::queue::{
    self, BATCH_MAX, BodyId, DEDUPLICATION_WINDOW, DELAY_MAX, DeduplicationId, Entry, GroupId,
    Novelty, Queue, RECEIVE_MAX, RETENTION_MAX, VISIBILITY_MAX,
};
use broker::{MessageId, amqp};
use serde_json::{Value as Json, json};
use sim::{SimDuration, SimTime};
use tests::documents;
use tests::runs::{check, with};

const DAY: SimDuration = SimDuration::from_secs(86_400);
const HOUR: SimDuration = SimDuration::from_secs(3_600);
const MINUTE: SimDuration = SimDuration::from_secs(60);

#[test]
fn defaults_and_ceilings_are_those_that_the_course_names() {
    let sqs = queue::Settings::sqs_standard();
    let kafka = log::Settings::kafka();
    let rows = [
        ("F-VIS-1", "hidden for", sqs.visibility_timeout, SimDuration::from_secs(30)),
        ("F-VIS-1", "at most", VISIBILITY_MAX, HOUR * 12),
        ("F-EXP-1", "SQS keeps", sqs.retention, DAY * 4),
        ("F-EXP-1", "SQS keeps at most", RETENTION_MAX, DAY * 14),
        ("F-EXP-1", "Kafka keeps", kafka.retention.expect("a bound"), DAY * 7),
        ("F-CLAIM-2", "SQS FIFO knows an id for", DEDUPLICATION_WINDOW, MINUTE * 5),
        ("F-DLY-2", "SQS delays at most", DELAY_MAX, MINUTE * 15),
    ];
    for (fact, what, found, told) in rows {
        assert_eq!(found, told, "{fact}: {what}");
    }
    let timeout = amqp::Server::new(amqp::Release::V4_3).consumer_timeout;
    assert_eq!(timeout, Some(MINUTE * 30), "F-VIS-7");
    assert_eq!((BATCH_MAX, RECEIVE_MAX), (10, 10), "F-BATCH-1: entries of one call");
}

/// F-DLY-2: none per message on FIFO. F-EXP-1: RabbitMQ's time to live, of a queue and of a message.
#[test]
fn what_a_product_does_not_have_is_refused() {
    let message = MessageId::from_index(0);
    let delayed = |settings, delay| {
        let deduplication = Some(DeduplicationId::Chosen(1));
        let entry = Entry {
            message,
            bytes: 1,
            delay,
            group: Some(GroupId(0)),
            deduplication,
            body: BodyId(0),
        };
        Queue::new(settings).send(SimTime::ZERO, entry).is_ok()
    };
    let second = Some(SimDuration::from_secs(1));
    assert!(delayed(queue::Settings::sqs_fifo(), None));
    assert!(!delayed(queue::Settings::sqs_fifo(), second), "F-DLY-2");
    let mut standard = Queue::new(queue::Settings::sqs_standard());
    let entry = Entry {
        message,
        bytes: 1,
        delay: second,
        group: None,
        deduplication: None,
        body: BodyId(0),
    };
    assert!(standard.send(SimTime::ZERO, entry).is_ok());
}

/// F-CLAIM-2: once more at 4:59 is the same, at 5:01 another.
#[test]
fn a_deduplication_id_is_known_for_five_minutes() {
    let again = |at: u64| {
        let mut queue = Queue::new(queue::Settings::sqs_fifo());
        let entry = |index| Entry {
            message: MessageId::from_index(index),
            bytes: 1,
            delay: None,
            group: Some(GroupId(0)),
            deduplication: Some(DeduplicationId::Chosen(7)),
            body: BodyId(0),
        };
        queue.send(SimTime::ZERO, entry(0)).expect("sent");
        queue.send(SimTime::from_secs(at), entry(1)).expect("sent").novelty
    };
    assert_eq!((again(299), again(301)), (Novelty::Duplicate, Novelty::Stored));
}

fn is_known(profile: &str, field: &str, value: Json) -> bool {
    let mut jobs = json!({ "is": "queue", "profile": profile });
    jobs[field] = value;
    let text = with(&[("/components/jobs", jobs)]).to_string();
    let document = documents::parse("test", &text).expect("well-formed");
    let wrong = scenario::wire::Diagnostics::new();
    let read = scenario::Scenario::read(&scenario::wire::Reader::new(&document, &wrong));
    read.is_some() && wrong.into_vec().is_empty()
}

/// F-LANE-5: SQS has no priorities, a classic queue says how many, a quorum queue has them built in.
#[test]
fn priorities_are_a_matter_of_the_product() {
    assert!(!is_known("sqs-standard", "max_priority", json!(5)));
    assert!(!is_known("sqs-fifo", "max_priority", json!(5)));
    assert!(is_known("rabbitmq-classic", "max_priority", json!(5)));
    let feed = json!({ "is": "source", "to": "jobs", "priority": "rank", "arrivals": { "at": ["0s", "1ms", "2ms"] },
                       "messages": [{ "rank": 0 }, { "rank": 0 }, { "rank": 9 }] });
    let jobs = |profile: &str| json!({ "is": "queue", "profile": profile });
    let one = ("/components/crew/prefetch", json!(1));
    let run = |profile: &str, lines: &[&str]| {
        check(
            &[("/components/feed", feed.clone()), ("/components/jobs", jobs(profile)), one.clone()],
            lines,
        );
    };
    run(
        "rabbitmq-quorum",
        &["1.000000 received jobs 3 crew.1 count 1", "2.000000 received jobs 2 crew.1 count 1"],
    );
    run(
        "rabbitmq-classic",
        &["1.000000 received jobs 2 crew.1 count 1", "2.000000 received jobs 3 crew.1 count 1"],
    );
}

/// F-RORD-5: one switch, and what a producer sends again is recognised.
#[test]
fn an_idempotent_producer_is_the_default_and_has_five_batches_under_way() {
    let settings = producer::Settings::kafka();
    assert_eq!(settings.idempotence, producer::Idempotence::On);
    assert_eq!(settings.max_in_flight as usize, log::BATCHES_KEPT);
    let more = producer::Settings { max_in_flight: 6, ..settings };
    assert!(settings.validate().is_ok() && more.validate().is_err());
    let plain = producer::Settings { idempotence: producer::Idempotence::Off, ..more };
    assert!(plain.validate().is_ok());
}
