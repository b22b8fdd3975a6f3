//! Questions: what is asked, and everything that may be answered.

use super::{Design, Fill, Spot};
use crate::evidence::Evidence;

/// One question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its name within the quiz, by which progress is kept.
    pub id: String,
    /// The question.
    pub ask: String,
    /// Help, a step at a time, before the answer is seen.
    pub hints: Vec<String>,
    /// What there is to say whatever was answered.
    pub why: Option<String>,
    /// The facts of the course that it asks for, by their names.
    pub facts: Vec<String>,
    /// The run that shows the answer.
    pub run: Option<Evidence>,
    /// Whether the answer is given before the run is seen.
    pub timing: Timing,
    /// What sort of answer it wants.
    pub asks: Asks,
}

/// When the run of a question is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// After the answer, if the learner wants it.
    Any,
    /// After the answer, at once: the answer is a prediction.
    Predict,
}

/// What sort of answer a question wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Asks {
    /// One of several, or several of several.
    Choice {
        /// The options, in the order in which they were written.
        options: Vec<Choice>,
        /// Whether several are right.
        many: Many,
    },
    /// A number.
    Number {
        /// The right one.
        answer: f64,
        /// How far off an answer may be.
        within: f64,
        /// What is counted: `s`, `messages`.
        unit: String,
        /// Numbers that one comes to by a mistake.
        traps: Vec<Trap>,
    },
    /// Steps in an order.
    Order {
        /// The steps, in a right order.
        steps: Vec<Step>,
        /// What goes wrong when one comes before another.
        slips: Vec<Slip>,
    },
    /// Cards into bins.
    Sort {
        /// The bins.
        bins: Vec<Bin>,
        /// The cards.
        cards: Vec<Card>,
    },
    /// A part for the empty place of a diagram.
    Fill(Box<Fill>),
    /// The line of a trace in which the fault lies.
    Spot(Box<Spot>),
    /// An answer aloud, of which the learner says what was in it.
    Recall {
        /// Our answer.
        say: String,
        /// What a good answer names.
        points: Vec<String>,
    },
    /// Decisions in an order, which are run together.
    Design(Box<Design>),
}

/// Whether several options are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// One is.
    No,
    /// Any number may be; all that are have to be picked, and no other.
    Yes,
}

/// An option.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What it says.
    pub say: String,
    /// Whether it is right.
    pub right: bool,
    /// Why it is, or is not.
    pub why: String,
    /// The run that shows so.
    pub run: Option<Evidence>,
}

/// A number that one comes to by a mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct Trap {
    /// The number.
    pub value: f64,
    /// Which mistake.
    pub why: String,
}

/// A step of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub say: String,
    /// Why it stands where it does.
    pub why: String,
    /// Its place. Steps of one place may stand in either order.
    pub place: u32,
}

/// What goes wrong when one step comes before another.
#[derive(Clone, Debug, PartialEq)]
pub struct Slip {
    /// The step that comes too early, by its position.
    pub early: usize,
    /// The step that it should have waited for.
    pub late: usize,
    /// What goes wrong.
    pub why: String,
    /// The run that shows so.
    pub run: Option<Evidence>,
}

/// A bin to sort cards into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bin {
    /// What is written on it.
    pub say: String,
    /// What belongs there.
    pub note: Option<String>,
}

/// A card to sort.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// What it says.
    pub say: String,
    /// The bins it may go into, by their positions.
    pub bins: Vec<usize>,
    /// Why.
    pub why: String,
    /// The run that shows so.
    pub run: Option<Evidence>,
}
