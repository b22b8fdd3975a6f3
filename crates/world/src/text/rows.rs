//! The lines of databases.

use std::fmt::{self, Write};

use scenario::{ComponentId, Kind, Scenario};

use super::{Line, Word};
use crate::{Did, Direction, SagaEnd, What};

impl<W: Write> Line<'_, W> {
    /// The events of databases.
    pub(super) fn rows(&mut self, what: What) -> fmt::Result {
        match what {
            What::Executed { database, table, by, message, did, rows, .. } => {
                self.words(did.verb(), &[&Table(database, table), &by, &message, &"rows", &rows])
            }
            What::RowAwaited { database, by, message } => {
                self.words("row-awaited", &[&database, &by, &message])
            }
            What::RowsCommitted { database, by, message } => {
                self.words("rows-committed", &[&database, &by, &message])
            }
            What::RowsRolledBack { database, by, message } => {
                self.words("rows-rolled-back", &[&database, &by, &message])
            }
            What::Prepared { database, by, message } => {
                self.words("prepared", &[&database, &by, &message])
            }
            What::InDoubt { database, by, message } => {
                self.words("in-doubt", &[&database, &by, &message])
            }
            What::Phantom { by, message } => self.words("phantom", &[&by, &message]),
            What::Untold { by, message } => self.words("untold", &[&by, &message]),
            What::SagaBegan { orchestrator, message } => {
                self.words("saga-began", &[&orchestrator, &message])
            }
            What::SagaAsked { orchestrator, message, step, direction, attempt } => {
                let verb = match direction {
                    Direction::Act => "saga-acts",
                    Direction::Compensate => "saga-compensates",
                };
                let step = Step(orchestrator, step);
                self.words(verb, &[&orchestrator, &message, &step, &"attempt", &attempt])
            }
            What::SagaHeardLate { orchestrator, message, step } => {
                self.words("saga-heard-late", &[&orchestrator, &message, &Step(orchestrator, step)])
            }
            What::SagaEnded { orchestrator, message, end } => {
                let end = match end {
                    SagaEnd::Completed => "completed",
                    SagaEnd::Compensated => "compensated",
                    SagaEnd::Stuck => "stuck",
                };
                self.words("saga-ended", &[&orchestrator, &message, &end])
            }
            What::Incoherent { orchestrator, message } => {
                self.words("incoherent", &[&orchestrator, &message])
            }
            What::Relayed { relay, rows } => self.words("relayed", &[&relay, &"rows", &rows]),
            What::RowsExpired { database, table, rows } => {
                self.words("rows-expired", &[&Table(database, table), &"rows", &rows])
            }
            What::DiskFull { database } => self.words("disk-full", &[&database]),
            What::DiskFreed { database } => self.words("disk-freed", &[&database]),
            What::Replayed { external, message, caller } => {
                self.words("replayed", &[&external, &message, &caller])
            }
            other => self.runs(other),
        }
    }

    /// The events of schedules.
    fn runs(&mut self, what: What) -> fmt::Result {
        match what {
            What::RunDue { scheduler, message, late } => {
                let words: [&dyn Word; 3] = [&scheduler, &message, &"late"];
                self.words("run-due", &words[..if late { 3 } else { 2 }])
            }
            What::RunsSkipped { scheduler, runs } => {
                self.words("runs-skipped", &[&scheduler, &runs])
            }
            What::RunsMissed { scheduler, runs } => self.words("runs-missed", &[&scheduler, &runs]),
            What::RunOver { scheduler, message, worker } => {
                self.words("run-over", &[&scheduler, &message, &worker])
            }
            What::RunStale { scheduler, message, worker } => {
                self.words("run-stale", &[&scheduler, &message, &worker])
            }
            What::TwoRunners { scheduler, worker, other } => {
                self.words("two-runners", &[&scheduler, &worker, &other])
            }
            // Printing it would carry every event's Debug into the module.
            _ => unreachable!("the others are written above"),
        }
    }
}

impl Did {
    fn verb(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Read => "read",
        }
    }
}

/// A table: `db.orders`.
struct Table(ComponentId, u16);

impl Word for Table {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        self.0.write(scenario, out)?;
        match &scenario.component(self.0).kind {
            Kind::Database(spec) => {
                write!(out, ".{}", spec.tables[usize::from(self.1)].name)
            }
            _ => Ok(()),
        }
    }
}

/// A step of a saga, by its name.
struct Step(ComponentId, u16);

impl Word for Step {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        match &scenario.component(self.0).kind {
            Kind::Orchestrator(spec) => out.write_str(&spec.steps[usize::from(self.1)].name),
            _ => Ok(()),
        }
    }
}
