//! What is wrong with a scenario is said with its place and its repair, all of it at once.

use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader};
use serde_json::{Value as Json, json};
use tests::runs::with;

/// Everything that is wrong with a scenario, as `path | problem | repair`.
fn wrongs(document: &Json) -> Vec<String> {
    let document = tests::documents::parse("test", &document.to_string()).expect("well-formed");
    let sink = Diagnostics::new();
    let read = Scenario::read(&Reader::new(&document, &sink));
    let wrong = sink.into_vec();
    assert_eq!(read.is_none(), !wrong.is_empty(), "refused without a reason, or not refused");
    wrong.iter().map(|d| format!("{} | {} | {}", d.path, d.problem, d.repair)).collect()
}

#[track_caller]
fn check(pointer: &str, value: Json, wanted: &str) {
    let found = wrongs(&with(&[(pointer, value)]));
    let fits = |line: &String| {
        line.strip_prefix(wanted).is_some_and(|rest| {
            rest.is_empty() || rest.starts_with(" | ") || rest.starts_with(" (")
        })
    };
    assert!(found.iter().any(fits), "no\n{wanted}\nin\n{}", found.join("\n"));
}

#[test]
fn references_name_what_is_there() {
    check(
        "/components/crew/from",
        json!("job"),
        "/components/crew/from | “job” is not a component of kind queue or log or scheduler | did you mean “jobs”?",
    );
    check(
        "/components/crew/from",
        json!("mail"),
        "/components/crew/from | “mail” is of kind external | name a component of kind queue or log or scheduler",
    );
    check(
        "/components/feed/to",
        json!("nowhere"),
        "/components/feed/to | “nowhere” is not a component of kind service or queue or topic or log or orchestrator | \
         use jobs, parked",
    );
    check(
        "/interventions",
        json!([{ "at": "1s", "crash": { "component": "crew", "instance": 2 } }]),
        "/interventions/0/crash/instance | 2 is out of range | stay from 1 to 1",
    );
}

#[test]
fn ranges_are_the_products_own() {
    check(
        "/components/jobs/visibility_timeout",
        json!("13h"),
        "/components/jobs/visibility_timeout | 13h is out of range | stay from \"0s\" to \"12h\"",
    );
    check(
        "/components/jobs/visibility_timeout",
        json!(30),
        "/components/jobs/visibility_timeout | 30 has no unit | write \"30s\" for seconds",
    );
    check(
        "/components/crew/count",
        json!(1e300),
        "/components/crew/count | 1e300 is out of range | stay from 1 to 1000",
    );
    check(
        "/components/mail/error_rate",
        json!(1.5),
        "/components/mail/error_rate | 1.5 is out of range | stay from 0 to 1",
    );
}

#[test]
fn parts_must_fit_together() {
    check(
        "/components/jobs/dead_letter_to",
        json!("jobs"),
        "/components/jobs | a queue cannot be its own dead-letter queue | \
         name another queue in \"dead_letter_to\"",
    );
    check(
        "/components/parked/max_receive_count",
        json!(3),
        "/components/parked | max_receive_count needs a queue to move messages to | \
         add \"dead_letter_to\" with the name of another queue",
    );
    check(
        "/components/crew/on_message",
        json!([{ "respond": 200 }]),
        "/components/crew/on_message/0/respond | the field “respond” is not known here | \
         take it out, or use wait, call, decode, admit, ack, drop, nack, extend, check-lease, publish, dead-letter, crash, begin, insert, insert-or-skip, update-where, delete, read, commit, rollback",
    );
    check(
        "/components/crew/on_message",
        json!([{ "call": { "label": "send", "to": "mail", "then": "sned" } }, "ack"]),
        "/components/crew/on_message/0/call/then | “sned” is not a line of this handler up to this one | \
         did you mean “send”?",
    );
    check(
        "/components/crew/on_message",
        json!([{ "call": { "to": "mail", "then": "ack" } }, "ack"]),
        "/components/crew/on_message/0/call/then | “ack” is not a line of this handler up to this one | \
         use call",
    );
    check(
        "/components/crew/on_message",
        json!([{ "call": { "to": "mail", "on": { "found": ["ack"] } } }, "ack"]),
        "/components/crew/on_message/0/call/on/found | this line looks for nothing | \
         branch on “found” after a “read”",
    );
    check(
        "/components/crew/on_message",
        json!([{ "decode": { "as": "v1" } }, "ack"]),
        "/components/crew/on_message/0/decode/as | “v1” is not a schema of this scenario | \
         name one under \"schemas\" first",
    );
    check(
        "/schemas",
        json!({ "v1": { "usd": "float" } }),
        "/schemas/v1/usd | “float” is not one of the choices | use int, long, double, text, boolean",
    );
    check(
        "/components/second",
        json!({ "is": "workers", "from": "parked", "on_message": ["dead-letter"] }),
        "/components/second | “dead-letter” does not say where to, and the queue has no such queue | \
         write { \"dead-letter\": { \"to\": … } } with the name of a queue",
    );
    check(
        "/components/crew/on_message",
        json!([{ "call": { "to": "mail", "on": { "error": "contniue" } } }]),
        "/components/crew/on_message/0/call/on/error | “contniue” is not one of the choices | \
         did you mean “continue”?",
    );
    check(
        "/components/crew/on_message",
        json!(vec![json!({ "call": { "to": "mail", "on": { "error": vec!["ack"; 40] } } }); 2]),
        "/components/crew/on_message | this handler has 82 lines with its branches | \
         make it shorter: at most 64 steps of a handler",
    );
    check(
        "/components/api",
        json!({ "is": "service", "when_full": 500, "handles": { "order": ["wait"] } }),
        "/components/api/when_full | 500 does not say that a service is full | write 503 or 429",
    );
}

