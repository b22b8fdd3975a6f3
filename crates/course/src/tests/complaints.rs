//! What is said about an exhibit that is wrong: by the reader, and by the linter.

use super::*;

/// The exhibit with one value put in is refused with these lines and no others.
fn refused(place: &str, json: &str, lines: &[&str]) {
    let wrong = Exhibit::read(&with(place, json)).expect_err(place);
    let said: Vec<_> = wrong.iter().map(ToString::to_string).collect();
    assert_eq!(said, lines, "{place} = {json}");
}

#[test]
fn what_cannot_be_read_names_its_place_and_repair() {
    refused("/kind", r#""quiz""#, &["at /kind: “quiz” is not one of the choices — use simulator"]);
    refused("/format", "2", &["at /format: 2 is out of range — stay from 1 to 1"]);
    refused(
        "/lessen",
        r#""x""#,
        &["at /lessen: the field “lessen” is not known here — did you mean “lesson”?"],
    );
    refused(
        "/scenario/components/belt/visibility_timeout",
        "20",
        &["at /scenario/components/belt/visibility_timeout: 20 has no unit — \
           write \"20s\" for seconds"],
    );
    refused(
        "/controls/0/pointer",
        r#""/components/belt/retention""#,
        &["at /controls/0/pointer: the scenario has nothing at /components/belt/retention — \
           write the value in the scenario, or point at one it has"],
    );
    refused(
        "/controls/0/range/step",
        r#""1ms""#,
        &["at /controls/0/range: this range has 55,000 steps — \
           use a larger step, so that there are at most 1000"],
    );
    refused(
        "/gauges/0/of",
        r#""courier""#,
        &["at /gauges/0/of: this gauge is of a queue — name a queue"],
    );
    refused(
        "/gauges/0/of",
        r#""bell""#,
        &["at /gauges/0/of: “bell” is not a component of the scenario — did you mean “belt”?"],
    );
}

#[test]
fn what_refers_to_nothing_names_what_it_may_have_meant() {
    refused(
        "/story/2/when/after",
        r#""late""#,
        &["at /story/2/when/after: “late” is not the id of an earlier beat — use taken, faint"],
    );
    refused(
        "/story/1/id",
        r#""taken""#,
        &[
            "at /story/1/id: the id “taken” is taken — give each entry an id of its own",
            "at /story/2/when/after: “faint” is not the id of an earlier beat — use taken, taken",
        ],
    );
    refused(
        "/story/0/say",
        r#""By {wroker}.""#,
        &["at /story/0/say: “wroker” is not a word that can stand in braces — \
           did you mean “worker”?"],
    );
    refused(
        "/story/0/when/event",
        r#""recieved""#,
        &["at /story/0/when/event: “recieved” is not one of the choices — \
           did you mean “received”?"],
    );
    refused(
        "/story/0/when/table",
        r#""orders""#,
        &["at /story/0/when/table: this pattern does not say of which database — \
           name it as “component”"],
    );
    refused(
        "/actions/0/target",
        r#""next-message""#,
        &["at /actions/0/does: “crash” is not done to such a target — \
           choose a target of the kind that the action is done to, or none"],
    );
    refused(
        "/reorder",
        r#""/components/belt""#,
        &["at /reorder: this is not a handler with lines to reorder — \
           point at the list of a handler's steps, like “/components/mailers/on_message”"],
    );
    refused(
        "/facts/4/with",
        r#"{"/nowhere/at/all": 1}"#,
        &["at /facts/4/with/~1nowhere~1at~1all: this field's name is no place in the scenario — \
           name it by a JSON pointer, like “/components/alerts/visibility_timeout”"],
    );
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let mut document = with("/title", "5");
    document.set(&pointer("/scenario/seed"), Value::Number(7.0)).unwrap();
    document.set(&pointer("/facts/0/when/event"), Value::text("store")).unwrap();
    let wrong = Exhibit::read(&document).unwrap_err();
    let places: Vec<_> = wrong.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(places, ["/title", "/scenario/seed", "/facts/0/when/event"]);
}

#[test]
fn the_linter_finds_what_is_not_so() {
    let check = |place: &str, json: &str, lines: &[&str]| {
        let exhibit = Exhibit::read(&with(place, json)).expect(place);
        let said: Vec<_> = lint(&exhibit).iter().map(ToString::to_string).collect();
        assert_eq!(said, lines, "{place} = {json}");
    };
    check(
        "/module",
        r#""m9""#,
        &[
            "at /module: “m9” is not a module — write m1 to m8",
            "at /number: “2.9” is not a number within its module — \
             write the module, a point and a position, like 2.2",
        ],
    );
    check(
        "/inventory",
        "[]",
        &["at /inventory: the exhibit fulfils nothing of the inventory — \
           name the entry it fulfils"],
    );
    for id in ["M2-SIM1", "X-M9-SIM1", "X-M2-SIM", "X-M2-sim1", "X-M2-SIM1-x", "X-M-SIM1"] {
        let line = format!(
            "at /inventory/0: “{id}” is not an entry of the inventory — write one like X-M2-SIM1"
        );
        check("/inventory/0", &format!("{id:?}"), &[&line]);
    }
    check("/inventory/0", r#""X-ALL-GLOSS1""#, &[]);
    check(
        "/try/0/see",
        r#""All sent!""#,
        &["at /try/0/see: an exclamation mark in “All sent!” — end the sentence with a full stop"],
    );
    check(
        "/poster",
        r#""2h""#,
        &["at /poster: the run has ended by then — choose a moment of the run"],
    );
    check(
        "/follow",
        "9",
        &["at /follow: nothing happens to this message — follow a message that the run has"],
    );
    check(
        "/controls/1/range/min",
        "3",
        &[
            "at /controls/1: the scenario's own value at /components/packers/count is no position — \
           choose the range and step, or the choices, so that the value is one",
        ],
    );
    check(
        "/story/3/aside",
        "false",
        &["at /story/3/when: “late” does not happen in the run as it comes — \
           name an event of the run, or make it an aside"],
    );
    check(
        "/story/0/when",
        r#"{"event":"restarted"}"#,
        &[
            "at /story/0/title: the event of this beat has no {message} — name what the event has",
            "at /story/0/say: the event of this beat has no {queue} — name what the event has",
            "at /story/1: “faint” happens before the beat above it — \
             put the beats in the order of the run",
        ],
    );
}

#[test]
fn facts_that_the_run_does_not_show_are_reported_with_what_it_shows() {
    let check = |fact: &str, line: &str| {
        let exhibit = Exhibit::read(&with("/facts", &format!("[{fact}]"))).expect(fact);
        let said: Vec<_> = lint(&exhibit).iter().map(ToString::to_string).collect();
        assert_eq!(said, [line], "{fact}");
    };
    check(
        r#"{"id":"F","when":{"event":"stored"},"at":"2s"}"#,
        "at /facts/0: F claims stored at 2s; the run shows stored at 1s — \
         correct the claim, or the scenario",
    );
    check(
        r#"{"id":"F","when":{"event":"expired"}}"#,
        "at /facts/0: F claims expired; the run shows no expired — \
         correct the claim, or the scenario",
    );
    check(
        r#"{"id":"F","when":{"event":"acked"},"times":4}"#,
        "at /facts/0: F claims acked 4 times; the run shows acked 3 times — \
         correct the claim, or the scenario",
    );
    check(
        r#"{"id":"F","gauge":"effects","of":"courier","at":"6s","is":3,"within":0.5}"#,
        "at /facts/0: F claims 3; the run shows 1 at 6s — correct the claim, or the scenario",
    );
    check(
        r#"{"id":"F","property":"no message lost","is":"broken"}"#,
        "at /facts/0: F claims “no message lost” is broken; \
         the run shows “no message lost” holds — correct the claim, or the scenario",
    );
    check(
        r#"{"id":"F","when":{"event":"acked"},"with":{"/components/belt/retention":"1s"}}"#,
        "at /facts/0/with: F has no run: at /components/belt/retention: 1s is out of range — \
         stay from \"60s\" to \"14d\" — put values in that make a scenario",
    );
}

#[test]
fn a_run_that_ends_at_a_limit_shows_nothing() {
    // A packer that puts each parcel back at once takes it again in the same instant, for ever.
    let never_ends = r#"[{"wait":{"for":"0s"}},{"nack":{}}]"#;
    let lines = |place: &str, json: &str| -> Vec<String> {
        let exhibit = Exhibit::read(&with(place, json)).expect(place);
        lint(&exhibit).iter().map(ToString::to_string).collect()
    };
    let own = lines("/scenario/components/packers/on_message", never_ends);
    let said = "the run is cut short: events at one instant — make the run shorter, or mend what never ends";
    assert!(own.contains(&format!("at /scenario: {said}")), "{own:?}");
    let fact = format!(
        r#"[{{"id":"F","when":{{"event":"received"}},"with":{{"/components/packers/on_message":{never_ends}}}}}]"#
    );
    let said = "at /facts/0: the run of F is cut short: events at one instant — make the run shorter, or mend what never ends";
    assert_eq!(lines("/facts", &fact), [said]);
}

#[test]
fn charts_are_read_and_what_is_wrong_in_them_is_named() {
    let chart = r#"[{ "label": "Waiting", "unit": "parcels",
        "bound": { "at": 3, "label": "room" },
        "series": [{ "shows": "depth", "of": "belt", "label": "on the belt" },
                   { "shows": "acked", "of": "belt", "label": "done", "per": "1s" }] }]"#;
    let read = Exhibit::read(&with("/charts", chart)).expect("a chart");
    let [chart] = &read.charts[..] else { panic!("one chart") };
    let per = chart.series.iter().map(|drawn| drawn.per).collect::<Vec<_>>();
    assert_eq!(per, [None, Some(sim::SimDuration::from_secs(1))]);
    assert!(chart.bound.as_ref().is_some_and(|bound| bound.label == "room"));
    refused(
        "/charts",
        r#"[{ "label": "Nothing" }]"#,
        &["at /charts/0: this chart draws nothing — name at least one series"],
    );
    refused(
        "/charts",
        r#"[{ "label": "x", "series": [{ "shows": "depth", "of": "bell", "label": "y" }] }]"#,
        &["at /charts/0/series/0/of: “bell” is not a component of the scenario — \
           did you mean “belt”?"],
    );
}

