//! Cards tell what holds at the playhead.

use sim::SimTime;

use super::*;
use crate::state::Act;
use crate::testing::{opened, words};

/// The life of a message with these things done to it.
fn with(faults: &str) -> Session {
    let mut session = opened("event-life");
    let value = serde_json::from_str(faults).expect("JSON");
    session.act(Act::Change { pointer: "/faults".to_owned(), value });
    while session.compute(usize::MAX) == player::Progress::Running {}
    assert!(session.notices().is_empty(), "{:?}", session.notices());
    session
}

/// What the card of a component says of something at a moment, and where that comes from.
fn said(
    session: &mut Session,
    component: &str,
    key: &str,
    seconds: u64,
) -> Option<(String, String)> {
    session.act(Act::Seek(SimTime::from_secs(seconds)));
    let id = session.player().scenario().find(component).expect("a component");
    session.act(Act::Inspect(Some(Inspected::Component(id))));
    let card = card(session, &words()).expect("a card");
    let name = words().text(key);
    let now =
        card.now.into_iter().map(|(name, value)| Setting { name, value, from: String::new() });
    let mut all = now.chain(card.settings);
    all.find(|it| it.name == name).map(|it| (it.value, it.from))
}

#[test]
fn a_setting_that_was_patched_is_told_as_it_is_now() {
    let mut session = with(
        r#"[ { "at": "10s", "patch": { "component": "alerts", "visibility_timeout": "7s" } },
             { "at": "11s", "patch": { "component": "alerts", "max_receive_count": 2 } },
             { "at": "12s", "patch": { "component": "mail", "error_rate": 0.25 } },
             { "at": "13s", "patch": { "component": "mailers", "handler": "mended" } } ]"#,
    );
    let mut check = |component, key, before: Option<(&str, &str)>, after: (&str, &str)| {
        for (seconds, wanted) in [(9, before), (14, Some(after))] {
            let said = said(&mut session, component, key, seconds);
            let said = said.as_ref().map(|(value, from)| (value.as_str(), from.as_str()));
            assert_eq!(said, wanted, "{component} {key} {seconds}");
        }
    };
    let run = "changed in this run";
    check("alerts", "card.set.visibility_timeout", Some(("30 s", "set here")), ("7.0 s", run));
    check("alerts", "card.set.max_receive_count", Some(("5", "set here")), ("2", run));
    check("mail", "card.set.error_rate", None, ("25 %", run));
    let lines = "match alerts, send mail, ack";
    check("mailers", "card.set.handler", Some((lines, "")), (lines, run));
    let waits = session.frame().messages.iter().find(|message| message.queue.is_some());
    let waits = waits.map(|message| message.id);
    session.act(Act::Follow(waits));
    assert_eq!(session.receives().1, Some(2), "the life of a message counts by it too");
}

#[test]
fn a_service_says_what_it_answered_last() {
    let crash = r#"{ "crash": { "component": "api", "restart_after": "4s" }, "at": "5s" }"#;
    let mut session = with(&["[", crash, "]"].concat());
    let mut status =
        |seconds| said(&mut session, "api", "card.now.status", seconds).map(|(value, _)| value);
    assert_eq!(status(0), None);
    assert_eq!(status(4).as_deref(), Some("202"));
    assert_eq!(status(8).as_deref(), Some("503"), "nobody runs who could answer otherwise");
    assert_eq!(status(14).as_deref(), Some("202"));
}
