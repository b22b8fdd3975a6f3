//! What a line comes to, and what follows it.

use broker::MessageId;
use scenario::{Act, Does, Step, StepIndex};

use crate::activity::Ending;
use crate::parts::{Caller, Part};
use crate::{Outcome, World};

/// What follows a line.
pub(crate) enum Follow {
    Line(StepIndex),
    End(Ending),
}

/// What follows a line that came out like this: the branch for it, or the next line, or the end.
pub(crate) fn follow(line: &Step, outcome: Outcome) -> Follow {
    let goes_on = match outcome {
        Outcome::Ok | Outcome::ZeroRows => true,
        Outcome::Refused => line.act.settles(),
        // Who inserts or skips has said what a conflict means.
        Outcome::Conflict => {
            matches!(&line.act, Act::Statement(it) if matches!(it.does, Does::InsertOrSkip(_)))
        }
        _ => false,
    };
    let next = match line.branch(|when| outcome.is(when)) {
        Some(branch) => branch.then,
        _ if goes_on => line.next,
        _ => return Follow::End(Ending::Failed(outcome)),
    };
    next.map_or(Follow::End(Ending::Finished), Follow::Line)
}

impl World {
    /// Whether the message is one that a worker's handler throws on. A service has only to pass it
    /// on.
    pub(crate) fn throws(&self, runner: Caller, message: MessageId) -> bool {
        let Caller::Worker(worker) = runner else { return false };
        let mended = match &self.parts[worker.component.index()] {
            Part::Workers(state) => state.mended,
            _ => false,
        };
        self.messages[message].poison && !mended
    }
}
