//! The rules of RabbitMQ's queues, and of a plain list, in a world.

use serde_json::{Value as Json, json};
use tests::runs::{check, finished, with};

/// A queue with more settings.
fn queue(profile: &str, more: &Json) -> (&'static str, Json) {
    let mut queue = json!({ "is": "queue", "profile": profile });
    for (name, value) in more.as_object().expect("a record") {
        queue[name] = value.clone();
    }
    ("/components/jobs", queue)
}

fn parked(profile: &str) -> (&'static str, Json) {
    ("/components/parked", json!({ "is": "queue", "profile": profile }))
}

fn at(times: &[&str]) -> (&'static str, Json) {
    ("/components/feed/arrivals", json!({ "at": times }))
}

const CLASSIC: &str = "rabbitmq-classic";
const QUORUM: &str = "rabbitmq-quorum";

#[test]
fn a_crash_closes_the_channel_and_the_message_is_back_at_once() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    for profile in [CLASSIC, QUORUM] {
        check(
            &[
                queue(profile, &json!({})),
                parked(profile),
                ("/components/crew/count", json!(2)),
                ("/faults", crash.clone()),
            ],
            &[
                "0.000000 stored jobs 1 visible 0.000000",
                "0.000000 received jobs 1 crew.1 count 1",
                "0.000000 confirmed feed jobs 1",
                "0.500000 crashed crew.1 holding 1",
                "0.500000 requeued jobs 1 count 1",
                "0.500000 received jobs 1 crew.2 count 2",
                "1.500000 acked jobs 1 crew.2",
                "!lost",
            ],
        );
    }
}

#[test]
fn a_cut_closes_the_channel_and_its_end_brings_the_worker_back() {
    let cut = json!([{ "at": "0.5s", "cut": { "component": "crew", "to": "jobs", "for": "4s" } }]);
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            ("/components/crew/count", json!(1)),
            ("/faults", cut),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.500000 requeued jobs 1 count 1",
            // The work goes on, and its ack finds no channel.
            "1.000000 effected mail 1 crew.1 nth 1",
            "4.500000 received jobs 1 crew.1 count 2",
            "! acked jobs 1 crew.1 count",
        ],
    );
}

/// F-VIS-7.
#[test]
fn no_clock_brings_a_message_back_that_a_slow_worker_holds() {
    let long = ("/components/mail/latency", json!("200s"));
    check(
        &[queue(CLASSIC, &json!({})), parked(CLASSIC), long, ("/components/crew/count", json!(2))],
        &["200.000000 acked jobs 1 crew.1", "!lapsed", "!requeued"],
    );
}

#[test]
fn prefetch_leaves_messages_with_one_worker_while_another_is_idle() {
    let two = ("/components/crew/count", json!(2));
    let burst = at(&["0s", "0s", "0s", "0s"]);
    let base = [queue(CLASSIC, &json!({})), parked(CLASSIC), two, burst];
    let mut one_each = base.to_vec();
    one_each.push(("/components/crew/prefetch", json!(1)));
    check(
        &one_each,
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.000000 received jobs 2 crew.2 count 1",
            "1.000000 acked jobs 1 crew.1",
            "1.000000 received jobs 3 crew.1 count 1",
        ],
    );
    // Without a limit all is pushed at once, in turns, and a crash gives all of it back.
    let mut unlimited = base.to_vec();
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    unlimited.push(("/faults", crash));
    check(
        &unlimited,
        &[
            "0.000000 received jobs 3 crew.1 count 1",
            "0.000000 received jobs 4 crew.2 count 1",
            "0.500000 requeued jobs 1 count 1",
            "0.500000 requeued jobs 3 count 1",
            "0.500000 received jobs 1 crew.2 count 2",
        ],
    );
}

#[test]
fn automatic_acks_lose_what_a_dead_worker_held() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew" } }]);
    let changes = [
        queue(CLASSIC, &json!({})),
        parked(CLASSIC),
        at(&["0s", "0s"]),
        ("/components/crew/acks", json!("automatic")),
        ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ("/components/mail/if_caller_dies", json!("stops")),
        ("/faults", crash),
    ];
    check(
        &changes,
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.000000 forgotten jobs 1 crew.1",
            "0.000000 forgotten jobs 2 crew.1",
            "0.500000 lost 1",
            "0.500000 lost 2",
            "!requeued",
        ],
    );
}

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
fn priorities_order_what_waits_and_not_what_is_prefetched() {
    let feed = json!({ "is": "source", "to": "jobs", "priority": "p",
        "arrivals": { "at": ["0s", "0.1s", "0.2s"] },
        "messages": [{ "p": 0 }, { "p": 0 }, { "p": 9 }] });
    let run = |prefetch: Json, third: &str| {
        check(
            &[
                queue(CLASSIC, &json!({ "max_priority": 10 })),
                parked(CLASSIC),
                ("/components/feed", feed.clone()),
                ("/components/crew/prefetch", prefetch),
            ],
            &["1.000000 acked jobs 1 crew.1", third],
        );
    };
    run(json!(1), "2.000000 acked jobs 3 crew.1");
    run(json!(10), "2.000000 acked jobs 2 crew.1");
}

