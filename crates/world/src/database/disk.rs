//! The disk of a database: what slots hold back of the write-ahead log, and when it is full.

use scenario::{ComponentId, Database, Kind};
use sim::{Rank, SimDuration, SimTime};

use super::state::others_bytes;
use crate::world::{Context, Event};
use crate::{What, World};

impl World {
    /// Transactions of a database have ended: there may be more in its log, and rows are free.
    pub(crate) fn rows_ended(&mut self, cx: &mut Context, id: ComponentId) {
        self.others_write(cx, id);
        self.relays_hear(cx, id);
        self.check_disk(cx, id);
        self.database_settle(id);
    }

    /// What others have written into the log meanwhile.
    pub(crate) fn others_write(&mut self, cx: &Context, id: ComponentId) {
        let Kind::Database(spec) = &cx.scenario.component(id).kind else { return };
        if spec.other_bytes_per_second == 0 {
            return;
        }
        let now = self.now;
        let state = self.database_mut(id);
        let bytes = others_bytes(spec, now.saturating_since(state.others_until));
        state.engine.wal_mut().write_unrelated(bytes);
        state.others_until = now;
    }

    /// Whether the log has filled the disk, or has been freed.
    pub(crate) fn check_disk(&mut self, cx: &mut Context, id: ComponentId) {
        let Kind::Database(spec) = &cx.scenario.component(id).kind else { return };
        let Some(disk) = spec.disk_bytes else { return };
        let now = self.now;
        let state = self.database_mut(id);
        let is_full = state.retained(now, spec) >= disk;
        match (is_full, state.full_since) {
            (true, None) => {
                state.full_since = Some(now);
                self.emit(cx, What::DiskFull { database: id });
            }
            (false, Some(_)) => {
                state.full_since = None;
                self.emit(cx, What::DiskFreed { database: id });
            }
            _ => {}
        }
        self.plan_disk(id, spec);
    }

    /// The time at which the writes of others will have filled the disk is on the calendar.
    pub(crate) fn plan_disk(&mut self, id: ComponentId, spec: &Database) {
        let now = self.now;
        let state = self.database_mut(id);
        let fills_at = fills_at(now, state.retained(now, spec), spec);
        let fills_at = fills_at.filter(|_| state.engine.wal().retained_bytes().is_some());
        if state.full_since.is_none() && state.fills_at != fills_at {
            state.fills_at = fills_at;
            if let Some(at) = fills_at {
                self.schedule(at, Rank::Timer, Event::Deadline { queue: id });
            }
        }
    }
}

fn fills_at(now: SimTime, retained: u64, spec: &Database) -> Option<SimTime> {
    let rate = u128::from(spec.other_bytes_per_second);
    let left = u128::from(spec.disk_bytes?.saturating_sub(retained));
    let micros = (left * 1_000_000).checked_div(rate)?;
    let rounded_up = micros + u128::from(micros * rate < left * 1_000_000);
    Some(now + SimDuration::from_micros(u64::try_from(rounded_up).ok()?))
}
