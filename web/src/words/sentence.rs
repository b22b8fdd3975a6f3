//! A trace event as a sentence: the key of a template and what its names stand for.
//!
//! The mapping is pure: an event and the trace before it decide the words, nothing on the screen
//! does. Names of components are the scenario's own labels.

mod loads;
mod log;
mod queues;
mod rows;

use std::sync::Arc;

use broker::MessageId;
use scenario::{ComponentId, Kind, Patch, Scenario, StepIndex};
use world::{Caller, Ending, LineId, Outcome, Refusal, TraceEvent, What, WorkerId};

use super::{Words, capital, clock, seconds};
use crate::map::layout::num;

/// A sentence that has not been said in any language yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The key of its template.
    pub key: &'static str,
    /// What the template's names stand for.
    pub names: Vec<(&'static str, String)>,
}

impl Sentence {
    /// The sentence in the catalogue's language, with its marks.
    #[must_use]
    pub fn say(&self, words: &Words) -> String {
        let names: Vec<(&str, &str)> =
            self.names.iter().map(|(name, value)| (*name, value.as_str())).collect();
        capital(&words.say(self.key, &names))
    }
}

/// What the parts of a scenario are called.
#[derive(Clone, Debug)]
pub struct Names {
    scenario: Arc<Scenario>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scenario, &other.scenario)
    }
}

impl Names {
    /// The names in a scenario.
    #[must_use]
    pub fn new(scenario: Arc<Scenario>) -> Names {
        Names { scenario }
    }

    /// The scenario itself.
    #[must_use]
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// What a component is called.
    #[must_use]
    pub fn component(&self, id: ComponentId) -> &str {
        &self.scenario.component(id).label
    }

    /// What a worker process is called: the group's label and its number from 1, or the label
    /// alone where the group has one process.
    #[must_use]
    pub fn worker(&self, worker: WorkerId) -> String {
        let component = self.scenario.component(worker.component);
        match &component.kind {
            Kind::Workers(group) if group.count == 1 => component.label.clone(),
            Kind::Service(service) if service.count == 1 => component.label.clone(),
            _ => [&component.label, " ", &(worker.instance + 1).to_string()].concat(),
        }
    }

    /// What a line of a worker's handler is called.
    #[must_use]
    pub fn step(&self, worker: WorkerId, step: StepIndex) -> &str {
        match &self.scenario.component(worker.component).kind {
            Kind::Workers(group) => group.on_message.step(step).map_or("", |s| s.label.as_str()),
            _ => "",
        }
    }

    /// What a line of a handler is called.
    #[must_use]
    pub fn line(&self, line: LineId) -> &str {
        let program = match &self.scenario.component(line.component).kind {
            Kind::Workers(group) => Some(&group.on_message),
            Kind::Service(service) => {
                service.handles.get(usize::from(line.handler)).map(|(_, program)| program)
            }
            _ => None,
        };
        program.and_then(|program| program.step(line.step)).map_or("", |step| step.label.as_str())
    }
}

/// The event at `index` of `trace` as a sentence.
#[must_use]
pub fn sentence(names: &Names, trace: &[TraceEvent], index: usize) -> Sentence {
    let event = &trace[index];
    let before = &trace[..index];
    // What few runs have comes last, and is not loaded for a first picture.
    publishing(names, event)
        .or_else(|| delivery(names, event, before))
        .or_else(|| breaking(names, event, before))
        .or_else(|| around(names, event))
        .or_else(|| queues::queues(&Make { names }, event))
        .or_else(|| extending(names, event))
        .or_else(|| loads::loads(&Make { names }, event))
        .or_else(|| rows::rows(&Make { names }, event))
        .or_else(|| rows::runs(&Make { names }, event))
        .or_else(|| log::log(names, event))
        .or_else(|| log::group(names, event))
        .or_else(|| log::member(names, event))
        .unwrap_or_else(|| plain(names, event))
}

