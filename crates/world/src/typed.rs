//! Lines that are for messages of one type.
//!
//! A crew that shares one queue for several kinds of work has the lines for all of them in one
//! handler. A message of another type passes a line by: it takes no time, it has no effect, and the
//! work on the message is done without it.

use broker::MessageId;
use scenario::{Kind, Program, Scenario, Step, StepIndex, TYPE_FIELD};

use crate::parts::Caller;
use crate::{WorkerId, World};

impl World {
    /// The first line from one on that is for the message in hand: those for messages of another
    /// type are passed by. `None` where nothing is left to be done.
    pub(crate) fn line_for<'a>(
        &mut self,
        scenario: &'a Scenario,
        runner: Caller,
        from: StepIndex,
    ) -> Option<(StepIndex, &'a Step)> {
        let program = self.program(scenario, runner)?;
        let message = self.activity_mut(runner)?.message;
        let mut at = from;
        loop {
            let line = program.step(at)?;
            if self.is_for(scenario, line, message) {
                return Some((at, line));
            }
            at = line.next?;
        }
    }

    /// Whether a line is run for a message, or passed by.
    pub(crate) fn is_for(&self, scenario: &Scenario, step: &Step, message: MessageId) -> bool {
        let Some(wanted) = step.if_type else { return true };
        self.body_field(scenario, message, TYPE_FIELD) == Some(&scenario.types[wanted.index()])
    }

    /// The lines of a worker's handler that a message passes by, as bits.
    #[must_use]
    pub fn passed_by(&self, worker: WorkerId, message: MessageId) -> u64 {
        let scenario = self.scenario();
        let Kind::Workers(spec) = &scenario.component(worker.component).kind else { return 0 };
        let lines = spec.on_message.steps.iter().enumerate();
        let passed = lines.filter(|(_, step)| !self.is_for(scenario, step, message));
        passed.fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// The lines of a handler whose effects are the work on a message, as bits.
    pub(crate) fn work_on(&self, scenario: &Scenario, of: &Program, message: MessageId) -> u64 {
        of.effects(|step| self.is_for(scenario, step, message))
    }
}
