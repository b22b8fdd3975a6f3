//! Conformance: the engine against vectors from real systems and from the textbook.
//!
//! A file is recognised by its content, not by its name, so that further files of the same formats
//! can be replayed. Each case passes, fails with what came back instead, or is not run for a
//! reason; no case is passed over in silence.
//!
//! | format | recognised by | checked against |
//! | --- | --- | --- |
//! | [`sqs`] | `scenarios`, a list of objects with `ops` | `broker::queue` |
//! | [`queueing`] | `formulas` beside one of `mm1`, `mmc`, `mg1`, `mm1k` | `sim::models`, closed forms |
//! | [`kafka`] | see there | `broker::log` |
//! | [`rabbit`] | see there | `broker::amqp` |
//! | [`patterns`] | see there | `patterns` |
//! | [`others`] | the formats of machines that are not built yet | nothing: listed as not run |

mod json;
pub mod kafka;
pub mod others;
pub mod patterns;
pub mod queueing;
pub mod rabbit;
pub mod sqs;

use std::fmt;

use json::Node;

/// A case of a file, and how it came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The case's name in the file, or what stands for it.
    pub name: String,
    /// How it came out.
    pub verdict: Verdict,
}

/// How a case came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The engine did what the vector says.
    Pass,
    /// It did not: where, what was expected and what came back.
    Fail(String),
    /// There is nothing to run it against, and why.
    NotRun(String),
    /// The case is not written as it should be.
    Unreadable(Problem),
}

/// What is wrong with a file, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A JSON pointer into the file; empty for the whole of it.
    pub pointer: String,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub repair: String,
}

/// How many cases came out in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cases that were not run.
    pub skipped: usize,
    /// Cases that could not be read.
    pub unreadable: usize,
}

/// Replays the vectors of one file.
///
/// # Errors
/// A [`Problem`] if the text is not JSON, or is of no format known here.
pub fn replay(text: &str) -> Result<Vec<Case>, Problem> {
    let value = serde_json::from_str(text).map_err(|error| Problem {
        pointer: String::new(),
        problem: format!("not JSON: {error}"),
        repair: "correct the file at that line and column".to_owned(),
    })?;
    let root = Node::root(&value);
    if sqs::recognises(&root) {
        sqs::replay(&root)
    } else if queueing::recognises(&root) {
        queueing::replay(&root)
    } else if kafka::recognises(&root) {
        kafka::replay(&root)
    } else if rabbit::recognises(&root) {
        rabbit::replay(&root)
    } else if patterns::recognises(&root) {
        patterns::replay(&root)
    } else if let Some(cases) = others::list(&root) {
        Ok(cases)
    } else {
        Err(root.problem(
            "of no format known here",
            "give it a list \"scenarios\" of objects with \"ops\" (SQS), or \"formulas\" beside \
             \"mm1\", \"mmc\", \"mg1\" or \"mm1k\" (queueing theory)",
        ))
    }
}

impl Totals {
    /// Counts one more case.
    pub fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Pass => self.passed += 1,
            Verdict::Fail(_) => self.failed += 1,
            Verdict::NotRun(_) => self.skipped += 1,
            Verdict::Unreadable(_) => self.unreadable += 1,
        }
    }
}

/// One line: `pass     name`, `FAIL     name: …`, `not run  name: …`.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.verdict {
            Verdict::Pass => write!(f, "pass     {name}"),
            Verdict::Fail(why) => write!(f, "FAIL     {name}: {why}"),
            Verdict::NotRun(why) => write!(f, "not run  {name}: {why}"),
            Verdict::Unreadable(problem) => write!(f, "UNREAD   {name}: {problem}"),
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        if self.unreadable > 0 {
            write!(f, ", {} unreadable", self.unreadable)?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, problem, repair } = self;
        let place = if pointer.is_empty() { "the whole file" } else { pointer };
        write!(f, "at {place}: {problem}; {repair}")
    }
}