/// From the source to the broker's confirm.
fn publishing(names: &Names, event: &TraceEvent) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Requested { source, service, message } => made
            .about("event.requested", message)
            .part("source", source)
            .part("service", service)
            .done(),
        What::Responded { service, source, message, status } => made
            .about("event.responded", message)
            .part("source", source)
            .part("service", service)
            .text("status", status.to_string())
            .done(),
        What::Published { by, queue, message } => {
            made.about("event.published", message).part("by", by).part("queue", queue).done()
        }
        What::Stored { queue, message, visible_at } if visible_at > event.at => made
            .about("event.stored.delayed", message)
            .part("queue", queue)
            .text("long", seconds(visible_at - event.at))
            .done(),
        What::Stored { queue, message, .. } => {
            made.about("event.stored", message).part("queue", queue).done()
        }
        What::PublishRefused { queue, message } => {
            made.about("event.publish_refused", message).part("queue", queue).done()
        }
        What::Confirmed { by, queue, message } => {
            made.about("event.confirmed", message).part("by", by).part("queue", queue).done()
        }
        What::ConfirmLost { by, queue, message } => {
            made.about("event.confirm_lost", message).part("by", by).part("queue", queue).done()
        }
        What::Available { queue, message } => {
            made.about("event.available", message).part("queue", queue).done()
        }
        _ => return None,
    })
}

/// Between a queue and a worker.
fn delivery(names: &Names, event: &TraceEvent, before: &[TraceEvent]) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Received { queue, message, worker, count, until, .. } => {
            let key = match (count > 1, until) {
                (true, Some(_)) => "event.received.again",
                (false, Some(_)) => "event.received",
                (_, None) => "event.received.kept",
            };
            let long = until.map_or_else(String::new, |until| seconds(until - event.at));
            made.about(key, message)
                .worker(worker)
                .part("queue", queue)
                .text("count", count.to_string())
                .text("long", long)
                .done()
        }
        What::StepStarted { worker, message, step } => {
            made.about("event.step_started", message).worker(worker).step(worker, step).done()
        }
        What::StepEnded { worker, message, step, outcome } => {
            let key = match outcome {
                Outcome::Ok => "event.step_ended",
                Outcome::Error(_) => "event.step_ended.error",
                Outcome::Conflict => "event.step_ended.conflict",
                Outcome::ZeroRows => "event.step_ended.zero_rows",
                Outcome::Timeout => "event.step_ended.timeout",
                Outcome::Poison => "event.step_ended.poison",
                Outcome::Refused => "event.step_ended.refused",
            };
            made.about(key, message).worker(worker).step(worker, step).done()
        }
        What::Acked { queue, message, worker } => {
            made.about("event.acked", message).worker(worker).part("queue", queue).done()
        }
        What::AckRefused { queue, message, worker, why } => {
            let key = match why {
                Refusal::StaleReceipt => "event.ack_refused.stale",
                Refusal::NoSuchMessage | Refusal::TooLong => "event.ack_refused.gone",
                Refusal::ChannelClosed => "event.ack_refused.closed",
            };
            made.about(key, message).worker(worker).part("queue", queue).done()
        }
        What::AckLost { queue, message, worker } => {
            made.about("event.ack_lost", message).worker(worker).part("queue", queue).done()
        }
        What::Nacked { message, worker, visible_at, .. } if visible_at > event.at => made
            .about("event.nacked.delayed", message)
            .worker(worker)
            .text("long", seconds(visible_at - event.at))
            .done(),
        What::Nacked { message, worker, .. } => {
            made.about("event.nacked", message).worker(worker).done()
        }
        What::Lapsed { queue, message, count } => made
            .about("event.lapsed", message)
            .part("queue", queue)
            .text("count", count.to_string())
            .text("long", seconds(event.at - last_word(before, message).unwrap_or(event.at)))
            .done(),
        What::Expired { queue, message } => {
            made.about("event.expired", message).part("queue", queue).done()
        }
        _ => return None,
    })
}

/// A worker asks for more time.
#[inline(never)]
fn extending(names: &Names, event: &TraceEvent) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Extended { message, worker, until, .. } => made
            .about("event.extended", message)
            .worker(worker)
            .text("long", seconds(until - event.at))
            .text("until", clock(until))
            .done(),
        What::ExtendRefused { message, worker, why, .. } => {
            let key = match why {
                Refusal::StaleReceipt => "event.extend_refused.stale",
                Refusal::NoSuchMessage | Refusal::ChannelClosed => "event.extend_refused.gone",
                Refusal::TooLong => "event.extend_refused.long",
            };
            made.about(key, message).worker(worker).done()
        }
        _ => return None,
    })
}