#[test]
fn loads_clocks_and_measured_times_are_held_to_what_makes_sense() {
    check(
        "/components/api",
        json!({ "is": "service", "concurrency": 2, "waiting": 1, "shed_at_percent": [80, 50],
                "handles": { "order": ["wait"] } }),
        "/components/api/shed_at_percent | a class would be shed before one that is worth less | \
         write these shares in order, the smallest first",
    );
    check(
        "/components/api",
        json!({ "is": "service", "concurrency": 2, "shed_at_percent": [50],
                "handles": { "order": ["wait"] } }),
        "/components/api/shed_at_percent | what has no bound is never full, so nobody is shed | \
         write \"concurrency\" and \"waiting\", which say how much there is room for",
    );
    check(
        "/faults",
        json!([{ "at": "1s", "skew": { "component": "mail", "behind": "3s" } }]),
        "/faults/0/skew/component | “mail” is of kind external | \
         name a component of kind workers or service or scheduler",
    );
    check(
        "/components/crew/clock",
        json!({ "behind": "1s", "ahead": "1s" }),
        "/components/crew/clock | “behind” and “ahead” stand in one record | \
         keep one of them; write the other as a record of its own",
    );
    check(
        "/components/clock",
        json!({ "is": "scheduler", "every": "10s", "clock": { "ahead": "1500ms" } }),
        "/components/clock/clock | the clock of a scheduler tells seconds | \
         write whole seconds, like “20s”",
    );
    check(
        "/components/mail/latency",
        json!({ "measured": [] }),
        "/components/mail/latency/measured | there is no time to draw from: list one | \
         correct the bounds of this distribution",
    );
    check(
        "/components/mail/latency",
        json!({ "measured": ["1s", "soon"] }),
        "/components/mail/latency/measured/1 | “soon” is not a duration | \
         write a number and a unit, like “30s”, “600ms” or “1h30m”",
    );
    check(
        "/components/mail/capacity",
        json!({ "per_second": 5, "when_full": "429", "shed_at_percent": [50] }),
        "/components/mail/capacity/shed_at_percent | what has no bound is never full, so nobody is \
         shed | write how many \"servers\" there are and how many calls are \"waiting\" at most",
    );
}

#[test]
fn everything_wrong_is_said_at_once() {
    let found = wrongs(&with(&[
        ("/seed", json!(7)),
        ("/untill", json!("3s")),
        ("/components/mail/latency", json!("fast")),
        ("/components/jobs/profile", json!("sqs-standart")),
    ]));
    let places: Vec<_> = found.iter().filter_map(|line| line.split(" | ").next()).collect();
    for place in ["/seed", "/untill", "/components/mail/latency", "/components/jobs/profile"] {
        assert!(places.contains(&place), "nothing at {place}:\n{}", found.join("\n"));
    }
}

#[test]
fn an_empty_or_foreign_document_is_answered() {
    for document in [json!({}), json!([]), json!("scenario"), json!(null), json!({ "format": 2 })] {
        assert!(!wrongs(&document).is_empty(), "{document} was taken");
    }
}

