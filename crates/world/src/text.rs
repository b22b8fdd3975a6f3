//! A trace as text: one line an event, the same on every platform, made for golden files.
//!
//! ```text
//! 18.400000 crashed mailers.1 holding 5
//! ```
//! The time is in seconds with six decimals, workers and messages count from 1, names are the
//! scenario's own.

mod load;
mod log;
mod rows;

use std::fmt::{self, Write};

use broker::MessageId;
use patterns::retry::FailureClass;
use scenario::{ComponentId, Patch, Scenario, StepIndex};
use sim::SimTime;

use crate::{BreakerState, Caller, Death, Ending, Outcome, Refusal, TraceEvent, What, WorkerId};

/// Writes a trace, a line an event.
///
/// # Errors
/// Those of `out`.
pub fn write_trace(
    out: &mut impl Write,
    scenario: &Scenario,
    events: &[TraceEvent],
) -> fmt::Result {
    for event in events {
        Seconds(event.at).write(out)?;
        out.write_char(' ')?;
        Line { out, scenario }.what(event.what)?;
        out.write_char('\n')?;
    }
    Ok(())
}

struct Seconds(SimTime);

impl Seconds {
    fn write(&self, out: &mut impl Write) -> fmt::Result {
        let micros = self.0.as_micros();
        write!(out, "{}.{:06}", micros / 1_000_000, micros % 1_000_000)
    }
}

struct Line<'a, W> {
    out: &'a mut W,
    scenario: &'a Scenario,
}

