//! The rows of a table, as far as they are committed, and the statements that wait for rows.

use broker::MessageId;
use scenario::ComponentId;
use sim::SimTime;
use world::{Did, Scope, TraceEvent, What};

use super::{Level, Series};

/// Rows that a transaction has inserted and not yet committed, or deleted (below zero).
struct Open {
    by: ComponentId,
    message: MessageId,
    rows: i64,
}

/// Follows how many rows of a table there are beyond the `first` ones.
pub(super) fn rows(trace: &[TraceEvent], of: ComponentId, table: u16, first: usize) -> Series {
    let mut count = i64::try_from(first).unwrap_or(i64::MAX);
    let level = |count: i64| Level::Count(u32::try_from(count).unwrap_or(0));
    let mut series = Series { steps: vec![(SimTime::ZERO, level(count))] };
    let mut open: Vec<Open> = Vec::new();
    for event in trace {
        match event.what {
            What::Executed { database, table: its, by, message, did, rows, scope }
                if database == of && its == table =>
            {
                let rows = match did {
                    Did::Insert => i64::from(rows),
                    Did::Delete => -i64::from(rows),
                    Did::Update | Did::Read => continue,
                };
                match scope {
                    Scope::Statement => count += rows,
                    Scope::Begun if rows != 0 => open.push(Open { by, message, rows }),
                    Scope::Begun => {}
                }
            }
            What::RowsExpired { database, table: its, rows } if database == of && its == table => {
                count -= i64::from(rows);
            }
            What::RowsCommitted { database, by, message } if database == of => {
                let own = |it: &&Open| it.by == by && it.message == message;
                count += open.iter().filter(own).map(|it| it.rows).sum::<i64>();
                open.retain(|it| it.by != by || it.message != message);
            }
            What::RowsRolledBack { database, by, message } if database == of => {
                open.retain(|it| it.by != by || it.message != message);
            }
            _ => continue,
        }
        series.push(event.at, level(count));
    }
    series
}

/// Follows how many statements of a database wait for a row. Whoever gives up or dies waits no
/// longer, too.
#[inline(never)]
pub(super) fn waiting(trace: &[TraceEvent], of: ComponentId) -> Series {
    let mut series = Series { steps: vec![(SimTime::ZERO, Level::Count(0))] };
    let mut waiting: Vec<MessageId> = Vec::new();
    for event in trace {
        match event.what {
            What::RowAwaited { database, message, .. } if database == of => waiting.push(message),
            What::Executed { database, message, .. }
            | What::RowsRolledBack { database, message, .. }
                if database == of =>
            {
                waiting.retain(|&it| it != message);
            }
            What::Reset { message, .. } | What::Crashed { holding: Some(message), .. } => {
                waiting.retain(|&it| it != message);
            }
            _ => continue,
        }
        let count = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
        series.push(event.at, Level::Count(count));
    }
    series
}
