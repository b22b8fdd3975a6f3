//! What happens in databases, as sentences.

use scenario::{ComponentId, Kind};
use world::{Did, Direction, SagaEnd, TraceEvent, What};

use super::{Make, Sentence};

/// The sentence of an event of databases.
#[inline(never)]
pub(super) fn rows(made: &Make, event: &TraceEvent) -> Option<Sentence> {
    Some(match event.what {
        What::Executed { database, table, by, message, did, rows, .. } => {
            let key = match (did, rows) {
                (Did::Insert, 0) => "event.executed.conflict",
                (Did::Insert, _) => "event.executed.insert",
                (_, 0) => "event.executed.none",
                (Did::Update, _) => "event.executed.update",
                (Did::Delete, _) => "event.executed.delete",
                (Did::Read, _) => "event.executed.read",
            };
            made.about(key, message)
                .part("by", by)
                .text("table", table_name(made, database, table))
                .text("rows", rows.to_string())
                .done()
        }
        What::RowAwaited { database, by, message } => {
            made.about("event.row_awaited", message).part("by", by).part("db", database).done()
        }
        What::RowsCommitted { database, by, message } => {
            made.about("event.rows_committed", message).part("by", by).part("db", database).done()
        }
        What::RowsRolledBack { database, by, message } => {
            made.about("event.rows_rolled_back", message).part("by", by).part("db", database).done()
        }
        What::Prepared { database, by, message } => {
            made.about("event.prepared", message).part("by", by).part("db", database).done()
        }
        What::InDoubt { database, by, message } => {
            made.about("event.in_doubt", message).part("by", by).part("db", database).done()
        }
        What::Relayed { relay, rows } => {
            let key = if rows == 1 { "event.relayed.one" } else { "event.relayed.other" };
            made.of(key).worker(relay).text("n", rows.to_string()).done()
        }
        What::RowsExpired { database, table, rows } => made
            .of("event.rows_expired")
            .part("db", database)
            .text("table", table_name(made, database, table))
            .text("rows", rows.to_string())
            .done(),
        What::DiskFull { database } => made.of("event.disk_full").part("db", database).done(),
        What::DiskFreed { database } => made.of("event.disk_freed").part("db", database).done(),
        What::Phantom { by, message } => made.about("event.phantom", message).part("by", by).done(),
        What::Untold { by, message } => made.about("event.untold", message).part("by", by).done(),
        What::Replayed { external, message, .. } => {
            made.about("event.replayed", message).part("external", external).done()
        }
        _ => return None,
    })
}

/// What a table is called.
fn table_name(made: &Make, database: ComponentId, table: u16) -> String {
    match &made.names.scenario().component(database).kind {
        Kind::Database(spec) => spec.tables[usize::from(table)].name.clone(),
        _ => String::new(),
    }
}

/// The sentence of an event of schedules and sagas.
#[inline(never)]
pub(super) fn runs(made: &Make, event: &TraceEvent) -> Option<Sentence> {
    Some(match event.what {
        What::RunDue { scheduler, message, late } => {
            let key = if late { "event.run_due.late" } else { "event.run_due" };
            made.about(key, message).part("by", scheduler).done()
        }
        What::RunsSkipped { scheduler, runs } => made
            .of("event.runs_skipped")
            .part("by", scheduler)
            .text("runs", runs.to_string())
            .done(),
        What::RunsMissed { scheduler, runs } => {
            made.of("event.runs_missed").part("by", scheduler).text("runs", runs.to_string()).done()
        }
        What::RunOver { message, worker, .. } => {
            made.about("event.run_over", message).worker(worker).done()
        }
        What::RunStale { message, worker, .. } => {
            made.about("event.run_stale", message).worker(worker).done()
        }
        What::TwoRunners { scheduler, worker, .. } => {
            made.of("event.two_runners").part("by", scheduler).worker(worker).done()
        }
        What::SagaBegan { orchestrator, message } => {
            made.about("event.saga_began", message).part("by", orchestrator).done()
        }
        What::SagaAsked { orchestrator, message, step, direction, .. } => {
            let key = match direction {
                Direction::Act => "event.saga_acts",
                Direction::Compensate => "event.saga_compensates",
            };
            let step = saga_step(made, orchestrator, step);
            made.about(key, message).part("by", orchestrator).text("step", step).done()
        }
        What::SagaHeardLate { orchestrator, message, step } => {
            let step = saga_step(made, orchestrator, step);
            made.about("event.saga_heard_late", message)
                .part("by", orchestrator)
                .text("step", step)
                .done()
        }
        What::SagaEnded { orchestrator, message, end } => {
            let key = match end {
                SagaEnd::Completed => "event.saga_completed",
                SagaEnd::Compensated => "event.saga_compensated",
                SagaEnd::Stuck => "event.saga_stuck",
            };
            made.about(key, message).part("by", orchestrator).done()
        }
        What::Incoherent { orchestrator, message } => {
            made.about("event.incoherent", message).part("by", orchestrator).done()
        }
        _ => return None,
    })
}

/// What a step of a saga is called.
fn saga_step(made: &Make, orchestrator: ComponentId, step: u16) -> String {
    match &made.names.scenario().component(orchestrator).kind {
        Kind::Orchestrator(spec) => spec.steps[usize::from(step)].name.clone(),
        _ => String::new(),
    }
}
