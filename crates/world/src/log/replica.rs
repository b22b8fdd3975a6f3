//! Followers: when they have what the leader has, and what is gone when one takes over.

use broker::log::{Offset, PartitionId};
use scenario::ComponentId;
use sim::{Rank, SimDuration};

use super::share::lane_id;
use super::state::Place;
use super::work::index;
use crate::world::{Context, Event};
use crate::{What, World};

impl World {
    /// Followers will have this record, and all before it, after a while.
    pub(super) fn replicate(&mut self, log: ComponentId, place: Place, lag: SimDuration) {
        let reign = self.log_mut(log).reign;
        let Place { partition, offset } = place;
        let event = Event::Replicated { log, partition, to: offset.next(), reign };
        self.schedule(self.now + lag, Rank::Finish, event);
    }

    /// Followers have everything below an offset, unless the leader that had it is gone.
    pub(crate) fn replicated(
        &mut self,
        log: ComponentId,
        partition: PartitionId,
        to: Offset,
        reign: u32,
    ) {
        let state = self.log_mut(log);
        if state.reign != reign {
            return;
        }
        if let Ok(lane) = state.topic_mut().partition_mut(partition) {
            lane.replicated(to);
        }
        self.log_settle(log);
    }

    /// The leaders die. What followers do not have is gone, also what a leader had confirmed by
    /// itself; a producer that still waits for its confirm will send again.
    #[inline(never)]
    pub(crate) fn fail_over(&mut self, cx: &mut Context, log: ComponentId) -> bool {
        let state = self.log_mut(log);
        state.reign += 1;
        let mut gone = Vec::new();
        for lane in 0..state.topic().partitions().len() {
            let partition = lane_id(lane);
            let Ok(leader) = state.topic_mut().partition_mut(partition) else { continue };
            let lost = leader.fail_over();
            gone.extend(lost.messages.iter().map(|message| (partition, *message)));
            state.messages[lane].truncate(index(lost.end));
        }
        let records = u32::try_from(gone.len()).unwrap_or(u32::MAX);
        state.cut += records;
        self.emit(cx, What::FailedOver { log, records });
        for (partition, message) in gone {
            let state = self.log_mut(log);
            if state.place(message).is_some_and(|place| place.partition == partition) {
                state.places[message.index()] = None;
            }
            let awaited = state.unconfirmed.iter().any(|sent| sent.message == message);
            let entry = &mut self.messages[message];
            if entry.queue == Some(log) {
                entry.queue = None;
            }
            if awaited {
                entry.stored = false;
            } else {
                self.emit(cx, What::Misplaced { queue: log, message });
                self.check_lost(cx, message);
            }
        }
        self.log_settle(log);
        true
    }
}