#[test]
fn a_single_active_consumer_has_its_place_taken_when_it_dies() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "instance": 1 } }]);
    check(
        &[
            queue(QUORUM, &json!({ "sharing": "single-active" })),
            parked(QUORUM),
            at(&["0s", "0s"]),
            ("/components/crew/count", json!(2)),
            ("/components/crew/prefetch", json!(1)),
            ("/faults", crash),
        ],
        &[
            "0.000000 activated jobs crew.1",
            "0.000000 received jobs 1 crew.1 count 1",
            // A quorum queue serves the next one what is ready before it takes back what was out.
            "0.500000 activated jobs crew.2",
            "0.500000 received jobs 2 crew.2 count 1",
            "1.500000 received jobs 1 crew.2 count 2",
        ],
    );
}

/// F-VIS-7.
#[test]
fn a_delivery_kept_too_long_closes_the_channel_and_its_ack_is_refused() {
    check(
        &[
            queue(CLASSIC, &json!({ "consumer_timeout": "90s" })),
            parked(CLASSIC),
            ("/components/mail/latency", json!("130s")),
            ("/components/crew/count", json!(2)),
            ("/components/crew/prefetch", json!(1)),
        ],
        &[
            "120.000000 disconnected crew.1",
            "120.000000 requeued jobs 1 count 1",
            "120.000000 received jobs 1 crew.2 count 2",
            "130.000000 ack-refused jobs 1 crew.1 channel-closed",
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
fn a_plain_list_forgets_what_it_hands_out() {
    let crash = json!([{ "at": "0.5s", "crash": { "component": "crew", "restart_after": "1s" } }]);
    let work = ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }]));
    let stops = ("/components/mail/if_caller_dies", json!("stops"));
    check(
        &[
            queue("plain", &json!({})),
            at(&["0s", "0s"]),
            work.clone(),
            stops.clone(),
            ("/faults", crash),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1",
            "0.000000 forgotten jobs 1 crew.1",
            "0.500000 lost 1",
            "1.500000 received jobs 2 crew.1 count 1",
        ],
    );
    let down = json!([{ "at": "0s", "crash": { "component": "crew" } }]);
    check(
        &[
            queue("plain", &json!({ "unattended": "drop" })),
            at(&["1s"]),
            work,
            stops,
            ("/faults", down.clone()),
        ],
        &["1.000000 dropped jobs 1 unattended", "1.000000 lost 1"],
    );
    check(
        &[
            queue("plain", &json!({ "max_length": 1 })),
            at(&["1s", "2s"]),
            ("/faults", down),
            ("/components/crew/on_message", json!([{ "wait": { "for": "1s" } }])),
        ],
        &["2.000000 publish-refused jobs 2"],
    );
}

