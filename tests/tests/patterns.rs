//! Every vector of the patterns passes, and every figure in one of them counts: changed, it makes a
//! case fail.

use serde_json::Value;
use tests::conformance::{Case, Totals, Verdict, replay};

const RETRY: &str = include_str!("../vectors/retry_backoff.json");
const BACKOFF: &str = include_str!("../vectors/aws_backoff_sim.json");
const SCHEDULING: &str = include_str!("../vectors/scheduling.json");
const TRACING: &str = include_str!("../vectors/trace_context.json");
const OUTBOX: &str = include_str!("../vectors/outbox_postgres.json");
const REDIS: &str = include_str!("../vectors/redis_recorded.json");

#[track_caller]
fn passes(text: &str, passed: usize) {
    let cases = replay(text).expect("a vector file can be read");
    let mut totals = Totals::default();
    for case in &cases {
        totals.add(&case.verdict);
    }
    let lines: Vec<String> = cases.iter().map(Case::to_string).collect();
    assert_eq!(totals, Totals { passed, ..Totals::default() }, "\n{}", lines.join("\n"));
}

#[test]
fn formulas_and_figures_of_retries() {
    passes(RETRY, 63);
}

#[test]
fn a_simulation_of_backoff_within_its_spread() {
    passes(BACKOFF, 30);
}

#[test]
fn cron_expressions_and_overlaps() {
    passes(SCHEDULING, 27);
}

#[test]
fn trace_headers_and_spans() {
    passes(TRACING, 37);
}

#[test]
fn an_outbox_on_postgresql() {
    passes(OUTBOX, 9);
}

#[test]
fn locks_lists_and_streams_of_redis() {
    passes(REDIS, 35);
}

/// A script that asks for what the engine does not have is not run, and says so.
#[test]
fn an_unknown_command_is_not_run() {
    let text = r#"{ "broker": "redis 7", "scenarios": [ { "name": "x", "steps": [
        { "at": 0, "op": "call", "client": "A", "cmd": ["ZADD", "k", "1", "a"], "expect": {} } ] } ] }"#;
    let cases = replay(text).expect("it can be read");
    assert_eq!(cases[0].to_string(), "not run  x: out of the model's scope: the command ZADD");
}

#[test]
fn a_case_that_cannot_be_read_says_where() {
    let rows = [
        (
            r#"{ "columns": ["after", "tz", "spec", "next"],
                 "rows": [ ["2012-03-11T00:00:00Z", "Mars/Olympus", "* * * * *", null] ] }"#,
            "UNREAD   * * * * * after 2012-03-11T00:00:00Z: at /rows/0/1: no zone of this name",
        ),
        (
            r#"{ "rows": [ { "clients": 1, "algorithm": "luck", "trials": 1 } ] }"#,
            "UNREAD   luck with 1 clients: at /rows/0/algorithm: no such algorithm",
        ),
        (
            r#"{ "temporal_overlap": { "buffer": [1], "cases": [ { "policy": "HOPE" } ] } }"#,
            "UNREAD   HOPE, idle: at /temporal_overlap/cases/0/policy: no such policy",
        ),
        (r#"{ "xmin_guard": {} }"#, "UNREAD   xmin_guard: at /xmin_guard: \"after\" is missing"),
    ];
    for (text, expected) in rows {
        let cases = replay(text).expect("the file itself can be read");
        assert!(cases[0].to_string().starts_with(expected), "{}", cases[0]);
    }
}

/// What explains, sets up, or names: not a figure that a case is held to.
const EXPLANATIONS: [&str; 23] = [
    "source",
    "note",
    "notes",
    "rule",
    "rules",
    "semantics",
    "about",
    "legend",
    "tool",
    "broker",
    "package",
    "client",
    "recorded",
    "unit",
    "runs",
    "dropped",
    "name",
    "test",
    "scale",
    "deposit",
    "withdraw",
    "reserve",
    "links",
];

