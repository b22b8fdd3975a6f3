//! What a learner, a key, an attribute or the page can do to an exhibit.

use broker::MessageId;
use course::View;
use scenario::wire::{Diagnostic, Value};
use scenario::{ComponentId, Intervention};
use sim::SimTime;

use super::{Filter, Speed};

/// One thing done to a session. Everything that changes it comes through here.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Let virtual time run.
    Play,
    /// Hold virtual time.
    Pause,
    /// The other of the two.
    Toggle,
    /// The playhead to the start of the run.
    ToStart,
    /// The playhead to the end of the run.
    ToEnd,
    /// The playhead to the next trace event.
    Step,
    /// The playhead to the trace event before.
    StepBack,
    /// The playhead to the next trace event of a kind.
    ToNext(Sought),
    /// The playhead to a moment.
    Seek(SimTime),
    /// The playhead to the moment just after a trace event.
    SeekEvent(usize),
    /// The playhead to the next beat of the story.
    NextBeat,
    /// The playhead to the beat before.
    PreviousBeat,
    /// How fast virtual time goes by.
    SetSpeed(Speed),
    /// One notch faster.
    Faster,
    /// One notch slower.
    Slower,
    /// Follow a message, or none.
    Follow(Option<MessageId>),
    /// Inspect a component or a message, or nothing.
    Inspect(Option<Inspected>),
    /// Which lines of the transcript are shown.
    SetFilter(Filter),
    /// Show this view of the run.
    Show(View),
    /// The timeline from this message on, by its position.
    ShowRows(u32),
    /// One of the exhibit's actions, at the playhead, by its position.
    Break(usize),
    /// Take an intervention back, by its position in the run.
    TakeBack(usize),
    /// Change a setting and run again.
    Change {
        /// Its JSON pointer in the scenario.
        pointer: String,
        /// What it becomes.
        value: Value,
    },
    /// Move a line of the handler that the exhibit lets one reorder, from a position to another.
    Reorder {
        /// The line's position.
        from: usize,
        /// The position it has afterwards.
        to: usize,
    },
    /// Run again with this seed.
    SetSeed(u64),
    /// The exhibit as it came.
    Reset,
    /// Restore what a link says.
    Restore(String),
    /// Something around the exhibit is wrong (an attribute, a link): say so and go on.
    Complain(Diagnostic),
    /// Put the notices away.
    Dismiss,
    /// Run it so many times, under a seed each.
    Sweep(u32),
    /// Leave it at the runs that are done.
    StopSweep,
    /// Put what came of them away.
    DropSweep,
    /// Open the question that is asked before the run is played, or fold it up.
    Predict,
    /// Open it, since the run was to be played.
    AskFirst,
    /// Pick an option of it.
    Guess(usize),
    /// Write a number as its answer.
    GuessNumber(String),
    /// Take the answer as it stands.
    CommitGuess,
    /// Put the question away.
    SkipGuess,
    /// Keep the run as it stands as the other run, to compare with.
    KeepOther,
    /// Put the other run away.
    DropOther,
    /// Try a crash at each border of each handler.
    Explore,
    /// Leave it at the crashes that are tried.
    StopExploring,
    /// Put away what came of them.
    DropMatrix,
    /// Put the crash of a cell into the run, or take it out again: by row and column.
    OpenCell(usize, usize),
    /// Put the crash that breaks a property into the run, by its position.
    OpenBreach(usize),
}

impl Act {
    /// Whether the button that it came from goes away, so that the focus has to go somewhere.
    #[must_use]
    pub fn moves_focus(&self) -> bool {
        matches!(
            self,
            Act::Sweep(_)
                | Act::StopSweep
                | Act::DropSweep
                | Act::AskFirst
                | Act::CommitGuess
                | Act::SkipGuess
                | Act::KeepOther
                | Act::DropOther
                | Act::Explore
                | Act::StopExploring
                | Act::DropMatrix
        )
    }

    /// Whether it makes the run another one.
    #[must_use]
    pub fn remakes(&self) -> bool {
        matches!(
            self,
            Act::Break(_)
                | Act::TakeBack(_)
                | Act::Change { .. }
                | Act::Reorder { .. }
                | Act::SetSeed(_)
                | Act::Reset
                | Act::Restore(_)
                | Act::OpenCell(..)
                | Act::OpenBreach(_)
        )
    }
}

/// The kinds of trace event that one may look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A message on offer again, or taken again.
    Redelivery,
    /// A process dying.
    Crash,
    /// A message moved aside.
    DeadLetter,
    /// A message deleted by its ack.
    Ack,
    /// A message taken.
    Receive,
    /// A call of a handler having its effect.
    Effect,
    /// An ack refused or lost.
    AckTrouble,
}

impl Sought {
    /// All of them, in the order of the menu.
    pub const ALL: [Sought; 7] = [
        Sought::Redelivery,
        Sought::Crash,
        Sought::DeadLetter,
        Sought::Ack,
        Sought::Receive,
        Sought::Effect,
        Sought::AckTrouble,
    ];

    /// Its key in the catalogue, after `next.`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Sought::Redelivery => "redelivery",
            Sought::Crash => "crash",
            Sought::DeadLetter => "dead_letter",
            Sought::Ack => "ack",
            Sought::Receive => "receive",
            Sought::Effect => "effect",
            Sought::AckTrouble => "ack_trouble",
        }
    }

    /// The kind with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<Sought> {
        Sought::ALL.into_iter().find(|sought| sought.key() == key)
    }

    /// Whether an event is of this kind.
    #[must_use]
    pub fn is(self, what: &world::What) -> bool {
        use world::What;
        match self {
            Sought::Redelivery => match what {
                What::Lapsed { .. } | What::Requeued { .. } => true,
                What::Received { count, .. } => *count > 1,
                _ => false,
            },
            Sought::Crash => matches!(what, What::Crashed { .. }),
            Sought::DeadLetter => matches!(what, What::DeadLettered { .. }),
            Sought::Ack => matches!(what, What::Acked { .. }),
            Sought::Receive => matches!(what, What::Received { .. }),
            Sought::Effect => matches!(what, What::Effected { .. }),
            Sought::AckTrouble => {
                matches!(what, What::AckRefused { .. } | What::AckLost { .. })
            }
        }
    }
}

/// What the inspector shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inspected {
    /// A component.
    Component(ComponentId),
    /// A message.
    Message(MessageId),
}

/// What came of an act, for those around the session: the live region and the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// A whole phrase for the live region: a key of the catalogue and its names.
    Say(&'static str, Vec<(&'static str, String)>),
    /// Something was done to the run.
    Did(Intervention),
    /// Something that was done to the run was taken back.
    Undid(Intervention),
    /// The playhead was put somewhere else.
    Moved,
    /// A beat of the story was reached, by its position.
    Beat(usize),
    /// The run was seen to its end.
    Ended,
    /// Every beat of the story was reached and the run was seen to its end.
    Complete,
    /// Something was wrong.
    Wrong(Diagnostic),
}