/// What broke, and what came back.
#[inline(never)]
fn breaking(names: &Names, event: &TraceEvent, before: &[TraceEvent]) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Reset { service, message, .. } => {
            made.about("event.reset", message).part("service", service).done()
        }
        What::Crashed { worker, holding: None } => made.of("event.crashed").worker(worker).done(),
        What::Crashed { worker, holding: Some(message) } => {
            match effect_in_hand(before, worker, message) {
                Some((external, line)) => made
                    .about("event.crashed.after_effect", message)
                    .worker(worker)
                    .part("external", external)
                    .text("step", names.line(line).to_owned())
                    .done(),
                None => made.about("event.crashed.holding", message).worker(worker).done(),
            }
        }
        What::Restarted { worker } => made.of("event.restarted").worker(worker).done(),
        What::Paused { worker, until } => {
            made.of("event.paused").worker(worker).text("until", clock(until)).done()
        }
        What::Resumed { worker } => made.of("event.resumed").worker(worker).done(),
        What::Slowed { worker, percent, until } => made
            .of("event.slowed")
            .worker(worker)
            .text("factor", factor(percent))
            .text("until", clock(until))
            .done(),
        What::Restored { worker } => made.of("event.restored").worker(worker).done(),
        What::Skewed { worker, clock } => loads::skewed(&made, worker, clock),
        What::OutageBegan { external, until } => made
            .of("event.outage_began")
            .part("external", external)
            .text("until", clock(until))
            .done(),
        What::OutageEnded { external } => {
            made.of("event.outage_ended").part("external", external).done()
        }
        What::AckLossArmed { worker } => made.of("event.ack_loss_armed").worker(worker).done(),
        What::CrashArmed { component, handler, after_line, message } => {
            crash_armed(names, component, handler, after_line, message)
        }
        What::ConfirmLossArmed { queue } => {
            made.of("event.confirm_loss_armed").part("queue", queue).done()
        }
        What::Poisoned { message } => made.about("event.poisoned", message).done(),
        What::Patched { component, patch } => patched(&made, component, patch),
        What::Lost { message } => made.about("event.lost", message).done(),
        _ => return None,
    })
}

/// Somebody waits at a border between two lines.
#[inline(never)]
fn crash_armed(
    names: &Names,
    component: ComponentId,
    handler: u16,
    after_line: u16,
    message: Option<MessageId>,
) -> Sentence {
    let key = match (after_line, message) {
        (0, Some(_)) => "event.crash_armed.first.of",
        (0, None) => "event.crash_armed.first",
        (_, Some(_)) => "event.crash_armed.of",
        (_, None) => "event.crash_armed",
    };
    let step = StepIndex::new(usize::from(after_line.saturating_sub(1)));
    let line = names.line(LineId { component, handler, step }).to_owned();
    let made = Make { names }.of(key).part("by", component).text("step", line);
    match message {
        Some(message) => made.text("n", message.number().to_string()).done(),
        None => made.done(),
    }
}

/// Effects on others, and the edges of the run.
#[inline(never)]
fn around(names: &Names, event: &TraceEvent) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Effected { external, message, line, nth, .. } => {
            // A database keeps what several lines wrote: no one of them is the effect.
            let step = names.line(line);
            let key = match (step.is_empty(), nth > 1) {
                (false, false) => "event.effected",
                (false, true) => "event.effected.again",
                (true, false) => "event.effected.rows",
                (true, true) => "event.effected.rows.again",
            };
            made.about(key, message)
                .part("external", external)
                .text("step", step.to_owned())
                .text("nth", nth.to_string())
                .done()
        }
        What::CallFailed { external, message, line, .. } => made
            .about("event.call_failed", message)
            .part("external", external)
            .text("step", names.line(line).to_owned())
            .done(),
        What::Purged { queue, messages } => made
            .of("event.purged")
            .part("queue", queue)
            .text("messages", messages.to_string())
            .done(),
        What::Ignored { intervention } => {
            made.of("event.ignored").text("intervention", (intervention + 1).to_string()).done()
        }
        What::Ended { why: Ending::Limit(limit) } => {
            made.of("event.ended.limit").text("limit", limit.to_owned()).done()
        }
        What::Ended { why: Ending::Quiet } => made.of("event.ended.quiet").done(),
        What::Ended { why: Ending::Until } => made.of("event.ended").done(),
        _ => return None,
    })
}

