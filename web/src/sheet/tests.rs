//! A worksheet, filled in by hand.

use std::rc::Rc;

use course::sheet::{Curve, Marks, Sheet};
use scenario::wire::Value;

use super::*;
use crate::words::Words;

const SHEET: &str = r#"{
  "format": 1, "kind": "sheet", "title": "Test", "lesson": "Test.", "module": "m1", "summary": "Test.",
  "inputs": [
    { "id": "rate", "label": "Rate", "is": 30, "from": 0, "to": 100, "unit": "a second" },
    { "id": "workers", "label": "Workers", "is": 4, "from": 1, "to": 9, "whole": true },
    { "id": "kind", "label": "Kind | of it", "is": 1, "choices": [ { "label": "one", "value": 1 }, { "label": "two", "value": 2 } ] }
  ],
  "values": [
    { "id": "capacity", "formula": "workers * 10 * kind" },
    { "id": "spare", "label": "Spare", "formula": "capacity - rate", "says": "Capacity less rate.",
      "check": { "at_least": "0", "holds": "It keeps up.", "fails": "It falls behind by {rate}." } },
    { "id": "wait", "label": "Wait", "formula": "1 / spare", "as": "time", "says": "One over spare.",
      "needs": { "that": "spare > 0", "else": "{workers} do not keep up" } },
    { "id": "inverse", "label": "Inverse", "formula": "1 / rate", "digits": 3, "says": "One over rate." }
  ],
  "charts": [ { "label": "Spare", "over": { "id": "workers", "label": "Workers", "whole": true, "from": "1", "to": "9" },
    "lines": [ { "label": "Spare", "formula": "spare" }, { "label": "Wait", "formula": "wait" } ],
    "bound": { "formula": "20", "label": "twenty" } } ],
  "card": [ "{rate} on {workers} of kind {kind}: spare {spare}, wait {wait}." ],
  "model": [ "Much." ]
}"#;

fn desk(kept: &str) -> Desk {
    let parse = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let sheet = Sheet::read(&parse(SHEET)).expect("a sound sheet");
    Desk::open(Rc::new(sheet), Marks::default(), &parse(kept))
}

fn entered(desk: &mut Desk, at: usize, text: &str) -> (f64, Option<Wrong>) {
    desk.act(&Act::Type(at, text.to_owned()));
    (desk.entries()[at].number, desk.entries()[at].wrong)
}

#[test]
fn what_cannot_be_used_is_said_and_the_number_before_counts() {
    let mut desk = desk("{}");
    assert_eq!(entered(&mut desk, 0, "20.5"), (20.5, None));
    assert_eq!(entered(&mut desk, 0, "many"), (20.5, Some(Wrong::NotANumber)));
    assert_eq!(entered(&mut desk, 0, ""), (20.5, Some(Wrong::NotANumber)));
    assert_eq!(entered(&mut desk, 0, "101"), (20.5, Some(Wrong::OutOfRange)));
    assert_eq!(entered(&mut desk, 0, "-1"), (20.5, Some(Wrong::OutOfRange)));
    assert_eq!(entered(&mut desk, 0, " 1e1 "), (10.0, None));
    assert_eq!(entered(&mut desk, 1, "2.5"), (4.0, Some(Wrong::NotWhole)));
    assert_eq!(entered(&mut desk, 1, "5"), (5.0, None));
    assert_eq!(desk.card(), ["10 a second on 5 of kind one: spare 40, wait 25 ms."]);
    desk.act(&Act::Choose(2, 1));
    assert_eq!(desk.card(), ["10 a second on 5 of kind two: spare 90, wait 11.1 ms."]);
    // What is no option, or no entry, changes nothing.
    desk.act(&Act::Choose(2, 7));
    desk.act(&Act::Choose(0, 1));
    desk.act(&Act::Type(9, "1".into()));
    assert_eq!(desk.card(), ["10 a second on 5 of kind two: spare 90, wait 11.1 ms."]);
    desk.act(&Act::Reset);
    assert_eq!(desk.card(), ["30 a second on 4 of kind one: spare 10, wait 100 ms."]);
}

