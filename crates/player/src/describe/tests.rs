//! What is told of a run, by names and in seconds.

use scenario::Scenario;
use scenario::wire::{Diagnostics, Reader, Value};

use crate::Player;

const JOBS: &str = r#"{ "format": 1, "name": "Jobs", "seed": "7", "until": "10s",
  "components": {
    "shop": { "is": "source", "to": "jobs", "key": "order", "arrivals": { "at": ["1s", "2s"] },
              "messages": [ { "order": "A" }, { "order": "B" } ] },
    "jobs": { "is": "queue", "profile": "sqs-standard", "visibility_timeout": "30s" },
    "mailers": { "is": "workers", "from": "jobs",
                 "on_message": [ { "call": { "to": "mail" } }, { "ack": {} } ] },
    "mail": { "is": "external", "latency": "3s" } },
  "properties": ["no message lost"] }"#;

fn player() -> Player {
    player_of(JOBS)
}

fn player_of(scenario: &str) -> Player {
    let document: Value = serde_json::from_str(scenario).expect("JSON");
    let wrong = Diagnostics::new();
    let scenario = Scenario::read(&Reader::new(&document, &wrong));
    let wrong: Vec<String> = wrong.into_vec().iter().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut player = Player::new(scenario.expect("a scenario"));
    player.finish();
    player
}

fn text(value: &Value, path: &[&str]) -> String {
    let mut found = Some(value);
    for name in path {
        found = found.and_then(|value| match (value, name.parse::<usize>()) {
            (Value::List(list), Ok(place)) => list.get(place),
            (value, _) => value.get(name),
        });
    }
    found.map_or_else(|| "nothing".to_owned(), |value| serde_json::to_string(value).expect("JSON"))
}

#[test]
fn events_are_told_by_their_words() {
    let events = player().describe_events(0);
    assert_eq!(text(&events, &["0", "at"]), "1");
    assert_eq!(text(&events, &["0", "is"]), "\"published\"");
    assert_eq!(text(&events, &["0", "of"]), r#"["shop","jobs","1"]"#);
    let all = player().trace().len();
    assert_eq!(player().describe_events(all - 1).as_list().map(<[Value]>::len), Some(1));
    assert_eq!(player().describe_events(all + 5).as_list().map(<[Value]>::len), Some(0));
}

#[test]
fn a_frame_is_told_by_names() {
    let mut player = player();
    player.seek(sim::SimTime::from_secs(2));
    let frame = player.describe_frame();
    let check = |path: &[&str], want: &str| assert_eq!(text(&frame, path), want, "{path:?}");
    check(&["now"], "2");
    check(&["components", "shop", "sent"], "2");
    check(&["components", "jobs", "available"], "[2]");
    check(&["components", "jobs", "in_flight", "0", "message"], "1");
    check(&["components", "jobs", "in_flight", "0", "by"], "\"mailers.1\"");
    check(&["components", "jobs", "in_flight", "0", "until"], "31");
    check(&["components", "mailers", "instances", "0", "state"], "\"working\"");
    check(&["components", "mailers", "instances", "0", "holding", "line"], "1");
    check(&["components", "mail", "busy"], "1");
    // What a run can change is told as it is now.
    check(&["components", "jobs", "in_force", "visibility"], "30");
    check(&["components", "jobs", "in_force", "receives"], "null");
    check(&["components", "mail", "errors_per_million"], "null");
    check(&["components", "mail", "capacity_percent"], "null");
    check(&["components", "mailers", "mended"], "false");
    check(&["components", "mailers", "instances", "0", "slowed_percent"], "null");
    check(&["components", "mailers", "instances", "0", "loses_next_ack"], "false");
    check(&["messages", "0", "key"], "\"A\"");
    check(&["messages", "0", "state"], "\"in-flight\"");
    check(&["messages", "1", "state"], "\"available\"");
    check(&["travels", "0", "is"], "\"call\"");
    check(&["travels", "0", "arrives"], "4");
}

#[test]
fn what_a_run_has_changed_is_told_in_its_frame() {
    let faults = r#""faults": [
        { "at": "1500ms", "slow": { "component": "mailers", "percent": 250, "for": "5s" } },
        { "at": "1500ms", "lose": { "what": "ack", "component": "mailers" } },
        { "at": "1500ms", "brownout": { "component": "mail", "capacity_percent": 40, "for": "5s" } },
        { "at": "1500ms", "patch": { "component": "mail", "error_rate": 0.25 } },
        { "at": "1500ms", "patch": { "component": "jobs", "visibility_timeout": "12s" } }
      ], "properties""#;
    let mut player = player_of(&JOBS.replace(r#""properties""#, faults));
    player.seek(sim::SimTime::from_secs(2));
    let frame = player.describe_frame();
    let check = |path: &[&str], want: &str| assert_eq!(text(&frame, path), want, "{path:?}");
    check(&["components", "jobs", "in_force", "visibility"], "12");
    check(&["components", "mail", "errors_per_million"], "250000");
    check(&["components", "mail", "capacity_percent"], "40");
    check(&["components", "mailers", "instances", "0", "slowed_percent"], "250");
    check(&["components", "mailers", "instances", "0", "loses_next_ack"], "true");
}

#[test]
fn measures_and_properties_are_those_of_the_end() {
    let player = player();
    let measures = player.measures();
    let measure = |name: &str| measures.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
    assert_eq!(measure("jobs acked"), Some(2.0));
    assert_eq!(measure("mail effects"), Some(2.0));
    assert_eq!(measure("lost"), Some(0.0));
    let properties = player.describe_properties();
    assert_eq!(text(&properties, &["0", "finding"]), "\"holds\"");
}