#[test]
fn queues_are_held_to_what_their_product_knows() {
    let rabbit = json!({ "is": "queue", "profile": "rabbitmq-classic" });
    check(
        "/components/jobs",
        json!({ "is": "queue", "profile": "rabbitmq-classic", "delivery_limit": 3 }),
        "/components/jobs | a classic queue has no delivery_limit in this release: leave it out | \
         correct this setting, or leave it out",
    );
    check(
        "/components/jobs",
        json!({ "is": "queue", "profile": "rabbitmq-classic", "dead_letter_to": "parked" }),
        "/components/jobs | dead letters of a queue of profile rabbitmq-classic cannot go to one \
         of profile sqs-standard | give both queues the same profile",
    );
    check(
        "/components/crew/prefetch",
        json!(3),
        "/components/crew | a queue of SQS is asked for messages and is told when they are done \
         (profile sqs-standard) | leave out \"prefetch\" and \"acks\"",
    );
    check(
        "/components/jobs/profile",
        json!("plain"),
        "/components/jobs/dead_letter_to | a plain queue moves nothing aside",
    );
    let both = |text: &str| json!({ "is": "queue", "profile": "rabbitmq-quorum", "release": text });
    check(
        "/components",
        json!({ "feed": { "is": "source", "to": "a", "arrivals": { "at": ["0s"] } },
                "a": both("4.0"), "b": both("4.3") }),
        "/components/b | all queues of RabbitMQ are on one broker, and that has one release",
    );
    check(
        "/components",
        json!({ "feed": { "is": "source", "to": "a", "arrivals": { "at": ["0s"] } },
                "a": rabbit,
                "crew": { "is": "workers", "from": "a", "acks": "automatic",
                          "on_message": ["ack"] } }),
        "/components/crew | a message is gone from its queue before the handler starts",
    );
    check(
        "/components",
        json!({ "feed": { "is": "source", "to": "a", "arrivals": { "at": ["0s"] } },
                "a": rabbit,
                "crew": { "is": "workers", "from": "a", "on_message": [{ "nack": { "delay": "3s" } }] } }),
        "/components/crew | this queue hides nothing by the clock, so there is no time to set",
    );
}

#[test]
fn topics_know_what_they_send_where() {
    let topic = |more: Json| {
        let mut topic = json!({ "is": "topic", "to": ["jobs"] });
        for (name, value) in more.as_object().expect("a record") {
            topic[name] = value.clone();
        }
        topic
    };
    check(
        "/components/news",
        topic(json!({ "exchange": "direct" })),
        "/components/news/to/0 | this exchange has to know what it sends there",
    );
    check(
        "/components/news",
        topic(json!({ "to": ["jobs", "news"] })),
        "/components/news | a topic cannot be bound to itself",
    );
    check(
        "/components/news",
        topic(json!({ "exchange": { "shuffle": { "shards": 2 } } })),
        "/components/news/to | a group cannot have 2 of 1 queues",
    );
    check(
        "/components/news",
        topic(json!({ "exchange": "topic", "to": [{ "queue": "jobs", "key": "#.a.#.b.#" }] })),
        "/components/news/to/0/key | 3 words # in a pattern: at most 2",
    );
    check(
        "/components/news",
        topic(json!({ "to": ["mail"] })),
        "/components/news/to/0 | “mail” is of kind external | name a component of kind queue or topic",
    );
}

#[test]
fn ways_of_taking_fit_their_queues() {
    check(
        "/components/crew/lanes",
        json!("strict"),
        "/components/crew/lanes | one queue has no lanes",
    );
    check(
        "/components/crew/from",
        json!(["jobs", "jobs"]),
        "/components/crew/from | these are no lanes",
    );
    check(
        "/components/crew/receive",
        json!({ "poll": {} }),
        "/components/crew/receive/poll | a worker that does not wait has to say how often it asks",
    );
    check(
        "/components/crew/receive",
        json!({ "poll": { "wait": "20s", "every": "1s" } }),
        "/components/crew/receive/poll | a long poll asks all servers, and again as soon as it is over",
    );
    check(
        "/components/crew/receive",
        json!({ "batch": "by-item" }),
        "/components/crew | a batch is settled at its end, and not by lines",
    );
    check(
        "/components",
        json!({ "feed": { "is": "source", "to": "a", "arrivals": { "at": ["0s"] } },
                "a": { "is": "queue", "profile": "rabbitmq-classic" },
                "b": { "is": "queue", "profile": "sqs-standard" },
                "crew": { "is": "workers", "from": ["b", "a"], "on_message": ["ack"] } }),
        "/components/crew | lanes, polls and batches are for queues of SQS: others push",
    );
    check(
        "/components",
        json!({ "feed": { "is": "source", "to": "a", "arrivals": { "at": ["0s"] } },
                "a": { "is": "queue", "profile": "sqs-standard" },
                "b": { "is": "queue", "profile": "sqs-standard" },
                "crew": { "is": "workers", "from": ["b", "a"], "lanes": { "weighted": [1] },
                          "on_message": ["ack"] } }),
        "/components/crew/lanes/weighted | 2 lanes, and 1 weights",
    );
}

