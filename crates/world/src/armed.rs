//! Crashes that wait for a process to come to a border between two lines.

use broker::MessageId;
use scenario::{Border, ComponentId, StepIndex};
use sim::SimDuration;

use crate::parts::Caller;
use crate::world::Context;
use crate::{Activity, What, World};

/// A crash that waits at a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Armed {
    pub(crate) component: ComponentId,
    /// Which process may die. `None`: whichever comes.
    pub(crate) instance: Option<u16>,
    pub(crate) restart_after: Option<SimDuration>,
    pub(crate) border: Border,
}

/// Whether a process has died at a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// Nothing waited there.
    Free,
    /// It is dead, and its handler with it.
    Dead,
}

impl World {
    /// How many crashes wait for a process to come to a border.
    #[must_use]
    pub fn armed(&self) -> usize {
        self.armed.len()
    }

    /// A crash waits from now on for who comes to its border.
    #[inline(never)]
    pub(crate) fn arm_crash(&mut self, cx: &mut Context, armed: Armed) {
        let Border { handler, after_line, message } = armed.border;
        self.armed.push(armed);
        let component = armed.component;
        self.emit(cx, What::CrashArmed { component, handler, after_line, message });
    }

    /// A handler begins a line: if no other was before, it has come to the border before the first.
    pub(crate) fn begins(&mut self, cx: &mut Context, by: Caller, message: MessageId) -> Passage {
        let is_first = |activity: &mut Activity| activity.step.is_none();
        if self.armed.is_empty() || !self.activity_mut(by).is_some_and(is_first) {
            return Passage::Free;
        }
        self.meets_armed(cx, by, message, None)
    }

    /// A handler comes to the border after a line.
    pub(crate) fn passes(
        &mut self,
        cx: &mut Context,
        by: Caller,
        message: MessageId,
        after: StepIndex,
    ) -> Passage {
        if self.armed.is_empty() {
            return Passage::Free;
        }
        self.meets_armed(cx, by, message, Some(after))
    }

    #[inline(never)]
    fn meets_armed(
        &mut self,
        cx: &mut Context,
        runner: Caller,
        message: MessageId,
        after: Option<StepIndex>,
    ) -> Passage {
        let Some(process) = self.process_of(runner) else { return Passage::Free };
        let handler = self.handler_of(runner);
        let line = after.map_or(0, |step| step.index() + 1);
        let waits = |armed: &Armed| {
            armed.component == process.component
                && armed.instance.is_none_or(|only| only == process.instance)
                && usize::from(armed.border.handler) == handler
                && usize::from(armed.border.after_line) == line
                && armed.border.message.is_none_or(|only| only == message)
        };
        let Some(at) = self.armed.iter().position(waits) else { return Passage::Free };
        let armed = self.armed.remove(at);
        self.crash(cx, process, armed.restart_after);
        Passage::Dead
    }
}
