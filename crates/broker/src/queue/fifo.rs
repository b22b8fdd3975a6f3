//! What a FIFO queue keeps beside what every queue keeps: its groups, what it tells duplicates by,
//! and the receives that can be repeated.
//!
//! | rule | source |
//! | --- | --- |
//! | of a group, the first messages up to the first hidden one are on offer | see [`groups`] |
//! | a receive takes as many of one group as it can, then of the next | guide, "FIFO delivery logic" |
//! | a new message of a group does not show what is hidden | `test_fifo_message_group_visibility` |
//! | a duplicate within 300 s of the first send is not stored, and answered with the original's id and sequence number | API, `SendMessage`; `test_deduplication_interval` |
//! | it makes no difference whether the original was received or deleted; a purge forgets | `test_fifo_deduplication_arrives_once_after_delete`, `test_purge_queue_clears_fifo_deduplication_cache` |
//! | a receipt is good until its timeout runs out, for a delete and for a change | `test_fifo_delete_after_visibility_timeout` |
//! | a message has no delay of its own; zero means the queue's | `test_fifo_queue_send_message_with_zero_delay_defaults_to_queue_delay` |
//! | a new delay of the queue holds for what is delayed already | API, `SetQueueAttributes` |
//! | at the cap of messages in flight, a receive is empty, and no error | guide, "FIFO queue quotas" |
//! | a move to the dead-letter queue frees the group; there, the message has its id for a deduplication id, and is as old as the move | guide, "dead-letter queue redrive" and "retention" |
//!
//! The service gives no figure for the order of groups; see [`groups`] for the one here. A change
//! with an expired receipt is refused, as `MessageNotInflight` in the API reference has it; it was
//! not recorded.

pub(super) mod attempts;
pub(super) mod deduplication;
pub(super) mod groups;

use sim::{SimDuration, SimTime};

use super::slots::{Found, Place};
use super::{AttemptId, Queue, ReceiveError, Received, Scope};
use attempts::{Answer, Attempts};
use deduplication::Memory;
use groups::Groups;

#[derive(Clone, Debug, Hash)]
pub(super) struct FifoState {
    pub groups: Groups,
    pub memory: Memory,
    pub attempts: Attempts,
}

impl FifoState {
    pub fn new(scope: Scope) -> Self {
        Self {
            groups: Groups::default(),
            memory: Memory::new(scope),
            attempts: Attempts::default(),
        }
    }
}

/// What became of the messages of an earlier answer.
enum Fate {
    Same,
    Lapsed,
    Changed,
}

impl Queue {
    /// Answers a receive that was answered before. Says whether it did.
    pub(super) fn repeat(
        &mut self,
        now: SimTime,
        attempt: AttemptId,
        timeout: SimDuration,
        received: &mut Received,
    ) -> Result<bool, ReceiveError> {
        let answer = self.order.fifo_mut().and_then(|fifo| fifo.attempts.take(now, attempt));
        let Some(mut answer) = answer else { return Ok(false) };
        let fates = || answer.deliveries.iter().map(|delivery| self.fate(now, delivery));
        if fates().any(|fate| matches!(fate, Fate::Changed)) {
            if let Some(fifo) = self.order.fifo_mut() {
                fifo.attempts.keep(attempt, answer);
            }
            return Err(ReceiveError::NotRetryable { attempt });
        }
        if fates().any(|fate| matches!(fate, Fate::Lapsed)) {
            return Ok(false);
        }
        for delivery in &mut answer.deliveries {
            delivery.until = now + timeout;
            let stored = self.slots.at(delivery.receipt.slot);
            stored.received_at = now;
            stored.since = now;
            self.hide(delivery.receipt.slot, now, delivery.until);
        }
        received.deliveries.extend_from_slice(&answer.deliveries);
        self.remember(attempt, answer);
        self.tidy();
        Ok(true)
    }

    /// Keeps the answer to a receive, if there was something in it.
    pub(super) fn remember(&mut self, attempt: AttemptId, answer: Answer) {
        if let Some(fifo) = self.order.fifo_mut()
            && !answer.deliveries.is_empty()
        {
            fifo.attempts.keep(attempt, answer);
        }
    }

    fn fate(&self, now: SimTime, delivery: &super::Delivery) -> Fate {
        let Found::Slot(slot) = self.slots.find(delivery.receipt) else { return Fate::Changed };
        let Some(stored) = self.slots.peek(slot) else { return Fate::Changed };
        match stored.place {
            _ if stored.latest != delivery.receipt.issue => Fate::Lapsed,
            Place::InFlight { until } if until == delivery.until => Fate::Same,
            Place::Available if delivery.until <= now => Fate::Lapsed,
            _ => Fate::Changed,
        }
    }

    /// Takes as many messages of one group as are on offer, then of the next.
    pub(super) fn take_in_groups(
        &mut self,
        now: SimTime,
        wanted: usize,
        timeout: SimDuration,
        received: &mut Received,
    ) {
        while received.deliveries.len() < wanted {
            let Some(group) = self.order.fifo().and_then(|fifo| fifo.groups.next()) else { break };
            let mut last = None;
            while received.deliveries.len() < wanted {
                let next = self.order.fifo().and_then(|fifo| fifo.groups.after(group, last));
                let Some((order, slot)) = next else { break };
                last = Some(order);
                if self.move_aside(slot, received) {
                    continue;
                }
                if let Some(fifo) = self.order.fifo_mut() {
                    fifo.groups.withdraw(group, order);
                }
                self.hand_out(slot, now, timeout, received);
            }
        }
    }
}
