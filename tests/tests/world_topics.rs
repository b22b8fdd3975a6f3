//! Topics and exchanges in a world: who gets a copy, and what becomes of each.

use serde_json::{Value as Json, json};
use tests::runs::{check_run, finished};

/// Bodies are sent one a second to `news`, whose settings are given; behind it are the queues `a`,
/// `b` and `c` of a profile, each with a worker that only acks.
fn scene(profile: &str, topic: &Json, bodies: &Json) -> Json {
    let count = bodies.as_array().expect("a list").len();
    let times: Vec<_> = (0..count).map(|second| format!("{second}s")).collect();
    let queue = json!({ "is": "queue", "profile": profile });
    let crew = |from: &str| json!({ "is": "workers", "from": from, "on_message": ["ack"] });
    let mut news = json!({ "is": "topic", "to": ["a", "b"] });
    for (name, value) in topic.as_object().expect("a record") {
        news[name] = value.clone();
    }
    json!({
        "format": 1, "name": "test", "seed": "1", "until": "300s",
        "components": {
            "feed": { "is": "source", "to": "news", "routing_key": "key", "group": "tenant",
                      "arrivals": { "at": times }, "messages": bodies },
            "news": news, "a": queue, "b": queue, "c": queue,
            "at-a": crew("a"), "at-b": crew("b"), "at-c": crew("c"),
        },
        "properties": ["no message lost"],
    })
}

/// Which queues got which body, by its number from 1, in order.
fn got(document: &Json) -> Vec<String> {
    let player = finished(document);
    let mut all = Vec::new();
    for event in player.trace() {
        if let world::What::Stored { queue, message, .. } = event.what {
            // The bodies leave one a second, and a copy keeps that time.
            let sent = player.head().messages()[message].created.as_micros() / 1_000_000 + 1;
            let name = &player.scenario().component(queue).name;
            all.push(format!("{sent}{name}"));
        }
    }
    all
}

#[track_caller]
fn routed(topic: &Json, bodies: &Json, wanted: &[&str]) {
    assert_eq!(got(&scene("rabbitmq-classic", topic, bodies)), wanted);
}

#[test]
fn each_subscriber_has_a_copy_with_a_life_of_its_own() {
    for profile in ["sqs-standard", "rabbitmq-quorum"] {
        let mut document = scene(profile, &json!({}), &json!([{}]));
        document["faults"] = json!([{ "at": "0s", "crash": { "component": "at-b" } }]);
        document["components"]["feed"]["arrivals"] = json!({ "at": ["1s"] });
        check_run(
            &document,
            &[
                "1.000000 published feed news 1",
                "1.000000 stored a 1 visible 1.000000",
                "1.000000 copied 1 to b as 2",
                "1.000000 stored b 2 visible 1.000000",
                "1.000000 confirmed feed news 1",
                "1.000000 acked a 1 at-a.1",
                "!acked b",
                "!lost",
            ],
        );
    }
}

#[test]
fn a_loss_and_a_failure_of_one_copy_are_its_own() {
    let mut document = scene("plain", &json!({}), &json!([{}]));
    document["components"]["b"]["unattended"] = json!("drop");
    for crew in ["at-a", "at-b", "at-c"] {
        document["components"][crew]["on_message"] = json!([{ "wait": { "for": "1s" } }]);
    }
    document["faults"] = json!([{ "at": "0s", "crash": { "component": "at-b" } }]);
    document["components"]["feed"]["arrivals"] = json!({ "at": ["1s"] });
    check_run(
        &document,
        &[
            "1.000000 dropped b 2 unattended",
            "1.000000 lost 2",
            "1.000000 forgotten a 1 at-a.1",
            "!lost 1",
        ],
    );
}

#[test]
fn a_fanout_exchange_looks_at_nothing_but_filters() {
    let filtered = json!({ "to": ["a", { "queue": "b", "filter": { "type": ["order", "refund"] } },
        { "queue": "c", "match": "any", "filter": { "type": "x", "vip": [] } }] });
    routed(
        &filtered,
        &json!([{ "type": "order" }, { "type": "other", "vip": 1 }, { "type": "refund" }]),
        &["1a", "1b", "2a", "2c", "3a", "3b"],
    );
}

