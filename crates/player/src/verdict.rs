//! What came of the properties of a run.

use scenario::Property;
use world::{TraceEvent, What};

use crate::{Player, Progress};

/// A property and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The property.
    pub property: Property,
    /// What came of it.
    pub finding: Finding,
}

/// What came of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It held to the end of the run.
    Holds,
    /// It was broken; the position in the trace of the first event that broke it, and how many did.
    Broken {
        /// The first event that broke it.
        witness: usize,
        /// How many events broke it.
        times: usize,
    },
    /// It has held so far; the run is not computed to its end.
    Open,
}

impl Player {
    /// What came of each property of the scenario.
    #[must_use]
    pub fn verdicts(&self) -> Vec<Verdict> {
        let judge = |&property| Verdict { property, finding: self.judge(property) };
        self.scenario().properties.iter().map(judge).collect()
    }

    fn judge(&self, property: Property) -> Finding {
        let breaks = |event: &TraceEvent| match (property, event.what) {
            (Property::NoMessageLost, What::Lost { .. } | What::LostToGroup { .. }) => true,
            (Property::NoEffectTwice, What::Effected { nth, .. }) => nth > 1,
            _ => false,
        };
        let mut broken = self.trace().iter().enumerate().filter(|(_, event)| breaks(event));
        match (broken.next(), self.progress()) {
            (Some((witness, _)), _) => Finding::Broken { witness, times: 1 + broken.count() },
            (None, Progress::Done) => Finding::Holds,
            (None, Progress::Running) => Finding::Open,
        }
    }
}