impl<W: Write> Line<'_, W> {
    fn what(&mut self, what: What) -> fmt::Result {
        match what {
            What::Requested { source, service, message } => {
                self.words("requested", &[&source, &service, &message])
            }
            What::Responded { service, source, message, status } => {
                self.words("responded", &[&service, &source, &message, &status])
            }
            What::Reset { service, source, message } => {
                self.words("reset", &[&service, &source, &message])
            }
            What::Published { by, queue, message } => {
                self.words("published", &[&by, &queue, &message])
            }
            What::Stored { queue, message, visible_at } => {
                self.words("stored", &[&queue, &message, &"visible", &visible_at])
            }
            What::PublishRefused { queue, message } => {
                self.words("publish-refused", &[&queue, &message])
            }
            What::Confirmed { by, queue, message } => {
                self.words("confirmed", &[&by, &queue, &message])
            }
            What::ConfirmLost { by, queue, message } => {
                self.words("confirm-lost", &[&by, &queue, &message])
            }
            What::Available { queue, message } => self.words("available", &[&queue, &message]),
            What::Received { queue, message, worker, receipt: _, count, until } => {
                let words: [&dyn Word; 7] =
                    [&queue, &message, &worker, &"count", &count, &"until", &until];
                self.words("received", &words[..if until.is_some() { 7 } else { 5 }])
            }
            What::Lapsed { queue, message, count } => {
                self.words("lapsed", &[&queue, &message, &"count", &count])
            }
            What::Expired { queue, message } => self.words("expired", &[&queue, &message]),
            What::Purged { queue, messages } => {
                self.words("purged", &[&queue, &"messages", &messages])
            }
            What::Effected { external, message, caller, nth, .. } => {
                self.words("effected", &[&external, &message, &caller, &"nth", &nth])
            }
            What::CallFailed { external, message, caller, .. } => {
                self.words("call-failed", &[&external, &message, &caller])
            }
            What::OutageBegan { external, until } => {
                self.words("outage-began", &[&external, &"until", &until])
            }
            What::OutageEnded { external } => self.words("outage-ended", &[&external]),
            What::ConfirmLossArmed { queue } => self.words("confirm-loss-armed", &[&queue]),
            What::Poisoned { message } => self.words("poisoned", &[&message]),
            What::Patched { component, patch } => self.patched(component, patch),
            What::Lost { message } => self.words("lost", &[&message]),
            What::Ignored { intervention } => self.words("ignored", &[&intervention]),
            What::Ended { why: Ending::Until } => self.words("ended Until", &[]),
            What::Ended { why: Ending::Quiet } => self.words("ended Quiet", &[]),
            What::Ended { why: Ending::Limit(name) } => {
                self.words("ended at the limit of", &[&name])
            }
            other => self.broker(other),
        }
    }

    fn patched(&mut self, component: ComponentId, patch: Patch) -> fmt::Result {
        match patch {
            Patch::VisibilityTimeout(time) => {
                self.words("patched", &[&component, &"visibility-timeout", &time])
            }
            Patch::MaxReceiveCount(count) => {
                self.words("patched", &[&component, &"max-receive-count", &count])
            }
            Patch::ErrorsPerMillion(errors) => {
                self.words("patched", &[&component, &"errors-per-million", &errors])
            }
            Patch::MendedHandler => self.words("patched", &[&component, &"handler mended"]),
        }
    }

    /// What brokers do beside storing and deleting.
    fn broker(&mut self, what: What) -> fmt::Result {
        match what {
            What::DeadLettered { from, to, message, count, why } => {
                let words: [&dyn Word; 6] = [&from, &to, &message, &"count", &count, &why];
                let said = if why == Death::Receives { 5 } else { 6 };
                self.words("dead-lettered", &words[..said])
            }
            What::Dropped { queue, message, why } => {
                self.words("dropped", &[&queue, &message, &why])
            }
            What::Requeued { queue, message, count } => {
                self.words("requeued", &[&queue, &message, &"count", &count])
            }
            What::Copied { original, copy, to } => {
                self.words("copied", &[&original, &"to", &to, &"as", &copy])
            }
            What::Unrouted { topic, message } => self.words("unrouted", &[&topic, &message]),
            What::Returned { topic, message } => self.words("returned", &[&topic, &message]),
            What::DuplicateArmed { queue } => self.words("duplicate-armed", &[&queue]),
            What::Duplicated { queue, message } => self.words("duplicated", &[&queue, &message]),
            What::Misplaced { queue, message } => self.words("misplaced", &[&queue, &message]),
            What::RedriveBegan { from, to } => self.words("redrive-began", &[&from, &to]),
            What::Redriven { from, to, message } => self.words("redriven", &[&from, &to, &message]),
            What::RedriveEnded { from, messages } => {
                self.words("redrive-ended", &[&from, &"messages", &messages])
            }
            What::Deduplicated { queue, message, original } => {
                self.words("deduplicated", &[&queue, &message, &"of", &original])
            }
            What::ReceiveLossArmed { worker } => self.words("receive-loss-armed", &[&worker]),
            What::ReceiveLost { queue, message, worker, count, until } => self.words(
                "receive-lost",
                &[&queue, &message, &worker, &"count", &count, &"until", &until],
            ),
            What::CameEmpty { queue, worker } => self.words("came-empty", &[&queue, &worker]),
            What::Activated { queue, worker } => self.words("activated", &[&queue, &worker]),
            What::Disconnected { worker } => self.words("disconnected", &[&worker]),
            What::Forgotten { queue, message, worker } => {
                self.words("forgotten", &[&queue, &message, &worker])
            }
            other => self.log(other),
        }
    }

    /// The events of worker processes.
    fn worker(&mut self, what: What) -> fmt::Result {
        match what {
            What::StepStarted { worker, message, step } => {
                self.words("step-started", &[&worker, &message, &step])
            }
            What::StepEnded { worker, message, step, outcome } => {
                self.words("step-ended", &[&worker, &message, &step, &outcome])
            }
            What::Acked { queue, message, worker } => {
                self.words("acked", &[&queue, &message, &worker])
            }
            What::AckRefused { queue, message, worker, why } => {
                self.words("ack-refused", &[&queue, &message, &worker, &why])
            }
            What::AckLost { queue, message, worker } => {
                self.words("ack-lost", &[&queue, &message, &worker])
            }
            What::Nacked { queue, message, worker, visible_at } => {
                self.words("nacked", &[&queue, &message, &worker, &"visible", &visible_at])
            }
            What::Extended { queue, message, worker, until } => {
                self.words("extended", &[&queue, &message, &worker, &"until", &until])
            }
            What::ExtendRefused { queue, message, worker, why } => {
                self.words("extend-refused", &[&queue, &message, &worker, &why])
            }
            What::Crashed { worker, holding: Some(message) } => {
                self.words("crashed", &[&worker, &"holding", &message])
            }
            What::Crashed { worker, holding: None } => self.words("crashed", &[&worker]),
            What::Restarted { worker } => self.words("restarted", &[&worker]),
            What::Paused { worker, until } => self.words("paused", &[&worker, &"until", &until]),
            What::Resumed { worker } => self.words("resumed", &[&worker]),
            What::Slowed { worker, percent, until } => {
                self.words("slowed", &[&worker, &"percent", &percent, &"until", &until])
            }
            What::Restored { worker } => self.words("restored", &[&worker]),
            What::CrashArmed { component, after_line, message: Some(message), .. } => {
                let words: [&dyn Word; 5] =
                    [&component, &"after-line", &after_line, &"of", &message];
                self.words("crash-armed", &words)
            }
            What::CrashArmed { component, after_line, message: None, .. } => {
                self.words("crash-armed", &[&component, &"after-line", &after_line])
            }
            What::AckLossArmed { worker } => self.words("ack-loss-armed", &[&worker]),
            other => self.rows(other),
        }
    }

    fn words(&mut self, verb: &str, rest: &[&dyn Word]) -> fmt::Result {
        self.out.write_str(verb)?;
        for word in rest {
            self.out.write_char(' ')?;
            word.write(self.scenario, self.out)?;
        }
        Ok(())
    }
}