#[test]
fn a_direct_exchange_compares_the_key() {
    let direct = json!({ "exchange": "direct", "to": [{ "queue": "a", "key": "red" },
        { "queue": "b", "key": "blue" }, { "queue": "c", "key": "red" }] });
    routed(
        &direct,
        &json!([{ "key": "red" }, { "key": "blue" }, { "key": "red.x" }]),
        &["1a", "1c", "2b"],
    );
}

#[test]
fn a_topic_exchange_matches_words_and_a_queue_gets_one_copy() {
    let topic = json!({ "exchange": "topic", "to": [{ "queue": "a", "key": "order.*" },
        { "queue": "b", "key": "order.#" }, { "queue": "b", "key": "#.new" }] });
    routed(
        &topic,
        &json!([{ "key": "order.new" }, { "key": "order" }, { "key": "order.new.eu" }, {}]),
        &["1a", "1b", "2b", "3b"],
    );
}

#[test]
fn a_headers_exchange_compares_fields_with_their_type() {
    let headers = json!({ "exchange": "headers", "to": [
        { "queue": "a", "filter": { "size": 1, "shape": "o" } },
        { "queue": "b", "match": "any", "filter": { "size": 1, "shape": "o" } },
        { "queue": "c", "match": "any" }] });
    routed(
        &headers,
        &json!([{ "size": 1, "shape": "o" }, { "size": "1", "shape": "o" }, { "size": 2 }]),
        &["1a", "1b", "2b"],
    );
}

#[test]
fn what_no_binding_takes_goes_on_comes_back_or_is_dropped() {
    let bound = json!([{ "queue": "a", "key": "red" }]);
    let blue = json!([{ "key": "blue" }]);
    let direct = json!({ "exchange": "direct", "to": bound });
    let dropped = scene("rabbitmq-classic", &direct, &blue);
    check_run(&dropped, &["0.000000 unrouted news 1", "0.000000 confirmed feed news 1", "!stored"]);

    let returns = json!({ "exchange": "direct", "to": bound, "unroutable": "return" });
    let returned = scene("rabbitmq-classic", &returns, &blue);
    check_run(&returned, &["0.000000 returned news 1", "!confirmed"]);

    let mut alternate =
        scene("rabbitmq-classic", &direct, &json!([{ "key": "blue" }, { "key": "red" }]));
    alternate["components"]["news"]["otherwise"] = json!("rest");
    alternate["components"]["rest"] = json!({ "is": "topic", "to": ["b", "c"] });
    assert_eq!(got(&alternate), ["1b", "1c", "2a"]);
}

#[test]
fn topics_bound_in_a_ring_send_each_queue_one_copy() {
    let mut ring = scene("rabbitmq-classic", &json!({ "to": ["a", "other"] }), &json!([{}]));
    ring["components"]["other"] = json!({ "is": "topic", "to": ["b", "news", "a"] });
    assert_eq!(got(&ring), ["1a", "1b"]);
}

#[test]
fn a_publisher_is_refused_if_one_queue_refuses() {
    let mut document = scene("rabbitmq-classic", &json!({}), &json!([{}, {}]));
    document["components"]["b"]["max_length"] = json!(1);
    document["components"]["b"]["overflow"] = json!("reject-publish");
    document["faults"] = json!([{ "at": "0s", "crash": { "component": "at-b" } }]);
    document["components"]["feed"]["arrivals"] = json!({ "at": ["1s", "2s"] });
    check_run(
        &document,
        &[
            "1.000000 confirmed feed news 1",
            "2.000000 stored a 3 visible 2.000000",
            "2.000000 publish-refused b 4",
            "!confirmed feed news 3",
        ],
    );
}

#[test]
fn shuffle_sharding_keeps_a_tenant_to_its_own_queues_and_the_shortest_of_them() {
    let shuffle = json!({ "exchange": { "shuffle": { "shards": 2 } }, "to": ["a", "b", "c"] });
    let bodies: Vec<_> = (0..4).map(|_| json!({ "tenant": "x" })).collect();
    let mut document = scene("sqs-standard", &shuffle, &json!(bodies));
    for crew in ["at-a", "at-b", "at-c"] {
        document["components"][crew]["on_message"] = json!([{ "wait": { "for": "100s" } }]);
    }
    let got = got(&document);
    let queue = |at: usize| got[at].chars().last().expect("a name");
    assert_ne!(queue(0), queue(1), "the second goes where less waits: {got:?}");
    assert_eq!((queue(0), queue(1)), (queue(2), queue(3)), "two queues and no third: {got:?}");
}
