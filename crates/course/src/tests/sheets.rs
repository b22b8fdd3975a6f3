//! What is said about a worksheet that is wrong: by the reader, and by the linter.

use scenario::wire::Value;

use super::pointer;
use crate::sheet::{Sheet, lint_sheet};

const SHEET: &str = r#"{
  "format": 1, "kind": "sheet", "title": "Test", "lesson": "Test.", "module": "m1", "summary": "Test.",
  "inputs": [
    { "id": "rate", "label": "Rate", "is": 30, "from": 0, "to": 100 },
    { "id": "kind", "label": "Kind", "is": 1, "choices": [ { "label": "one", "value": 1 }, { "label": "two", "value": 2 } ] }
  ],
  "values": [
    { "id": "twice", "label": "Twice", "formula": "rate * 2 * kind", "says": "Twice the rate.",
      "check": { "at_most": "rate * 4", "holds": "It is {twice}.", "fails": "It is not." } }
  ],
  "charts": [ { "label": "Twice", "over": { "id": "x", "label": "X", "from": "0", "to": "9" },
    "lines": [ { "label": "Twice", "formula": "x * 2" } ] } ],
  "card": [ "{rate} gives {twice}." ],
  "facts": [ { "id": "F-X-1", "with": { "rate": 4 }, "gives": { "twice": 8 }, "checks": { "twice": "holds" } } ]
}"#;

fn with(place: &str, json: &str) -> Value {
    let mut changed: Value = serde_json::from_str(SHEET).expect("JSON");
    changed.set(&pointer(place), serde_json::from_str(json).expect(json)).expect(place);
    changed
}

/// The sheet with one value put in is refused with this line first.
#[track_caller]
fn refused(place: &str, json: &str, line: &str) {
    let wrong = Sheet::read(&with(place, json)).expect_err(place);
    assert_eq!(wrong[0].to_string(), line, "{place} = {json}");
}

/// The sheet with one value put in is read, and the linter finds this.
#[track_caller]
fn found(place: &str, json: &str, line: &str) {
    let sheet = Sheet::read(&with(place, json)).expect("it can be read");
    let lines: Vec<_> = lint_sheet(&sheet).iter().map(ToString::to_string).collect();
    assert!(lines.iter().any(|found| found.starts_with(line)), "no “{line}” in {lines:?}");
}

#[test]
fn a_sound_sheet_has_nothing_to_say() {
    let sheet = Sheet::read(&with("/title", r#""Test""#)).expect("it can be read");
    assert_eq!(lint_sheet(&sheet), []);
}

#[test]
fn what_cannot_be_read_names_its_place_its_column_and_a_repair() {
    refused(
        "/values/0/formula",
        r#""rat * 2""#,
        "at /values/0/formula: column 1: nothing before this is called “rat” — did you mean “rate”?",
    );
    refused(
        "/values/0/formula",
        r#""twice * 2""#,
        "at /values/0/formula: column 1: nothing before this is called “twice” — name an input, or \
         a value that stands before this one",
    );
    refused(
        "/values/0/check/at_most",
        r#""1 +""#,
        "at /values/0/check/at_most: column 4: the formula ends too early — write a number or a name",
    );
    refused(
        "/charts/0/lines/0/formula",
        r#""y""#,
        "at /charts/0/lines/0/formula: column 1: nothing before this is called “y” — name an input, \
         or a value that stands before this one",
    );
    refused(
        "/charts/0/over/id",
        r#""twice""#,
        "at /charts/0/over/id: “twice” is a value — name an input, or choose a name of its own",
    );
    refused(
        "/inputs/0/is",
        "101",
        "at /inputs/0: “is” cannot be entered itself — put it within “from” and “to”, or make it \
         whole",
    );
    refused(
        "/inputs/1/is",
        "3",
        "at /inputs/1/is: none of the choices has this value — write the value of the first choice",
    );
    refused(
        "/inputs/1/id",
        r#""rate""#,
        "at /inputs/1/id: the name “rate” is taken — choose another",
    );
    refused(
        "/inputs/0/id",
        r#""a-b""#,
        "at /inputs/0/id: “a-b” would be read as more than a name in a formula — begin with a \
         letter, and use _ for -",
    );
    refused(
        "/card/0",
        r#""{rates}""#,
        "at /card/0: “rates” is not the name of an input or a value — did you mean “rate”?",
    );
    refused("/card/0", r#""{rate""#, "at /card/0: a brace is not closed — write } after the name");
    refused(
        "/facts/0/with/rate",
        "101",
        "at /facts/0/with/rate: this cannot be entered there — stay within the range of the input",
    );
    refused(
        "/facts/0/gives",
        r#"{"twise": 1}"#,
        "at /facts/0/gives/twise: “twise” is not the name of a value — did you mean “twice”?",
    );
}

#[test]
fn the_linter_holds_a_sheet_to_its_facts_and_its_words() {
    found("/facts/0/gives/twice", "9", "at /facts/0/gives/twice: F-X-1: “twice” is 8, and not");
    found("/facts/0/checks/twice", r#""fails""#, "at /facts/0/checks/twice: F-X-1: the check");
    found("/facts", "[]", "at /facts: nothing holds the formulas");
    found("/values/0/formula", r#""rate * 2""#, "at /inputs/1: nothing uses “kind”");
    found("/values/0/formula", r#""kind / (rate - 30)""#, "at /values/0: “twice” is not defined");
    found("/lesson", r#""Look!""#, "at /lesson: an exclamation mark");
    found("/module", r#""m9""#, "at /module: “m9” is not a module");
    found("/inventory", r#"["M8"]"#, "at /inventory/0: “M8” is not an entry");
    found("/charts/0/over/to", r#""1 / (rate - 30)""#, "at /charts/0: it has no range at first");
    found("/charts/0/lines/0/formula", r#""1 / (rate - 30)""#, "at /charts/0: a line has fewer");
}
