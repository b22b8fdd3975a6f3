//! Fidelity: each rule that the engine keeps, whose rule it is, and the test that holds it; and
//! what is left out, with the reason.
//!
//! A file under `content/fidelity/` is a [`Family`] of rules, named by its id:
//!
//! ```json
//! { "title": "…", "rules": [ { "id": "…", "rule": "…", "source": "…",
//!   "tests": ["crates/broker/tests/queue/main.rs::a_name", "tests/vectors/sqs_rules.json"],
//!   "world": true } ], "not_modelled": [ { "what": "…", "why": "…" } ] }
//! ```
//!
//! A test is a path from the project's root, two colons, and the name of a test function; of a file
//! of vectors, the name of a case, or nothing for all of them. Whether these exist, only a test that
//! may read files can tell; [`lint_fidelity`] sees to everything else.

use scenario::limits;
use scenario::wire::{Diagnostic, Diagnostics, Reader, Value};

use crate::context::all;

/// The families, in the order in which they are shown.
pub const FAMILIES: [&str; 18] = [
    "sqs-standard",
    "sqs-fifo",
    "sqs-fair",
    "rabbitmq-queues",
    "rabbitmq-routing",
    "kafka-log",
    "kafka-producers",
    "kafka-groups",
    "kafka-share",
    "retries",
    "database",
    "idempotence",
    "leases",
    "sagas",
    "schedules",
    "tracing",
    "flow",
    "engine",
];

/// Rules that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its file's name without the ending.
    pub id: String,
    /// What the page calls it.
    pub title: String,
    /// The rules.
    pub rules: Vec<Rule>,
    /// What is left out or simplified.
    pub not_modelled: Vec<Omission>,
}

/// A rule that the engine keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name for ever: links point at it.
    pub id: String,
    /// What holds, in a sentence or two.
    pub rule: String,
    /// Whose rule it is: a page of a manual, a file of a source, a recording.
    pub source: String,
    /// The tests that fail if it does not hold.
    pub tests: Vec<TestName>,
    /// Whether a scenario can show it today.
    pub world: bool,
}

/// A test, by its file and its name in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestName {
    /// The file, from the root of the project.
    pub file: String,
    /// The function, or the case of a file of vectors; `None` for all of its cases.
    pub name: Option<String>,
}

/// Something that is left out or simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omission {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
}

impl TestName {
    /// Whether the file holds vectors, and not code.
    #[must_use]
    pub fn is_vector(&self) -> bool {
        self.file.ends_with(".json")
    }
}

impl Family {
    /// Reads the family `id` from its file.
    ///
    /// # Errors
    /// Everything that is wrong with the document, each with its place and a repair.
    pub fn read(id: &str, document: &Value) -> Result<Self, Vec<Diagnostic>> {
        let sink = Diagnostics::new();
        let family = Self::read_all(id, &Reader::new(document, &sink));
        match family {
            Some(family) if sink.is_empty() => Ok(family),
            _ => Err(sink.into_vec()),
        }
    }

    fn read_all(id: &str, reader: &Reader<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let title = record.required("title").and_then(|r| r.text(limits::LABEL));
        let rules = record.required("rules").and_then(|r| r.each(limits::PIECES, Rule::read));
        let left_out = all(record.optional("not_modelled"), limits::PIECES, Omission::read);
        record.finish();
        Some(Self {
            id: id.to_owned(),
            title: title?.to_owned(),
            rules: rules?,
            not_modelled: left_out?,
        })
    }
}

impl Rule {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let id = record.required("id").and_then(|r| r.name());
        let rule = record.required("rule").and_then(|r| r.text(limits::SENTENCE));
        let source = record.required("source").and_then(|r| r.text(limits::SENTENCE));
        let tests = record.required("tests").and_then(|r| r.each(limits::PIECES, TestName::read));
        let world = record.required("world").and_then(|r| r.flag());
        record.finish();
        Some(Self {
            id: id?.to_owned(),
            rule: rule?.to_owned(),
            source: source?.to_owned(),
            tests: tests?,
            world: world?,
        })
    }
}

impl TestName {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        let text = reader.text(limits::SENTENCE)?;
        let (file, name) = match text.split_once("::") {
            Some((file, name)) => (file, Some(name.to_owned())),
            None => (text, None),
        };
        let test = Self { file: file.to_owned(), name };
        let code = file.ends_with(".rs") && test.name.is_some();
        if !code && !test.is_vector() {
            reader.error(
                "this names no test",
                "write “crates/broker/tests/queue/main.rs::the_function”, or a file of vectors",
            );
            return None;
        }
        Some(test)
    }
}

impl Omission {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        let mut record = reader.record()?;
        let what = record.required("what").and_then(|r| r.text(limits::SENTENCE));
        let why = record.required("why").and_then(|r| r.text(limits::SENTENCE));
        record.finish();
        Some(Self { what: what?.to_owned(), why: why?.to_owned() })
    }
}

/// What is wrong with the families as a whole, beyond being readable: families that are missing or
/// empty, ids that are taken or cannot stand in an address, rules without a test, sentences that do
/// not end. The path begins with the family.
#[must_use]
pub fn lint_fidelity(families: &[Family]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut report = |path: String, problem: &str, repair: &str| {
        found.push(Diagnostic::new(path, problem, repair));
    };
    if !families.iter().map(|family| family.id.as_str()).eq(FAMILIES) {
        report(String::new(), "these are not the known families", "keep to the list and its order");
    }
    let mut ids: Vec<&str> = FAMILIES.to_vec();
    for family in families {
        if family.rules.is_empty() {
            report(format!("/{}/rules", family.id), "no rules", "write one, or drop the family");
        }
        for (at, rule) in family.rules.iter().enumerate() {
            let path = format!("/{}/rules/{at}", family.id);
            if !is_anchor(&rule.id) {
                let repair = "use small letters, digits and single hyphens";
                report(format!("{path}/id"), "this id makes a poor link", repair);
            }
            if ids.contains(&rule.id.as_str()) {
                report(format!("{path}/id"), "this id is taken", "choose another");
            }
            ids.push(&rule.id);
            if rule.tests.is_empty() {
                let repair = "name the test that fails without the rule";
                report(format!("{path}/tests"), "nothing holds this rule", repair);
            }
            if !is_prose(&rule.rule) {
                report(format!("{path}/rule"), "this is no sentence", PROSE);
            }
        }
        for (at, omission) in family.not_modelled.iter().enumerate() {
            for (field, text) in [("what", &omission.what), ("why", &omission.why)] {
                if !is_prose(text) {
                    let path = format!("/{}/not_modelled/{at}/{field}", family.id);
                    report(path, "this is no sentence", PROSE);
                }
            }
        }
    }
    found
}

const PROSE: &str = "begin with a capital, figure or name, end with a full stop, no double spaces";

/// `sqs-visibility-from-now`.
fn is_anchor(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(plain)
        && !id.contains("--")
        && !id.ends_with('-')
}

fn is_prose(text: &str) -> bool {
    let opens = |c: char| c.is_uppercase() || c.is_ascii_digit() || c == '`' || c == '“';
    text.starts_with(opens) && text.ends_with('.') && !text.contains("  ") && !text.contains('!')
}