/// An event that has no sentence yet: as the trace says it.
#[inline(never)]
fn plain(names: &Names, event: &TraceEvent) -> Sentence {
    let mut line = String::new();
    // A string takes all that is written to it.
    let _ = world::write_trace(&mut line, names.scenario(), std::slice::from_ref(event));
    let said = line.split_once(' ').map_or("", |(_, said)| said).trim_end();
    Make { names }.of("event.other").text("line", said.to_owned()).done()
}

/// When the broker last heard anything about a hidden message.
fn last_word(before: &[TraceEvent], message: MessageId) -> Option<sim::SimTime> {
    before.iter().rev().find_map(|event| match event.what {
        What::Received { message: of, .. } | What::Extended { message: of, .. } => {
            (of == message).then_some(event.at)
        }
        _ => None,
    })
}

/// The external service that has already done its part for the delivery a worker died with, and by
/// which line.
fn effect_in_hand(
    before: &[TraceEvent],
    worker: WorkerId,
    message: MessageId,
) -> Option<(ComponentId, LineId)> {
    for event in before.iter().rev() {
        match event.what {
            What::Effected { external, message: of, caller: Caller::Worker(by), line, .. }
                if of == message && by == worker =>
            {
                return Some((external, line));
            }
            What::Received { message: of, worker: by, .. } if of == message && by == worker => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// A percentage as a factor: 250 is "2.5".
/// Which setting is another one, and what it is.
#[inline(never)]
fn patched(made: &Make, component: ComponentId, patch: Patch) -> Sentence {
    let (key, to) = match patch {
        Patch::VisibilityTimeout(time) => ("event.patched.visibility_timeout", seconds(time)),
        Patch::MaxReceiveCount(count) => ("event.patched.max_receive_count", count.to_string()),
        Patch::ErrorsPerMillion(0) => ("event.patched.error_rate.none", String::new()),
        Patch::ErrorsPerMillion(errors) => {
            ("event.patched.error_rate", num(f64::from(errors) / 10_000.0))
        }
        Patch::MendedHandler => ("event.patched.handler", String::new()),
    };
    made.of(key).part("by", component).text("to", to).done()
}

fn factor(percent: u32) -> String {
    let (whole, part) = (percent / 100, percent % 100 / 10);
    if part == 0 {
        whole.to_string()
    } else {
        [whole.to_string().as_str(), ".", part.to_string().as_str()].concat()
    }
}

/// Makes sentences with the names of one scenario.
struct Make<'a> {
    names: &'a Names,
}

impl<'a> Make<'a> {
    fn of(&self, key: &'static str) -> Making<'a> {
        Making { names: self.names, made: Sentence { key, names: Vec::new() } }
    }

    fn about(&self, key: &'static str, message: MessageId) -> Making<'a> {
        self.of(key).text("n", message.number().to_string())
    }
}

/// A sentence being made.
struct Making<'a> {
    names: &'a Names,
    made: Sentence,
}

impl Making<'_> {
    fn text(mut self, name: &'static str, value: String) -> Self {
        self.made.names.push((name, value));
        self
    }

    fn part(self, name: &'static str, id: ComponentId) -> Self {
        let label = self.names.component(id).to_owned();
        self.text(name, label)
    }

    fn worker(self, worker: WorkerId) -> Self {
        let label = self.names.worker(worker);
        self.text("worker", label)
    }

    fn step(self, worker: WorkerId, step: StepIndex) -> Self {
        let label = self.names.step(worker, step).to_owned();
        self.text("step", label)
    }

    fn done(self) -> Sentence {
        self.made
    }
}
