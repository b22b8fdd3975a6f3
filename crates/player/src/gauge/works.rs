//! Gauges of what works on databases, of sagas and of schedules.

use world::{SagaEnd, What};

use super::Gauge;

/// How much an event adds to a gauge.
#[inline(never)]
pub(super) fn adds(gauge: Gauge, what: What) -> Option<u32> {
    let (of, found, more) = match (gauge, what) {
        (Gauge::RowsAwaited(of), What::RowAwaited { database, .. })
        | (Gauge::Statements(of), What::Executed { database, .. }) => (of, database, 1),
        (Gauge::Replayed(of), What::Replayed { external, .. }) => (of, external, 1),
        (Gauge::Phantoms(of), What::Phantom { by, .. })
        | (Gauge::Untold(of), What::Untold { by, .. }) => (of, by, 1),
        (Gauge::Completed(of), What::SagaEnded { orchestrator, end: SagaEnd::Completed, .. })
        | (
            Gauge::Compensated(of),
            What::SagaEnded { orchestrator, end: SagaEnd::Compensated, .. },
        )
        | (Gauge::Incoherent(of), What::Incoherent { orchestrator, .. }) => (of, orchestrator, 1),
        (Gauge::RunsOver(of), What::RunOver { scheduler, .. })
        | (Gauge::TwoRunners(of), What::TwoRunners { scheduler, .. }) => (of, scheduler, 1),
        (Gauge::RunsSkipped(of), What::RunsSkipped { scheduler, runs })
        | (Gauge::RunsMissed(of), What::RunsMissed { scheduler, runs }) => (of, scheduler, runs),
        _ => return None,
    };
    (of == found).then_some(more)
}
