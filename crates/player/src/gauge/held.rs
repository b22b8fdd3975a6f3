//! What a queue has, whether anybody can take it or not.

use scenario::ComponentId;
use sim::SimTime;
use world::{TraceEvent, What};

use super::{Flag, Level, Series, set};

/// Follows what a queue has: on offer, hidden, or kept back for a while.
pub(super) fn held(trace: &[TraceEvent], of: ComponentId) -> Series {
    let (mut has, mut count) = (Vec::new(), 0);
    let mut series = Series { steps: vec![(SimTime::ZERO, Level::Count(0))] };
    for event in trace {
        let (message, flag) = match event.what {
            What::DeadLettered { to: queue, message, .. }
            | What::Redriven { to: queue, message, .. }
            | What::Stored { queue, message, .. }
            | What::Duplicated { queue, message }
                if queue == of =>
            {
                (message, Flag::In)
            }
            What::DeadLettered { from: queue, message, .. }
            | What::Redriven { from: queue, message, .. }
            | What::Acked { queue, message, .. }
            | What::Forgotten { queue, message, .. }
            | What::Expired { queue, message }
            | What::Dropped { queue, message, .. }
            | What::Misplaced { queue, message }
                if queue == of =>
            {
                (message, Flag::Out)
            }
            What::Purged { queue, .. } if queue == of => {
                has.clear();
                count = 0;
                series.push(event.at, Level::Count(count));
                continue;
            }
            _ => continue,
        };
        match (set(&mut has, message, flag), flag) {
            (true, Flag::In) => count += 1,
            (true, Flag::Out) => count -= 1,
            (false, _) => continue,
        }
        series.push(event.at, Level::Count(count));
    }
    series
}
