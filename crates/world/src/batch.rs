//! Batches: what one receive brought is settled together, when the last of it has been handled.
//!
//! A function that is handed a batch says at its end that it is done, or, item by item, what has
//! failed (AWS Lambda developer guide, "reporting batch item failures for Amazon SQS"). Until then
//! the whole batch is out: if the process dies, all of it comes back.

use scenario::{Batch, OnError};

use crate::activity::Ending;
use crate::taking::Delivery;
use crate::worker::workers;
use crate::world::Context;
use crate::{What, WorkerId, World};

/// A delivery of a batch that has been handled, and how that came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// The delivery.
    pub delivery: Delivery,
    pub(crate) ending: ItemEnding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ItemEnding {
    Done,
    Failed,
}

impl World {
    /// A delivery of a batch has been handled; after the last one the batch is settled.
    pub(crate) fn end_item(&mut self, cx: &mut Context, id: WorkerId, ending: Ending) {
        let spec = workers(cx, id);
        let worker = self.worker_mut(id);
        let Some(delivery) = worker.hands.as_ref().map(|hands| hands.delivery) else { return };
        let ending = match ending {
            Ending::Finished => ItemEnding::Done,
            Ending::Failed(_) => ItemEnding::Failed,
        };
        worker.batch.push(Item { delivery, ending });
        let last = worker.pending.is_empty();
        let wanted = self.work_on(cx.scenario, &spec.on_message, delivery.message);
        if ending == ItemEnding::Done && wanted == 0 {
            self.messages[delivery.message].done = true;
        }
        if last {
            self.settle_batch(cx, id, spec.taking.batch);
            let worker = self.worker_mut(id);
            worker.hands = None;
            worker.deliveries += 1;
        }
        self.go_on(cx, id);
    }

    fn settle_batch(&mut self, cx: &mut Context, id: WorkerId, how: Batch) {
        let worker = self.worker_mut(id);
        let items = std::mem::take(&mut worker.batch);
        // It is one request.
        let is_lost = std::mem::take(&mut worker.ack_loss_armed);
        let any_failed = items.iter().any(|item| item.ending == ItemEnding::Failed);
        for Item { delivery, ending } in items {
            let acks = match how {
                Batch::AckAll => true,
                Batch::AllOrNothing => !any_failed,
                Batch::Each | Batch::ByItem => ending == ItemEnding::Done,
            };
            let Delivery { queue, message, .. } = delivery;
            match workers(cx, id).on_error {
                _ if acks && is_lost => {
                    self.emit(cx, What::AckLost { queue, message, worker: id });
                }
                _ if acks => {
                    self.settle_ack(cx, id, delivery);
                }
                OnError::Nack { delay } => {
                    self.give_back(cx, id, delivery, delay);
                }
                OnError::DeadLetter => {
                    self.put_aside(cx, id, delivery, None);
                }
                OnError::Leave | OnError::Retry(_) => {}
            }
            self.messages[message].holders -= 1;
            self.check_lost(cx, message);
        }
    }
}
