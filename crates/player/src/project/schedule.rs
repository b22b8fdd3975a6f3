//! A scheduler in a frame.

use world::SchedulerState;

use super::process;
use crate::frame::{RunFrame, SHOWN, SchedulerFrame};

#[inline(never)]
pub(super) fn scheduler(state: &SchedulerState) -> SchedulerFrame {
    let runs = state.runs.iter().take(SHOWN).map(|run| RunFrame {
        message: run.message,
        due: run.due.0,
        held: run.held,
        until: run.until,
    });
    SchedulerFrame {
        clerks: state.clerks.iter().map(|clerk| process(&clerk.process)).collect(),
        next: state.next(),
        runs: runs.collect(),
        done: state.done,
        skipped: state.skipped,
        missed: state.missed,
    }
}