#[test]
fn only_a_queue_that_knows_delays_is_sent_a_message_with_one() {
    let publish = json!([{ "publish": { "to": "parked", "delay": "5s" } }, "ack"]);
    let mut document = with(&[("/components/crew/on_message", publish)]);
    assert!(wrongs(&document).is_empty());
    document["components"]["parked"]["profile"] = json!("plain");
    document["components"]["jobs"] = json!({ "is": "queue", "profile": "sqs-standard" });
    let found = wrongs(&document);
    assert!(found[0].starts_with("/components/crew | only a standard queue"), "{found:?}");
}

#[test]
fn dead_letters_go_through_exchanges_of_their_own_broker() {
    let rabbit = json!({ "is": "queue", "profile": "rabbitmq-classic" });
    let scene = |jobs: Json, dead: Json| {
        let mut document =
            with(&[("/components/dead", dead), ("/components/parked", rabbit.clone())]);
        document["components"]["jobs"] = jobs;
        wrongs(&document)
    };
    let through = json!({ "is": "queue", "profile": "rabbitmq-classic", "dead_letter_to": "dead" });
    assert!(scene(through.clone(), json!({ "is": "topic", "to": ["parked"] })).is_empty());
    let filtered = json!({ "is": "topic", "to": [{ "queue": "parked", "filter": { "a": 1 } }] });
    let found = scene(through, filtered);
    assert!(found[0].starts_with("/components/jobs | dead letters cannot go through"), "{found:?}");
    let keyed = json!({ "is": "queue", "profile": "rabbitmq-classic", "dead_letter_to": "parked",
                        "dead_letter_key": "x" });
    let found = scene(keyed, json!({ "is": "topic", "to": ["parked"] }));
    assert!(
        found[0].starts_with("/components/jobs/dead_letter_key | dead letters that"),
        "{found:?}"
    );
}

#[test]
fn a_line_for_a_type_and_a_publish_of_one_know_each_other() {
    let line = |line: Json| ("/components/crew/on_message", json!([line, "ack"]));
    let check = |changes: &[(&str, Json)], wanted: &str| {
        let found = wrongs(&with(changes));
        assert!(found.len() == 1 && found[0].starts_with(wanted), "no\n{wanted}\nin {found:?}");
    };
    check(
        &[line(json!({ "publish": { "to": "parked", "type": "mail" } }))],
        "/components/crew/on_message/0/publish/type | no line is for messages of type “mail” | name the type in \"if_type\" of a line",
    );
    let typed = json!({ "is": "workers", "from": "parked", "on_message": [
        { "call": { "to": "mail", "if_type": "mail" } }, "ack" ] });
    check(
        &[
            line(json!({ "publish": { "to": "parked", "type": "mial" } })),
            ("/components/letters", typed.clone()),
        ],
        "/components/crew/on_message/0/publish/type | “mial” is not a type that some line is for | did you mean “mail”?",
    );
    check(
        &[line(json!({ "call": { "to": "mail", "if_type": "" } }))],
        "/components/crew/on_message/0/call/if_type | ",
    );
    check(
        &[line(json!({ "call": { "to": "mail", "if_type": 7 } }))],
        "/components/crew/on_message/0/call/if_type | ",
    );
    check(
        &[line(json!({ "wait": { "for": "1s", "if_type": "mail", "then": "wait" } }))],
        "/components/crew/on_message/0/wait/then | a line for one type cannot lead back: the others would pass it by | take “if_type” out",
    );
    let fine = [
        line(json!({ "publish": { "to": "parked", "type": "mail" } })),
        ("/components/letters", typed),
    ];
    assert_eq!(wrongs(&with(&fine)), [""; 0]);
}
