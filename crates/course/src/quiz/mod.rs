//! A quiz: questions that are judged, by a run wherever a run can judge.
//!
//! ```text
//!  quiz.json ─► Quiz ─┬─ Stage: an exhibit that its runs are of
//!                     ├─ Question + Answer ─► Judged: right or not, and why
//!                     └─ Fill + the part placed, Design + the decisions ─► runs ─► Verdict
//! ```
//!
//! - [`Quiz`] reads the format and reports everything that is wrong with it.
//! - [`Question::judge`] judges an answer and says why, for what was chosen and what was not.
//! - [`Design::run`] runs a design, made of several decisions, under each of its faults.
//! - [`Fill::run`] builds the scenario with a part in its empty place and runs it: the verdict is
//!   what the runs keep of the promises, not what the file says.
//! - [`crate::evidence`] has the runs that show what an answer claims.
//!
//! # What this module does not do
//! It keeps no record of who answered what, and asks nobody again: that is [`crate::leitner`] and
//! the page. It draws nothing.

mod answer;
mod design;
mod fill;
mod lint;
mod question;
mod read;
mod spot;

pub use answer::{Answer, Judged, Note, Verdict};
pub use design::{Beat, Decision, Design, Fault, WAYS};
pub use fill::{Fill, Part, Promise, Ran, Stop, Tested};
pub use lint::lint_quiz;
pub(crate) use lint::said;
pub use question::{Asks, Bin, Card, Choice, Many, Question, Slip, Step, Timing, Trap};
pub(crate) use read::lone_question;
pub use spot::{LINES, Spot};

use scenario::wire::{Diagnostic, Diagnostics, Reader, Value};

use crate::evidence::{Library, Stage};

/// Questions about one thing, or a pool from which a check draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiz {
    /// Its title.
    pub title: String,
    /// What a learner takes away, in a sentence.
    pub lesson: String,
    /// The module of the course that it belongs to: `m1` to `m8`, or `all`.
    pub module: String,
    /// The entries of the inventory that it fulfils.
    pub inventory: Vec<String>,
    /// How many questions are asked at a time, drawn from all of them; all of them if `None`.
    pub draw: Option<usize>,
    /// What its runs are of.
    pub stages: Vec<Stage>,
    /// The questions, in order.
    pub questions: Vec<Question>,
}

impl Quiz {
    /// Reads a quiz. Exhibits that its runs are of come from `library`.
    ///
    /// # Errors
    /// Everything that is wrong with the document, each with its JSON pointer and repair.
    pub fn read(document: &Value, library: &Library<'_>) -> Result<Self, Vec<Diagnostic>> {
        let sink = Diagnostics::new();
        let quiz = read::quiz(&Reader::new(document, &sink), library);
        match quiz {
            Some(quiz) if sink.is_empty() => Ok(quiz),
            _ => Err(crate::exhibit::complaints(sink)),
        }
    }

    /// How many right answers pass: two thirds of those asked, rounded up.
    #[must_use]
    pub fn pass_mark(asked: usize) -> usize {
        (asked * 2).div_ceil(3)
    }
}
