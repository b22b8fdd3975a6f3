//! Every vector in `tests/vectors` passes, or says why it is not run; and a bad file is answered.

use tests::conformance::{Case, Totals, Verdict, replay};

const SQS: &str = include_str!("../vectors/sqs_scenarios.json");
const RULES: &str = include_str!("../vectors/sqs_rules.json");
const BUGS: &str = include_str!("../vectors/sqs_bug_reports.json");
const DIVERGENCE: &str = include_str!("../vectors/sqs_moto_divergence.json");

#[track_caller]
fn passes(text: &str, passed: usize, skipped: usize) {
    let cases = replay(text).expect("a vector file can be read");
    let mut totals = Totals::default();
    for case in &cases {
        totals.add(&case.verdict);
    }
    let lines: Vec<String> = cases.iter().map(Case::to_string).collect();
    let expected = Totals { passed, skipped, ..Totals::default() };
    assert_eq!(totals, expected, "\n{}", lines.join("\n"));
}

#[test]
fn recorded_sqs_scenarios() {
    passes(SQS, 25, 0);
}

#[test]
fn rules_of_the_documentation() {
    passes(RULES, 64, 0);
}

#[test]
fn bug_reports_of_emulators_and_clients() {
    passes(BUGS, 16, 0);
}

#[test]
fn another_emulators_divergences_are_listed_and_not_run() {
    passes(DIVERGENCE, 0, 10);
}

#[test]
fn every_case_that_is_not_run_says_why() {
    for case in replay(DIVERGENCE).expect("a vector file can be read") {
        let Verdict::NotRun(why) = &case.verdict else { panic!("{case}") };
        assert!(why.contains("scripts nothing"), "{case}");
    }
}

/// One scenario with these ops, and the line that comes of it.
#[track_caller]
fn line(ops: &str, expected: &str) {
    let file = format!(r#"{{ "scenarios": [ {{ "name": "x", "ops": {ops} }} ] }}"#);
    let cases = replay(&file).expect("the file itself can be read");
    let [case] = &cases[..] else { panic!("one case was given, not {}", cases.len()) };
    assert_eq!(case.to_string(), expected);
}

#[test]
fn a_difference_says_where_it_is_and_what_came_back() {
    let sent = r#"{ "op": "send", "body": "a" }"#;
    line(
        &format!(r#"[ {sent}, {{ "op": "receive", "expect": ["b"] }} ]"#),
        r#"FAIL     x: /scenarios/0/ops/1 receive: expected ["b"], got ["a"]"#,
    );
    line(
        &format!(r#"[ {sent}, {{ "op": "receive", "max": 10, "expect": {{ "len": 2 }} }} ]"#),
        r#"FAIL     x: /scenarios/0/ops/1 receive: expected 2 messages, got ["a"]"#,
    );
    line(
        r#"[ { "op": "delete", "handle": "garbage", "expect_error": "OverLimit" } ]"#,
        "FAIL     x: /scenarios/0/ops/0 delete: expected \"OverLimit\", got \
         ReceiptHandleIsInvalid (this queue never gave out such a receipt)",
    );
    line(
        r#"[ { "op": "purge", "expect_error": "PurgeQueueInProgress" } ]"#,
        "FAIL     x: /scenarios/0/ops/0 purge: expected \"PurgeQueueInProgress\", got no error",
    );
    line(
        r#"[ { "op": "send", "body": "" } ]"#,
        "FAIL     x: /scenarios/0/ops/0 send: expected no error, got InvalidParameterValue \
         (a message needs at least one byte)",
    );
    line(
        r#"[ { "op": "delete", "handle": "r[0]" } ]"#,
        "FAIL     x: /scenarios/0/ops/0 delete: no receipt was saved as r[0]",
    );
}

#[test]
fn the_reason_behind_an_error_code_counts_too() {
    let wrong = "InvalidParameterValue: Message does not exist";
    line(
        &format!(r#"[ {{ "op": "send", "body": "a", "delay": 901, "expect_error": "{wrong}" }} ]"#),
        "FAIL     x: /scenarios/0/ops/0 send: expected \"InvalidParameterValue: Message does not \
         exist\", got InvalidParameterValue (the delay is 901 s: it must be from 0 s to 900 s)",
    );
}

#[test]
fn a_case_that_cannot_be_read_says_where_and_how_to_mend_it() {
    line(
        r#"[ { "op": "sned", "body": "a" } ]"#,
        "UNREAD   x: at /scenarios/0/ops/0/op: no op is called sned; use one of send, receive, \
         advance, change_visibility, delete, purge, set_attrs, get_attrs, send_batch, \
         delete_batch, change_visibility_batch, redrive",
    );
    line(
        r#"[ { "op": "advance", "s": -1 } ]"#,
        "UNREAD   x: at /scenarios/0/ops/0/s: a negative time; write seconds from 0",
    );
    line(
        r#"[ { "op": "receive", "queue": "D" } ]"#,
        "UNREAD   x: at /scenarios/0/ops/0/queue: a queue that is not there; name the \"dlq\" of \
         \"Redrive\", or leave \"queue\" out",
    );
    line(r#"{}"#, "UNREAD   x: at /scenarios/0/ops: not a list; write a list here");
}

#[track_caller]
fn unreadable(text: &str, expected: &str) {
    let problem = replay(text).expect_err("the file is not readable");
    assert!(problem.to_string().starts_with(expected), "{problem}");
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    unreadable("{", "at the whole file: not JSON: EOF while parsing an object at line 1 column 1");
    unreadable("[]", "at the whole file: of no format known here; give it a list \"scenarios\"");
    unreadable(
        r#"{ "formulas": {}, "mm1": [ { "lam": "fast" } ] }"#,
        "at /mm1/0/lam: not a number; write a number here",
    );
    unreadable(r#"{ "formulas": {}, "mmc": 3 }"#, "at /mmc: not a list");
}
