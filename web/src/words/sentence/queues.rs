//! What brokers do beside storing, hiding and deleting: deaths, returns, copies, redrives.

use world::{Death, TraceEvent, What};

use super::{Make, Sentence};

/// The sentence of an event of queues and topics.
#[inline(never)]
pub(super) fn queues(made: &Make, event: &TraceEvent) -> Option<Sentence> {
    Some(match event.what {
        What::DeadLettered { from, to, message, count, why } => made
            .about(moved(why), message)
            .part("queue", from)
            .part("to", to)
            .text("count", count.to_string())
            .done(),
        What::Dropped { queue, message, why } => {
            made.about(dropped(why), message).part("queue", queue).done()
        }
        What::Requeued { queue, message, .. } => {
            made.about("event.requeued", message).part("queue", queue).done()
        }
        What::Forgotten { queue, message, worker } => {
            made.about("event.forgotten", message).part("queue", queue).worker(worker).done()
        }
        What::Deduplicated { queue, message, original } => made
            .about("event.deduplicated", message)
            .part("queue", queue)
            .text("original", original.number().to_string())
            .done(),
        What::Activated { queue, worker } => {
            made.of("event.activated").part("queue", queue).worker(worker).done()
        }
        What::Disconnected { worker } => made.of("event.disconnected").worker(worker).done(),
        What::Copied { original, copy, to } => made
            .about("event.copied", copy)
            .text("original", original.number().to_string())
            .part("to", to)
            .done(),
        What::Unrouted { topic, message } => {
            made.about("event.unrouted", message).part("topic", topic).done()
        }
        What::Returned { topic, message } => {
            made.about("event.returned", message).part("topic", topic).done()
        }
        What::CameEmpty { queue, worker } => {
            made.of("event.came_empty").part("queue", queue).worker(worker).done()
        }
        What::ReceiveLossArmed { worker } => {
            made.of("event.receive_loss_armed").worker(worker).done()
        }
        What::ReceiveLost { queue, message, worker, .. } => {
            made.about("event.receive_lost", message).part("queue", queue).worker(worker).done()
        }
        What::DuplicateArmed { queue } => {
            made.of("event.duplicate_armed").part("queue", queue).done()
        }
        What::Duplicated { queue, message } => {
            made.about("event.duplicated", message).part("queue", queue).done()
        }
        What::Misplaced { queue, message } => {
            made.about("event.misplaced", message).part("queue", queue).done()
        }
        What::RedriveBegan { from, to } => {
            made.of("event.redrive_began").part("queue", from).part("to", to).done()
        }
        What::Redriven { from, to, message } => {
            made.about("event.redriven", message).part("queue", from).part("to", to).done()
        }
        What::RedriveEnded { from, messages } => made
            .of("event.redrive_ended")
            .part("queue", from)
            .text("messages", messages.to_string())
            .done(),
        _ => return None,
    })
}

fn moved(why: Death) -> &'static str {
    match why {
        Death::Receives => "event.dead_lettered",
        Death::Rejected => "event.dead_lettered.rejected",
        Death::Expired => "event.dead_lettered.expired",
        Death::MaxLength => "event.dead_lettered.full",
        Death::DeliveryLimit | Death::Cycle | Death::Unattended => "event.dead_lettered.limit",
    }
}

fn dropped(why: Death) -> &'static str {
    match why {
        Death::Rejected => "event.dropped.rejected",
        Death::Expired => "event.dropped.expired",
        Death::MaxLength => "event.dropped.full",
        Death::Receives | Death::DeliveryLimit => "event.dropped.limit",
        Death::Cycle => "event.dropped.cycle",
        Death::Unattended => "event.dropped.unattended",
    }
}
