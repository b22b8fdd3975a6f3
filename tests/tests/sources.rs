//! What sources send, and when: recorded arrivals, and messages of which some come more often.

use serde_json::{Value as Json, json};
use tests::runs::{check, finished, with};
use world::What;

/// The keys of a thousand messages, in the order of their sending.
fn keys(seed: &str, pick: &Json) -> Vec<String> {
    let player = finished(&with(&[
        ("/seed", json!(seed)),
        ("/components/feed/arrivals", json!({ "every": { "interval": "10ms", "count": 1000 } })),
        (
            "/components/feed/messages",
            json!([{ "tenant": "big" }, { "tenant": "mid" }, { "tenant": "small" }]),
        ),
        ("/components/feed/key", json!("tenant")),
        ("/components/feed/pick", pick.clone()),
    ]));
    let world = player.head();
    let key = |message: &world::Message| world.keys()[usize::from(message.key)].clone();
    world.messages().iter().map(key).collect()
}

/// How often a run of a thousand messages has each key.
fn counts(pick: &Json) -> Vec<(String, usize)> {
    let keys = keys("1", pick);
    let names = ["big", "mid", "small"];
    let count = |name: &str| keys.iter().filter(|key| *key == name).count();
    names.map(|name| (name.to_owned(), count(name))).to_vec()
}

#[test]
fn a_key_may_have_a_share_of_its_own() {
    let shares = json!({ "shares": [90, 10, 0] });
    let of_each = counts(&shares);
    // Three standard deviations of 900 in 1000 are 28.
    assert!(of_each[0].1.abs_diff(900) < 29, "{of_each:?}");
    assert_eq!((of_each[0].1 + of_each[1].1, of_each[2].1), (1000, 0));
    assert_eq!(keys("1", &shares), keys("1", &shares), "a seed has one run");
    assert_ne!(keys("1", &shares), keys("2", &shares));
    // 1, 1/2 and 1/3 of 11/6: of 1000, 545, 273 and 182.
    let of_each = counts(&json!({ "zipf": 1 }));
    for ((_, found), wanted) in of_each.iter().zip([545_usize, 273, 182]) {
        assert!(found.abs_diff(wanted) < 48, "{of_each:?}");
    }
    let in_turn = counts(&json!("in-turn"));
    assert_eq!(in_turn.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [334, 333, 333]);
}

/// What is chosen has a stream of its own: the same times, whatever is chosen.
#[test]
fn what_is_sent_does_not_change_when_it_is_sent() {
    let times = |pick: Json| {
        let player = finished(&with(&[
            ("/components/feed/arrivals", json!({ "poisson": { "per_second": 2, "count": 50 } })),
            ("/components/feed/messages", json!([{ "n": 1 }, { "n": 2 }])),
            ("/components/feed/pick", pick),
        ]));
        let sent =
            player.trace().iter().filter(|event| matches!(event.what, What::Published { .. }));
        sent.map(|event| event.at).collect::<Vec<_>>()
    };
    assert_eq!(times(json!("in-turn")), times(json!({ "shares": [1, 3] })));
}

#[test]
fn recorded_gaps_are_played_as_they_were() {
    check(
        &[("/components/feed/arrivals", json!({ "gaps": ["1.5s", "0s", "250ms"] }))],
        &[
            "1.500000 published feed jobs 1",
            "1.500000 published feed jobs 2",
            "1.750000 published feed jobs 3",
            "!published feed jobs 4",
        ],
    );
}

#[test]
fn shares_that_choose_nothing_are_refused() {
    let refused = |messages: Json, pick: Json, wanted: &str| {
        let document =
            with(&[("/components/feed/messages", messages), ("/components/feed/pick", pick)]);
        let document = tests::documents::parse("test", &document.to_string()).expect("well-formed");
        let sink = scenario::wire::Diagnostics::new();
        let reader = scenario::wire::Reader::new(&document, &sink);
        assert!(scenario::Scenario::read(&reader).is_none());
        let found: Vec<_> = sink.into_vec().iter().map(ToString::to_string).collect();
        assert_eq!(found, [wanted]);
    };
    refused(
        json!([{ "n": 1 }]),
        json!({ "shares": [1, 2] }),
        "at /components/feed/pick/shares: 2 shares, and 1 messages — give each entry of messages its share",
    );
    refused(
        json!([{ "n": 1 }]),
        json!({ "shares": [0] }),
        "at /components/feed/pick/shares: there is nothing to choose from — list messages, and give one of them a share above 0",
    );
    refused(
        json!([]),
        json!({ "zipf": 1 }),
        "at /components/feed/pick/zipf: there is nothing to choose from — list messages, and give one of them a share above 0",
    );
}
