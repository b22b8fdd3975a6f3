//! A database in a frame.

use patterns::database::State;
use scenario::{Database, Layout, Table};
use world::{DatabaseState, World};

use crate::frame::{DatabaseFrame, RowFrame, TableFrame, Unsent};

#[inline(never)]
pub(super) fn database(world: &World, state: &DatabaseState, spec: &Database) -> DatabaseFrame {
    let tables = spec.tables.iter().enumerate();
    let tables = tables.map(|(at, table)| self::table(world, state, at, table)).collect();
    let engine = state.engine();
    let (mut open, mut waiting, mut prepared) = (0, 0, 0);
    for id in engine.open() {
        open += 1;
        waiting += u32::from(engine.waits_on(id).is_some());
        prepared += u32::from(engine.state(id) == Some(State::Prepared));
    }
    DatabaseFrame {
        tables,
        open,
        waiting,
        prepared,
        commits: state.commits,
        rollbacks: state.rollbacks,
        retained_bytes: world.wal_retained(state, spec),
        disk_bytes: spec.disk_bytes,
        full_since: state.full_since,
    }
}

fn table(world: &World, state: &DatabaseState, at: usize, spec: &Table) -> TableFrame {
    let keys = match &spec.layout {
        Layout::Rows { key, .. } => key.len().max(1),
        Layout::Outbox => 1,
    };
    let newest = state.newest(at).map(|row| {
        let key = [row.key.first, row.key.second].into_iter().take(keys);
        let values = key.chain(row.columns.iter().copied());
        RowFrame { values: values.map(|value| world.text_of_value(value)).collect() }
    });
    let newest: Vec<RowFrame> = newest.collect();
    let only = match newest.as_slice() {
        [row] if spec.rows.len() == 1 && state.rows(at) == 1 => row.values.get(keys).cloned(),
        _ => None,
    };
    TableFrame {
        name: spec.name.clone(),
        columns: spec.names().into_iter().map(str::to_owned).collect(),
        rows: u32::try_from(state.rows(at)).unwrap_or(u32::MAX),
        newest,
        only,
        unsent: state.unsent(at).map(|(count, since)| Unsent {
            count: u32::try_from(count).unwrap_or(u32::MAX),
            since,
        }),
    }
}