#[test]
fn a_purge_takes_what_is_ready_and_leaves_what_is_out() {
    let purge = json!([{ "at": "0.5s", "purge": { "component": "jobs" } }]);
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            at(&["0s", "0s", "0s"]),
            ("/components/crew/prefetch", json!(1)),
            ("/faults", purge),
        ],
        &[
            "0.500000 purged jobs messages 2",
            "0.500000 lost 2",
            "0.500000 lost 3",
            "1.000000 acked jobs 1 crew.1",
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

/// The frame of a queue, and of its first worker, at a moment.
fn frames(document: &Json, at: u64) -> (player::QueueFrame, player::WorkerFrame, player::Frame) {
    let mut player = finished(document);
    player.seek(sim::SimTime::from_secs(at));
    let frame = player.frame();
    let named = |name| player.scenario().find(name).expect("a component").index();
    let player::ComponentFrame::Queue(queue) = frame.components[named("jobs")].clone() else {
        panic!("not a queue")
    };
    let player::ComponentFrame::Workers(crew) = &frame.components[named("crew")] else {
        panic!("no workers")
    };
    let worker = crew.instances[0].clone();
    (queue, worker, frame)
}

#[test]
fn a_frame_shows_what_is_ready_and_what_is_out_without_an_end() {
    let changes = [
        queue(CLASSIC, &json!({})),
        parked(CLASSIC),
        at(&["0s", "0s", "0s"]),
        ("/components/crew/prefetch", json!(2)),
        ("/components/mail/latency", json!("10s")),
    ];
    let (queue, worker, frame) = frames(&with(&changes), 5);
    assert_eq!((queue.available_total, queue.in_flight_total), (1, 2));
    assert_eq!(queue.available.iter().map(|id| id.number()).collect::<Vec<_>>(), [3]);
    let out: Vec<_> =
        queue.in_flight.iter().map(|it| (it.message.number(), it.until, it.held)).collect();
    assert_eq!(out, [(1, None, true), (2, None, true)]);
    assert!(worker.holding.expect("number 1").receipt_valid);
    let states: Vec<_> = frame.messages.iter().map(|message| message.state).collect();
    let (out, ready) = (player::MessageState::InFlight, player::MessageState::Available);
    assert_eq!(states, [out, out, ready]);
}

#[test]
fn where_nothing_is_settled_no_receipt_is_stale() {
    let changes = [
        queue(CLASSIC, &json!({})),
        parked(CLASSIC),
        ("/components/crew/acks", json!("automatic")),
        ("/components/crew/on_message", json!([{ "call": { "to": "mail" } }])),
        ("/components/mail/latency", json!("10s")),
    ];
    let (queue, worker, _) = frames(&with(&changes), 5);
    assert_eq!((queue.in_flight_total, queue.acked_total), (0, 1));
    assert!(worker.holding.expect("number 1").receipt_valid);
}

#[test]
fn gauges_follow_what_is_ready_out_and_dropped() {
    let crash = json!([{ "at": "5s", "crash": { "component": "crew" } }]);
    let player = finished(&with(&[
        queue(CLASSIC, &json!({ "max_length": 2 })),
        parked(CLASSIC),
        at(&["0s", "1s", "2s", "3s"]),
        ("/components/crew/prefetch", json!(1)),
        ("/components/mail/latency", json!("100s")),
        ("/faults", crash),
    ]));
    let jobs = player.scenario().find("jobs").expect("a queue");
    let at = |gauge, second| player.gauge(gauge).value_at(sim::SimTime::from_secs(second));
    assert_eq!(at(player::Gauge::InFlight(jobs), 4), 1.0);
    // The oldest of the three that wait goes; and when the one that was out is back, it goes.
    assert_eq!(
        (at(player::Gauge::Depth(jobs), 4), at(player::Gauge::Dropped(jobs), 4)),
        (2.0, 1.0)
    );
    assert_eq!(at(player::Gauge::InFlight(jobs), 6), 0.0);
    assert_eq!(
        (at(player::Gauge::Depth(jobs), 6), at(player::Gauge::Dropped(jobs), 6)),
        (2.0, 2.0)
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

#[test]
fn a_process_that_is_to_stop_cancels_and_finishes_what_it_has() {
    let scale = json!([{ "at": "0.5s", "scale": { "component": "crew", "to": 1 } }]);
    check(
        &[
            queue(CLASSIC, &json!({})),
            parked(CLASSIC),
            at(&["0s", "0s", "0s", "0s", "0s", "0s"]),
            ("/components/crew/count", json!(2)),
            ("/components/crew/prefetch", json!(2)),
            ("/faults", scale),
        ],
        &[
            // It finishes the two that it has, and is sent no more.
            "0.500000 scaled crew from 2 to 1",
            "1.000000 received jobs 5 crew.1 count 1",
            "2.000000 received jobs 6 crew.1 count 1",
            "2.000000 acked jobs 4 crew.2",
            "2.000000 stopped crew.2",
            "4.000000 acked jobs 6 crew.1",
            "!received jobs 5 crew.2",
            "!received jobs 6 crew.2",
        ],
    );
}

#[test]
fn a_process_that_is_wanted_again_before_it_has_stopped_consumes_again() {
    let scale = json!([{ "at": "0.2s", "scale": { "component": "crew", "to": 0 } },
                       { "at": "0.4s", "scale": { "component": "crew", "to": 1 } }]);
    check(
        &[queue(CLASSIC, &json!({})), parked(CLASSIC), at(&["0s", "5s"]), ("/faults", scale)],
        &["1.000000 acked jobs 1 crew.1", "5.000000 received jobs 2 crew.1 count 1", "!stopped"],
    );
}
