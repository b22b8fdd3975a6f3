//! What the application is asked, by the parts of the page and by what is around it.

use web_sys::KeyboardEvent;

use crate::browser::{Copied, Word};
use crate::state::Act;

/// What can be kept as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Save {
    /// Every trace event of the run.
    Trace,
    /// The scenario with everything that was changed in it.
    Scenario,
    /// The view that is shown.
    View,
    /// A chart, by its position.
    Chart(usize),
}

/// The forms of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Rows with commas.
    Csv,
    /// A document.
    Json,
    /// A drawing.
    Svg,
    /// A picture.
    Png,
}

/// What the application is asked.
#[derive(Clone, Debug)]
pub enum Asked {
    /// Something done to the session.
    Act(Act),
    /// So many milliseconds of screen time passed.
    Tick(f64),
    /// There is more of the run to compute.
    Compute,
    /// There are more runs to compute.
    Sweep,
    /// What one of those says who compute runs elsewhere: of which crew, and which of them.
    Crew(u32, usize, Word),
    /// A key was pressed.
    Key(KeyboardEvent),
    /// Another seed.
    AnotherSeed,
    /// The link to this moment of this run.
    Link,
    /// What came of copying this link.
    Copied(Copied, String),
    /// Show the list of keys, or put it away.
    Keys,
    /// Show the settings, or put them away.
    More,
    /// Show more of the transcript.
    Lines,
    /// Read a chart at one of its places.
    Read(usize, u32),
    /// Keep something as a file of this form.
    Save(Save, Form),
    /// Hold this line of the handler's list, or none.
    Hold(Option<usize>),
    /// Put a line of the handler's list elsewhere, and go on holding it or not.
    Move {
        /// Where it is.
        from: usize,
        /// Where it is to be.
        to: usize,
        /// Whether it stays in hand.
        then: Option<usize>,
    },
    /// Say this in the live region.
    Say(String),
    /// Several of these, in order; none of them asks to be drawn anew.
    All(Vec<Asked>),
    /// Say the phrase that waits.
    Speak,
    /// Something done to a quiz.
    Quiz(crate::quiz::Act),
    /// Something done on a walk through a tree.
    Tree(crate::tree::Act),
    /// Something done to a worksheet.
    Sheet(crate::sheet::Act),
    /// An attribute has another value.
    Set(String, Option<String>),
}
