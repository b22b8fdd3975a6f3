//! Rows for the reader: a document, what is asked of it, and what is said about it.

use sim::SimDuration;

use super::*;
use crate::limits::{self, Limit};

/// Reads `text` with `ask`; the diagnostics must be `said`, a line each.
fn check<T>(text: &str, ask: impl FnOnce(Reader<'_>) -> T, said: &[&str]) -> T {
    let document: Value = serde_json::from_str(text).expect(text);
    let sink = Diagnostics::new();
    let answer = ask(Reader::new(&document, &sink));
    let lines: Vec<String> = sink.into_vec().iter().map(ToString::to_string).collect();
    assert_eq!(lines, said, "{text}");
    answer
}

const TINY: Limit = Limit { name: "things", max: 3, why: "a test needs a bound it can cross" };

#[test]
fn texts_and_names() {
    let text = |reader: Reader<'_>| reader.text(TINY).is_some();
    assert!(check(r#""abc""#, text, &[]));
    check(
        r#""abcd""#,
        text,
        &["in the document: this text has 4 characters; the bound is at most 3 things — \
           make it shorter"],
    );
    check(
        r#"" ""#,
        text,
        &["in the document: this text is empty — write something here, or leave the field out"],
    );
    check(
        "7",
        text,
        &["in the document: this is the number 7, where a text belongs — \
           write a text, like “…”"],
    );
    let name = |reader: Reader<'_>| reader.name().is_some();
    assert!(check(r#""alerts-dlq_2""#, name, &[]));
    for bad in [r#""a b""#, r#""é""#, r#""a/b""#, r#""mail.api""#] {
        let shown = bad.trim_matches('"');
        let line = format!(
            "in the document: “{shown}” is not a name — use letters, digits, - and _, \
             at most 40 characters of a name"
        );
        assert!(!check(bad, name, &[&line]));
    }
}

#[test]
fn numbers() {
    let whole = |reader: Reader<'_>| reader.integer::<u16>(1..=50);
    assert_eq!(check("50", whole, &[]), Some(50));
    assert_eq!(check("5.0", whole, &[]), Some(5));
    check("51", whole, &["in the document: 51 is out of range — stay from 1 to 50"]);
    check("-1", whole, &["in the document: -1 is out of range — stay from 1 to 50"]);
    check("1e300", whole, &["in the document: 1e300 is out of range — stay from 1 to 50"]);
    check(
        "1.5",
        whole,
        &["in the document: 1.5 is not a whole number — write a whole number from 1 to 50"],
    );
    check(
        r#""5""#,
        whole,
        &["in the document: this is the text “5”, where a whole number belongs — \
           write a whole number, like 1"],
    );
    let real = |reader: Reader<'_>| reader.number(0.0..=1.0);
    assert_eq!(check("0.5", real, &[]), Some(0.5));
    check("1.1", real, &["in the document: 1.1 is out of range — stay from 0 to 1"]);
    check("-0.1", real, &["in the document: -0.1 is out of range — stay from 0 to 1"]);
}

#[test]
fn numbers_that_are_none_are_refused() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (document, sink) = (Value::Number(number), Diagnostics::new());
        let reader = Reader::new(&document, &sink);
        assert_eq!(reader.number(f64::MIN..=f64::MAX), None);
        assert_eq!(reader.integer::<u64>(0..=u64::MAX), None);
        assert_eq!(sink.len(), 2);
    }
    let beyond = |reader: Reader<'_>| reader.integer::<u64>(0..=1 << 53);
    assert_eq!(check("9007199254740992", beyond, &[]), Some(9_007_199_254_740_992));
    check(
        "9007199254740994",
        beyond,
        &["in the document: 9.01e15 is out of range — \
           stay from 0 to 9007199254740992"],
    );
}

#[test]
fn durations() {
    let seconds = |n| SimDuration::from_secs(n);
    let ask = |reader: Reader<'_>| reader.duration(seconds(1)..=seconds(3600));
    assert_eq!(check(r#""90s""#, ask, &[]), Some(seconds(90)));
    check("30", ask, &["in the document: 30 has no unit — write \"30s\" for seconds"]);
    check(r#""2h""#, ask, &["in the document: 2h is out of range — stay from \"1s\" to \"1h\""]);
    check(
        "null",
        ask,
        &["in the document: this is null, where a duration belongs — \
           write a duration, like \"30s\""],
    );
    check(
        r#""30 s""#,
        ask,
        &["in the document: “30 s” is not a duration — \
           write a number and a unit, like “30s”, “600ms” or “1h30m”"],
    );
}

#[test]
fn lists_and_flags() {
    let list = |reader: Reader<'_>| reader.list(TINY).map(|all| all.len());
    assert_eq!(check("[1,2,3]", list, &[]), Some(3));
    check(
        "[1,2,3,4]",
        list,
        &["in the document: this list has 4 entries; the bound is at most 3 things — \
           make it shorter"],
    );
    check(
        "{}",
        list,
        &["in the document: this is a record, where a list belongs — write a list, like [ … ]"],
    );
    assert_eq!(check("true", |reader| reader.flag(), &[]), Some(true));
    check(
        "0",
        |reader| reader.flag(),
        &["in the document: this is the number 0, where true or false belongs — \
           write true or false, like true"],
    );
}

#[test]
fn choices_and_variants() {
    let choice = |reader: Reader<'_>| reader.choice(&[("strict", 1), ("lenient", 2)]);
    assert_eq!(check(r#""lenient""#, choice, &[]), Some(2));
    check(
        r#""strickt""#,
        choice,
        &["in the document: “strickt” is not one of the choices — did you mean “strict”?"],
    );
    check(
        r#""other""#,
        choice,
        &["in the document: “other” is not one of the choices — use strict, lenient"],
    );

    let form = |reader: Reader<'_>| {
        let (name, inner) = reader.variant(&["wait", "call", "ack"])?;
        let mut fields = inner.record()?;
        let to = fields.optional("to").and_then(|to| to.name()).map(str::to_owned);
        fields.finish();
        Some((name, to))
    };
    assert_eq!(check(r#""ack""#, form, &[]), Some(("ack", None)));
    assert_eq!(check(r#"{"ack":{}}"#, form, &[]), Some(("ack", None)));
    assert_eq!(check(r#"{"call":{"to":"x"}}"#, form, &[]), Some(("call", Some("x".into()))));
    check(r#""akc""#, form, &["in the document: “akc” is not known here — did you mean “ack”?"]);
    check(
        r#"{"cal":{}}"#,
        form,
        &["at /cal: the field “cal” is not known here — did you mean “call”?"],
    );
    check(
        r#"{"call":{},"ack":{}}"#,
        form,
        &["in the document: “call” and “ack” stand in one record — \
           keep one of them; write the other as a record of its own"],
    );
    check(
        "{}",
        form,
        &["in the document: this record does not say which form it takes — \
           give it one of the fields wait, call, ack"],
    );
    check(
        "5",
        form,
        &["in the document: this is the number 5, where a named form belongs — \
           write { \"wait\": … }"],
    );
}

#[test]
fn one_reading_reports_everything_at_its_place() {
    let document = r#"{ "name": 5, "parts": [ { "a~/b": {"size": "big"} }, 7 ], "lable": "x",
                        "name": "twice", "colour": "red" }"#;
    let ask = |reader: Reader<'_>| {
        let mut record = reader.record().unwrap();
        let _ = record.required("name").and_then(|name| name.name());
        let _ = record.required("label");
        for part in record.required("parts").and_then(|parts| parts.list(TINY)).unwrap() {
            let Some(mut part) = part.record() else { continue };
            for (_, inner) in part.raw_entries(TINY) {
                let mut inner = inner.record().unwrap();
                let _ = inner.required("size").and_then(|size| size.integer::<u32>(1..=9));
                inner.finish();
            }
        }
        record.finish();
    };
    check(
        document,
        ask,
        &[
            "in the document: the field “name” stands here more than once — keep one of them",
            "at /name: this is the number 5, where a text belongs — write a text, like “…”",
            "in the document: the field “label” is missing — add “label” to this record",
            "at /parts/0/a~0~1b/size: this is the text “big”, where a whole number belongs — \
             write a whole number, like 1",
            "at /parts/1: this is the number 7, where a record belongs — \
             write a record, like { … }",
            "at /lable: the field “lable” is not known here — did you mean “label”?",
            "at /colour: the field “colour” is not known here — \
             take it out, or use name, label, parts",
        ],
    );
}

#[test]
fn huge_records_are_reported_briefly() {
    let fields = (0..90_000).map(|at| (format!("x{at}"), Value::Null));
    let (document, sink) = (Value::record(fields), Diagnostics::new());
    let mut record = Reader::new(&document, &sink).record().unwrap();
    let _ = record.optional("size");
    record.finish();
    let all = sink.into_vec();
    assert_eq!(all.len(), limits::DIAGNOSTICS.max + 1);
    assert!(all[limits::DIAGNOSTICS.max].problem.contains("more"));

    let sink = Diagnostics::new();
    let mut record = Reader::new(&document, &sink).record().unwrap();
    assert!(record.entries(limits::COMPONENTS).is_empty());
    record.finish();
    let said = sink.into_vec()[0].problem.clone();
    assert_eq!(said, "this record has 90,000 fields; the bound is at most 200 components");
}
