//! Sentences about attempts, loads, and how many processes there are.

use scenario::{Side, Skew};
use world::{BreakerState, TraceEvent, What, WorkerId};

use super::{Make, Sentence, clock, factor, seconds};

/// Trying again, and what makes it needed.
#[inline(never)]
pub(super) fn loads(made: &Make, event: &TraceEvent) -> Option<Sentence> {
    Some(match event.what {
        What::BrownoutBegan { external, percent, until } => made
            .of("event.brownout_began")
            .part("external", external)
            .text("percent", percent.to_string())
            .text("until", clock(until))
            .done(),
        What::BrownoutEnded { external } => {
            made.of("event.brownout_ended").part("external", external).done()
        }
        What::Scaled { component, to, .. } => {
            made.of("event.scaled").part("by", component).text("count", to.to_string()).done()
        }
        What::Stopped { worker } => made.of("event.stopped").worker(worker).done(),
        What::DeployBegan { component } => {
            made.of("event.deploy_began").part("by", component).done()
        }
        What::DeployEnded { component } => {
            made.of("event.deploy_ended").part("by", component).done()
        }
        What::CutBegan { from, to, until } => made
            .of("event.cut_began")
            .part("from", from)
            .part("to", to)
            .text("until", clock(until))
            .done(),
        What::CutEnded { from, to } => {
            made.of("event.cut_ended").part("from", from).part("to", to).done()
        }
        What::LostOnTheWay { from, to, message } => {
            made.about("event.lost_on_the_way", message).part("from", from).part("to", to).done()
        }
        What::SpikeBegan { source, percent, until } => made
            .of("event.spike_began")
            .part("source", source)
            .text("factor", factor(percent))
            .text("until", clock(until))
            .done(),
        What::SpikeEnded { source } => made.of("event.spike_ended").part("source", source).done(),
        _ => return attempts(made, event),
    })
}

/// How far a clock is off.
pub(super) fn skewed(made: &Make, worker: WorkerId, clock: Skew) -> Sentence {
    let (side, by) = clock.side();
    let key = match side {
        Side::Ahead => "event.skewed.ahead",
        Side::Behind => "event.skewed.behind",
        Side::Right => "event.skewed.right",
    };
    made.of(key).worker(worker).text("long", seconds(by)).done()
}

/// Trying again.
fn attempts(made: &Make, event: &TraceEvent) -> Option<Sentence> {
    Some(match event.what {
        What::TimedOut { source, message, attempt } => made
            .about("event.timed_out", message)
            .part("source", source)
            .text("attempt", attempt.to_string())
            .done(),
        What::Answered { source, message, .. } => {
            made.about("event.answered", message).part("source", source).done()
        }
        What::AnsweredLate { source, message, .. } => {
            made.about("event.answered_late", message).part("source", source).done()
        }
        What::Retrying { by, message, attempt, at } => made
            .about("event.retrying", message)
            .part("by", by)
            .text("attempt", attempt.to_string())
            .text("long", seconds(at - event.at))
            .done(),
        What::RetryDenied { by, message } => {
            made.about("event.retry_denied", message).part("by", by).done()
        }
        What::GaveUp { by, message, attempts } => made
            .about("event.gave_up", message)
            .part("by", by)
            .text("attempts", attempts.to_string())
            .done(),
        What::CallRefused { external, message, .. } => {
            made.about("event.call_refused", message).part("external", external).done()
        }
        What::Shed { at, message, class } => {
            made.about("event.shed", message).part("at", at).text("class", class.to_string()).done()
        }
        What::BreakerTurned { by, state } => {
            let key = match state {
                BreakerState::Closed => "event.breaker.closed",
                BreakerState::Open => "event.breaker.open",
                BreakerState::HalfOpen => "event.breaker.half_open",
            };
            made.of(key).part("by", by).done()
        }
        _ => return None,
    })
}
