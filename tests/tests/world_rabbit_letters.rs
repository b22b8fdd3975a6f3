//! The rules of RabbitMQ’s dead letters as runs: what is rejected, expires, is pushed out or comes back
//! too often, and where it goes.

use serde_json::json;
use tests::rabbits::{CLASSIC, QUORUM, at, parked, queue};
use tests::runs::{check, finished, with};

#[test]
fn a_quorum_queue_moves_a_message_aside_after_its_limit_and_one_delivery_more() {
    let letters = json!({ "delivery_limit": 2, "dead_letter_to": "parked" });
    let poison = json!([{ "at": "0s", "poison": { "message": 1 } }]);
    check(
        &[queue(QUORUM, &letters), parked(QUORUM), at(&["1s"]), ("/faults", poison.clone())],
        &[
            "1.000000 received jobs 1 crew.1 count 3",
            "1.000000 nacked jobs 1 crew.1 visible 1.000000",
            "1.000000 dead-lettered jobs parked 1 count 3 delivery-limit",
            "!count 4",
            "!lost",
        ],
    );
    // Without anywhere to go it is dropped. The release has a limit of 20 of its own.
    check(
        &[queue(QUORUM, &json!({})), parked(QUORUM), at(&["1s"]), ("/faults", poison.clone())],
        &["1.000000 received jobs 1 crew.1 count 21", "1.000000 dropped jobs 1 delivery-limit"],
    );
    // In 4.3 a nack is no failed delivery: it comes back for ever.
    let newest = json!({ "delivery_limit": 2, "release": "4.3" });
    let mut document = with(&[queue(QUORUM, &newest), at(&["1s"]), ("/faults", poison)]);
    document["components"]["parked"] =
        json!({ "is": "queue", "profile": QUORUM, "release": "4.3" });
    let name = scenario::limits::SAME_INSTANT.name;
    assert_eq!(finished(&document).ending(), Some(world::Ending::Limit(name)));
}

#[test]
fn a_reject_goes_to_the_dead_letters_or_is_dropped() {
    let failing = ("/components/mail/error_rate", json!(1.0));
    let reject = ("/components/crew/on_error", json!("dead-letter"));
    check(
        &[
            queue(CLASSIC, &json!({ "dead_letter_to": "parked" })),
            parked(CLASSIC),
            failing.clone(),
            reject.clone(),
        ],
        &["1.000000 dead-lettered jobs parked 1 count 1 rejected", "!lost"],
    );
    check(
        &[queue(CLASSIC, &json!({})), parked(CLASSIC), failing.clone(), reject.clone()],
        &["1.000000 dropped jobs 1 rejected", "1.000000 lost 1"],
    );
    // SQS has no reject: the worker sends the message aside itself.
    check(&[failing, reject], &["1.000000 dead-lettered jobs parked 1 count 1 rejected", "!lost"]);
}

#[test]
fn only_the_head_of_a_queue_expires() {
    // The worker is busy with the first; the second has waited for too long when it gets to the
    // head, and that is when it goes.
    let ttl = json!({ "message_ttl": "3s", "dead_letter_to": "parked" });
    check(
        &[
            queue(CLASSIC, &ttl),
            parked(CLASSIC),
            at(&["0s", "1s", "2s"]),
            ("/components/crew/prefetch", json!(1)),
            ("/components/mail/latency", json!("10s")),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "4.000000 dead-lettered jobs parked 2 count 0 expired",
            "5.000000 dead-lettered jobs parked 3 count 0 expired",
            "10.000000 acked jobs 1 crew.1",
        ],
    );
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            ("/components/feed/expiration", json!("2s")),
            at(&["0s", "1s"]),
            ("/components/crew/prefetch", json!(1)),
            ("/components/mail/latency", json!("10s")),
        ],
        &["3.000000 expired jobs 2", "3.000000 lost 2"],
    );
}

#[test]
fn a_full_queue_drops_its_head_or_refuses_what_comes() {
    let down = ("/faults", json!([{ "at": "0s", "crash": { "component": "crew" } }]));
    let full = |overflow: &str| json!({ "max_length": 1, "overflow": overflow, "dead_letter_to": "parked" });
    let run = |overflow: &str, lines: &[&str]| {
        let times = at(&["1s", "2s"]);
        check(&[queue(CLASSIC, &full(overflow)), parked(CLASSIC), times, down.clone()], lines);
    };
    run("drop-head", &["2.000000 dead-lettered jobs parked 1 count 0 max-length", "!refused"]);
    run("reject-publish", &["2.000000 publish-refused jobs 2", "!dead-lettered"]);
    run(
        "reject-publish-dlx",
        &[
            "2.000000 dead-lettered jobs parked 2 count 0 max-length",
            "2.000000 publish-refused jobs 2",
        ],
    );
}