/// Something that a line can name.
trait Word {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result;
}

impl Word for &str {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(self)
    }
}

impl Word for u16 {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{self}")
    }
}

impl Word for u32 {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{self}")
    }
}

impl Word for ComponentId {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&scenario.component(*self).name)
    }
}

impl Word for MessageId {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}", self.number())
    }
}

impl Word for WorkerId {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}.{}", scenario.component(self.component).name, self.instance + 1)
    }
}

impl Word for StepIndex {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        write!(out, "line {}", self.index() + 1)
    }
}

impl Word for SimTime {
    fn write(&self, _: &Scenario, mut out: &mut dyn Write) -> fmt::Result {
        Seconds(*self).write(&mut out)
    }
}

impl Word for Option<SimTime> {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        self.as_ref().map_or(Ok(()), |time| time.write(scenario, out))
    }
}

impl Word for Caller {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::Worker(worker) => worker.write(scenario, out),
            Self::Request(_) => out.write_str("request"),
        }
    }
}

impl Word for Outcome {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::Ok => "ok",
            Self::Conflict => "conflict",
            Self::ZeroRows => "zero-rows",
            Self::Error(FailureClass::Transient) => "error",
            Self::Error(FailureClass::Permanent) => "error-permanent",
            Self::Error(FailureClass::Unknown) => "error-unknown",
            Self::Timeout => "timeout",
            Self::Poison => "poison",
            Self::Refused => "refused",
        })
    }
}

impl Word for Death {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::Receives => "receives",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::MaxLength => "max-length",
            Self::DeliveryLimit => "delivery-limit",
            Self::Cycle => "cycle",
            Self::Unattended => "unattended",
        })
    }
}

impl Word for BreakerState {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half-open",
        })
    }
}

impl Word for Refusal {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::StaleReceipt => "stale-receipt",
            Self::NoSuchMessage => "no-such-message",
            Self::ChannelClosed => "channel-closed",
            Self::TooLong => "too-long",
        })
    }
}