/// A prediction about the exhibit of these tests, with this in it.
fn prediction(fields: &str) -> String {
    [
        r#"{ "at": "5s", "shows": [ { "when": { "event": "stored" }, "times": 99 } ], "question": "#,
        fields,
        " }",
    ]
    .concat()
}

#[test]
fn a_prediction_is_one_line_and_is_held_to_the_run() {
    let sort = r#"{ "id": "a", "ask": "b", "is": "order",
        "steps": [ { "say": "a", "why": "b" }, { "say": "c", "why": "d" } ] }"#;
    refused(
        "/predict",
        &prediction(sort),
        &["at /predict/question: a prediction is one line, and this is more — \
           ask for a “choice” of one option, or for a “number”"],
    );
    let number = r#"{ "id": "a", "ask": "How many!", "is": "number", "answer": 7 }"#;
    refused(
        "/predict",
        &prediction(number).replace(r#"[ { "when": { "event": "stored" }, "times": 99 } ]"#, "[]"),
        &["at /predict/shows: nothing holds the answer — claim what the run shows"],
    );
    let mut exhibit =
        Exhibit::read(&with("/predict", &prediction(number))).expect("it can be read");
    exhibit.poster = Some(SimTime::from_secs(5));
    let said: Vec<_> = lint(&exhibit).iter().map(ToString::to_string).collect();
    let about =
        |what: &str| said.iter().any(|line| line.contains("/predict") && line.contains(what));
    assert!(about("claimed: stored 99 times; found: "), "{said:?}");
    assert!(said.iter().any(|line| line.contains("the still picture")), "{said:?}");
    assert!(about("nothing claims the answer"), "{said:?}");
    assert!(about("an exclamation mark"), "{said:?}");
}