#[test]
fn a_delayed_retry_holds_a_return_back_for_longer_each_time() {
    let failing = ("/components/mail/error_rate", json!(1.0));
    let retry = json!({ "release": "4.3", "delayed_retry": { "min": "5s", "max": "8s" } });
    let parked =
        ("/components/parked", json!({ "is": "queue", "profile": QUORUM, "release": "4.3" }));
    check(
        &[queue(QUORUM, &retry), parked, failing],
        &[
            "1.000000 nacked jobs 1 crew.1 visible 6.000000",
            "6.000000 lapsed jobs 1 count 1",
            "6.000000 received jobs 1 crew.1 count 2",
        ],
    );
}

#[test]
fn a_ring_of_dead_letters_goes_round_by_the_clock_and_is_cut() {
    // Nobody takes from either: what expires in one comes to the other, and is not let in again.
    let ttl = |to: &str| {
        json!({ "is": "queue", "profile": CLASSIC, "message_ttl": "5s",
                                 "dead_letter_to": to })
    };
    check(
        &[
            ("/components/jobs", ttl("parked")),
            ("/components/parked", ttl("jobs")),
            ("/faults", json!([{ "at": "0s", "crash": { "component": "crew" } }])),
            at(&["1s"]),
        ],
        &[
            "6.000000 dead-lettered jobs parked 1 count 0 expired",
            "11.000000 dropped parked 1 cycle",
            "11.000000 lost 1",
        ],
    );
}

#[test]
fn a_retry_queue_without_consumers_keeps_what_failed_back_for_its_time_to_live() {
    // The reject in the history keeps the ring from being cut.
    let retry = json!({ "is": "queue", "profile": CLASSIC, "message_ttl": "10s",
                        "dead_letter_to": "jobs" });
    check(
        &[
            queue(CLASSIC, &json!({ "dead_letter_to": "parked" })),
            ("/components/parked", retry),
            ("/components/crew/on_error", json!("dead-letter")),
            ("/faults", json!([{ "at": "0s", "outage": { "component": "mail", "for": "15s" } }])),
        ],
        &[
            "1.000000 dead-lettered jobs parked 1 count 1 rejected",
            "11.000000 dead-lettered parked jobs 1 count 1 expired",
            "11.000000 received jobs 1 crew.1 count 2",
            "12.000000 dead-lettered jobs parked 1 count 2 rejected",
            "22.000000 received jobs 1 crew.1 count 3",
            "23.000000 acked jobs 1 crew.1",
            "!lost",
        ],
    );
}

#[test]
fn dead_letters_go_through_an_exchange_and_each_queue_has_its_own_copy() {
    let crew = |from: &str| json!({ "is": "workers", "from": from, "on_message": ["ack"] });
    let dead = json!({ "is": "topic", "to": ["parked", "alarm"] });
    check(
        &[
            queue(CLASSIC, &json!({ "dead_letter_to": "dead" })),
            parked(CLASSIC),
            ("/components/alarm", json!({ "is": "queue", "profile": CLASSIC })),
            ("/components/dead", dead),
            ("/components/alarmed", crew("alarm")),
            ("/components/crew/on_error", json!("dead-letter")),
            ("/components/mail/error_rate", json!(1.0)),
        ],
        &[
            "1.000000 dead-lettered jobs parked 1 count 1 rejected",
            "1.000000 copied 1 to alarm as 2",
            "1.000000 stored alarm 2 visible 1.000000",
            "1.000000 received alarm 2 alarmed.1 count 1",
            "1.000000 acked alarm 2 alarmed.1",
            "!acked parked",
            "!lost",
        ],
    );
}

#[test]
fn a_dead_letter_key_chooses_among_the_queues_of_an_exchange() {
    let dead = json!({ "is": "topic", "exchange": "direct", "to": [
        { "queue": "parked", "key": "other" }, { "queue": "alarm", "key": "mail" }] });
    check(
        &[
            queue(CLASSIC, &json!({ "dead_letter_to": "dead", "dead_letter_key": "mail" })),
            parked(CLASSIC),
            ("/components/alarm", json!({ "is": "queue", "profile": CLASSIC })),
            ("/components/dead", dead),
            ("/components/crew/on_error", json!("dead-letter")),
            ("/components/mail/error_rate", json!(1.0)),
        ],
        &["1.000000 dead-lettered jobs alarm 1 count 1 rejected", "!parked", "!copied"],
    );
}

#[test]
fn a_ring_through_an_exchange_is_cut_too() {
    let ttl = |to: &str| {
        json!({ "is": "queue", "profile": CLASSIC, "message_ttl": "5s",
                                 "dead_letter_to": to })
    };
    check(
        &[
            ("/components/jobs", ttl("dead")),
            ("/components/parked", ttl("jobs")),
            ("/components/dead", json!({ "is": "topic", "to": ["parked", "kept"] })),
            ("/components/kept", json!({ "is": "queue", "profile": CLASSIC })),
            ("/faults", json!([{ "at": "0s", "crash": { "component": "crew" } }])),
            at(&["1s"]),
        ],
        &[
            "6.000000 dead-lettered jobs parked 1 count 0 expired",
            "6.000000 copied 1 to kept as 2",
            "11.000000 dropped parked 1 cycle",
            "11.000000 lost 1",
            "!lost 2",
        ],
    );
}