#[test]
fn entries_are_kept_where_they_are_not_as_at_first() {
    let mut desk = desk("{}");
    assert_eq!(desk.kept(), Value::record::<String>([]));
    entered(&mut desk, 0, "12,5");
    entered(&mut desk, 1, "x");
    let kept = desk.kept();
    let record = Value::record([("rate", Value::text("12,5")), ("workers", Value::text("x"))]);
    assert_eq!(kept, record);
    let again = Desk::open(Rc::new(desk.sheet().clone()), Marks::default(), &kept);
    assert_eq!(again.entries(), desk.entries());
    // What is kept may be anything at all.
    for odd in ["null", "[1]", r#"{"rate": 7}"#, r#"{"kind": "9"}"#, r#"{"gone": "1"}"#] {
        let desk = self::desk(odd);
        assert!(desk.entries().iter().all(|entered| entered.number >= 1.0), "{odd}");
    }
}

fn words() -> Words {
    let text = include_str!("../../../static/lang/en.json");
    let all: std::collections::BTreeMap<String, String> =
        serde_json::from_str(text).expect("the catalogue");
    Words::new(all)
}

#[test]
fn the_document_has_all_of_it_and_no_cell_breaks_out() {
    let mut desk = desk("{}");
    entered(&mut desk, 0, "50");
    let text = document(&desk, &words(), "https://example.org/");
    for line in [
        "# Test",
        "- 50 a second on 4 of kind one: spare −10, wait –.",
        "| Rate | 50 a second |",
        "| Kind \\| of it | one |",
        "| Spare | −10 | Fails: It falls behind by 50 a second. | Capacity less rate. |",
        "| Wait | not defined: 4 do not keep up |  | One over spare. |",
        "| Inverse | 0.02 |  | One over rate. |",
        "- Much.",
        "Worked out at https://example.org/",
    ] {
        assert!(text.lines().any(|found| found == line), "no “{line}” in\n{text}");
    }
    entered(&mut desk, 0, "0");
    let text = document(&desk, &words(), "");
    assert!(text.contains("| Inverse | not defined: it would divide by zero |"), "{text}");
    assert!(
        !text.contains("NaN") && !text.contains("inf") && !text.contains("Worked out"),
        "{text}"
    );
}

#[test]
fn a_curve_is_drawn_within_its_box_and_broken_off_where_there_is_no_value() {
    let mut desk = desk("{}");
    entered(&mut desk, 0, "25");
    let curve = desk.curves()[0].as_ref().expect("a range");
    let drawn = plot(&desk.sheet().graphs[0], curve, None, desk.marks());
    // Spare goes from −15 to 65, within −20 and 100.
    assert_eq!(curve.levels, (-20.0, 100.0));
    assert!(drawn.lines[0].starts_with("M0 191.67L125 175"), "{}", drawn.lines[0]);
    assert!(drawn.lines[1].starts_with("M250 "), "two workers do not keep up: {}", drawn.lines[1]);
    let zero = drawn.zero.expect("zero lies within");
    assert!((zero - 166.666).abs() < 0.01, "{zero}");
    assert!((drawn.bound.expect("a bound") - 133.333).abs() < 0.01);
    assert_eq!(drawn.levels, ["100", "40", "−20"]);
    // The line that begins below the bound ends above it; the reader's mark takes the room there is.
    assert_eq!(drawn.bound_side, Side::Start);
    let marked = plot(&desk.sheet().graphs[0], curve, Some(1.0), desk.marks());
    assert_ne!(marked.bound_side, Side::Start);
    // A line close above the bound, from end to end, leaves room under it alone.
    let close = curve.points.iter().map(|_| Some(22.0)).collect();
    let close = Curve { lines: vec![close], ..curve.clone() };
    let tight = plot(&desk.sheet().graphs[0], &close, None, desk.marks());
    assert_eq!(tight.bound_side, Side::Under);
    let ticks: Vec<&str> = drawn.ticks.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(ticks, ["2", "4", "6", "8"]);
    assert_eq!(drawn.rows.len(), 9);
    assert_eq!(drawn.rows[1], ("2".to_owned(), vec!["−5".to_owned(), "–".to_owned()]));
}