/// Pointers to all texts, numbers and truths of a document that are not explanations.
fn figures(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                if !EXPLANATIONS.contains(&key.as_str()) {
                    figures(value, &format!("{pointer}/{key}"), found);
                }
            }
        }
        Value::Array(items) => {
            for (place, value) in items.iter().enumerate() {
                figures(value, &format!("{pointer}/{place}"), found);
            }
        }
        Value::Null => {}
        _ => found.push(pointer.to_owned()),
    }
}

fn changed(value: &Value) -> Value {
    match value {
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            if number.fract() == 0.0 {
                Value::from(number as i64 + 3)
            } else {
                (number * 3.0).into()
            }
        }
        Value::String(text) => Value::String(format!("{text}x")),
        other => other.clone(),
    }
}

/// Leaves out what stands by itself and does not hold the figure, to save time.
fn narrow(document: &mut Value, pointer: &str) {
    let parts: Vec<&str> = pointer.split('/').collect();
    match parts[1..] {
        ["scenarios", place, ..] => {
            let place: usize = place.parse().expect("a place in a list");
            let scenario = document["scenarios"][place].take();
            document["scenarios"] = Value::Array(vec![scenario]);
        }
        [part, ..] if document.get("aws_backoff").is_some() => {
            let kept = document[part].take();
            *document = serde_json::json!({ part: kept });
        }
        _ => {}
    }
}

/// Changes each figure by itself, and lists those that no case minds.
fn unminded(text: &str, may_change: impl Fn(&str) -> bool) -> Vec<String> {
    let document: Value = serde_json::from_str(text).expect("JSON");
    let mut pointers = Vec::new();
    figures(&document, "", &mut pointers);
    assert!(pointers.len() > 10, "only {} figures were found", pointers.len());
    pointers.retain(|pointer| {
        let mut other = document.clone();
        let figure = other.pointer_mut(pointer).expect("the pointer was just made");
        *figure = changed(figure);
        narrow(&mut other, pointer);
        let cases = replay(&other.to_string());
        !may_change(pointer)
            && cases.is_ok_and(|cases| cases.iter().all(|case| case.verdict == Verdict::Pass))
    });
    pointers
}

#[track_caller]
fn every_figure_counts(text: &str, may_change: impl Fn(&str) -> bool) {
    let unminded = unminded(text, may_change);
    assert!(unminded.is_empty(), "nobody minds a change of\n{}", unminded.join("\n"));
}

#[test]
fn every_figure_of_retries_counts() {
    every_figure_counts(RETRY, |pointer| {
        let formula = pointer.starts_with("/aws_backoff/") && !pointer.contains("table")
            || pointer.ends_with("/delay")
                && !pointer.contains("dynamodb")
                && !pointer.contains("ms");
        let told = [
            "default/",
            "/success_after_retry",
            "/tolerance",
            "/ev",
            "/n",
            "retry_after_rule",
            // Other ways of saying nothing.
            "retry_after_ms/1/h",
            "retry_after_ms/3/h",
            "retry_after_ms/4/h",
        ];
        formula || told.iter().any(|word| pointer.contains(word))
    });
}

#[test]
fn every_figure_of_schedules_counts() {
    every_figure_counts(SCHEDULING, |pointer| {
        // Sentences; and a policy that does not ask whether something is running.
        pointer.contains("concurrencyPolicy")
            || pointer == "/dom_dow"
            || pointer == "/temporal_overlap/cases/10/running"
    });
}

#[test]
fn every_figure_of_traces_counts() {
    // A changed header that must be refused is refused for another reason.
    every_figure_counts(TRACING, |pointer| {
        pointer.contains("reject_new_trace") || pointer.ends_with("send_spans")
    });
}

#[test]
fn every_figure_of_the_outbox_counts() {
    every_figure_counts(OUTBOX, |pointer| {
        // Sentences, bytes that are held to 5 % or a page, and ids of which any could be missing.
        pointer.contains("relay1_rollback")
            || pointer.contains("rollback_gap")
            || pointer.contains("slot_wal")
            || pointer.contains("for_update")
            || pointer.contains("conditional_update")
    });
}

#[test]
fn every_reply_of_redis_counts() {
    every_figure_counts(REDIS, |pointer| !pointer.contains("/expect/"));
}
