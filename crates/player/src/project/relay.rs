//! A relay in a frame.

use scenario::{Reads, Relay};
use sim::SimTime;
use world::{Doing, RelayState, World};

use super::process;
use crate::frame::{CourierFrame, Errand, RelayFrame};

#[inline(never)]
pub(super) fn relay(world: &World, state: &RelayState, spec: &Relay) -> RelayFrame {
    let (behind, behind_since) = behind(world, state, spec);
    let couriers = state.couriers.iter().map(|courier| CourierFrame {
        state: process(&courier.process),
        slowed: courier.process.slowed,
        doing: match courier.doing {
            Doing::Resting => Errand::Resting,
            Doing::Asking => Errand::Asking,
            Doing::Waiting => Errand::Waiting,
            Doing::Publishing { message, .. } => Errand::Publishing(message),
            Doing::Marking => Errand::Marking,
        },
        holds: u32::try_from(courier.holds()).unwrap_or(u32::MAX),
        since: courier.since,
        until: courier.until,
    });
    RelayFrame { couriers: couriers.collect(), published: state.published, behind, behind_since }
}

/// How far a relay is behind: events, and since when the oldest waits.
fn behind(world: &World, state: &RelayState, spec: &Relay) -> (u32, Option<SimTime>) {
    let Some(database) = world.database(spec.outbox.database) else { return (0, None) };
    let (count, since) = match spec.reads {
        Reads::Table(_) => database.unsent(usize::from(spec.outbox.table)).unwrap_or((0, None)),
        Reads::Log { .. } => state.unread(database.engine().wal()),
    };
    (u32::try_from(count).unwrap_or(u32::MAX), since)
}
