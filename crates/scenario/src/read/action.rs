//! Faults and interventions.

use broker::queue::{RECEIVE_COUNT_MAX, VELOCITY_MAX};
use sim::SimDuration;

use super::clock::{off_by, whole};
use super::program::hidden;
use super::time::{duration, optional, positive};
use super::{Names, log, read_message};
use crate::wire::{Reader, RecordReader};
use crate::{Action, Border, ComponentId, Intervention, Patch, Replacing, RewindTo, limits};

/// The actions, by their key.
pub const ACTIONS: [&str; 20] = [
    "crash",
    "pause",
    "slow",
    "skew",
    "outage",
    "brownout",
    "spike",
    "scale",
    "deploy",
    "cut",
    "lose",
    "duplicate",
    "redrive",
    "poison",
    "patch",
    "purge",
    "add-partitions",
    "fail-over",
    "leave",
    "rewind",
];

/// The kinds of component that have processes.
const RUNNERS: [&str; 2] = ["workers", "service"];

/// The kinds of component whose processes look at their clocks.
const CLOCKS: [&str; 3] = ["workers", "service", "scheduler"];

/// The kinds of component whose processes can die and freeze.
const MORTALS: [&str; 6] =
    ["workers", "service", "relay", "change-data-capture", "orchestrator", "scheduler"];

/// Reads `{ "at": "18.4s", "crash": { … } }`.
#[must_use]
pub fn read_intervention(reader: &Reader<'_>, names: &Names<'_>) -> Option<Intervention> {
    let mut record = reader.record()?;
    let at = record.required("at").and_then(|r| r.time());
    let form = record.one_of(&ACTIONS);
    let action = form.and_then(|(word, inner)| read_form(word, &inner, names));
    record.finish();
    Some(Intervention { at: at?, action: action? })
}

/// Reads an action without its time: `{ "crash": { … } }`.
#[must_use]
pub fn read_action(reader: &Reader<'_>, names: &Names<'_>) -> Option<Action> {
    let (word, inner) = reader.variant(&ACTIONS)?;
    read_form(word, &inner, names)
}

#[inline(never)]
fn read_form(word: &str, reader: &Reader<'_>, names: &Names<'_>) -> Option<Action> {
    let mut record = reader.record()?;
    let action = match word {
        "crash" | "pause" | "slow" | "skew" | "leave" => to_processes(word, &mut record, names),
        "scale" | "deploy" | "cut" => to_components(word, &mut record, names),
        "patch" => to_settings(&mut record, names),
        "outage" | "brownout" | "spike" => to_loads(word, &mut record, names),
        _ => to_messages(word, &mut record, names),
    };
    record.finish();
    action
}

/// What is done to processes.
fn to_processes(word: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    match word {
        "crash" => {
            let worker = process(record, names, &MORTALS);
            let restart_after = optional(record, "restart_after", duration);
            let border = border(record, worker.map(|(component, _)| component), names);
            let ((component, instance), restart_after) = worker.zip(restart_after)?;
            Some(Action::Crash { component, instance, restart_after, border: border? })
        }
        "leave" => {
            let worker = process(record, names, &["workers"]);
            let back_after = optional(record, "back_after", duration);
            worker.zip(back_after).map(|((component, instance), back_after)| Action::Leave {
                component,
                instance,
                back_after,
            })
        }
        "skew" => skew(record, names),
        "pause" => {
            let worker = process(record, names, &MORTALS);
            let lasts = lasts(record);
            worker.zip(lasts).map(|((component, instance), lasts)| Action::Pause {
                component,
                instance,
                lasts,
            })
        }
        _ => {
            let worker = process(record, names, &MORTALS);
            let percent = record.required("percent").and_then(|r| r.integer(1..=100_000));
            let lasts = lasts(record);
            worker.zip(percent).zip(lasts).map(|(((component, instance), percent), lasts)| {
                Action::Slow { component, instance, percent, lasts }
            })
        }
    }
}

/// Reads how far the clock of a process is off from then on.
fn skew(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    let here = record.required("component");
    let component = here.as_ref().and_then(|r| names.reference(r, &CLOCKS));
    let instance = record.optional("instance");
    let clock = off_by(record);
    let (component, clock) = (component?, clock?);
    let instance = match instance {
        Some(reader) => Some(names.instance(component, &reader)?),
        None => None,
    };
    if names.kind(component) == Some("scheduler") && !whole(&here?, clock) {
        return None;
    }
    Some(Action::Skew { component, instance, clock })
}

/// Reads the border at which a process dies, if it is to die at one. The outer `None`: it is wrong.
#[inline(never)]
#[allow(clippy::option_option, reason = "wrong and absent are two things")]
fn border(
    record: &mut RecordReader<'_>,
    component: Option<ComponentId>,
    names: &Names<'_>,
) -> Option<Option<Border>> {
    let (line, handler) = (record.optional("after_line"), record.optional("handler"));
    let about = record.optional("message");
    let Some(line) = line else {
        let Some(more) = handler.or(about) else { return Some(None) };
        more.error(
            "this says more of a border between lines, and none is named",
            "add after_line, or take this out",
        );
        return None;
    };
    #[allow(clippy::cast_possible_truncation, reason = "64 lines")]
    let after_line = line.integer(0..=limits::STEPS.max as u16);
    let message = about.map_or(Some(None), |r| read_message(&r).map(Some));
    let component = component?;
    let handler = match (names.kind(component), handler) {
        (Some("workers"), None) => Some(0),
        (Some("service"), Some(name)) => names.handler(component, &name),
        (Some("service"), None) => {
            line.error(
                "a service may have several handlers, and this is a line of one of them",
                "add handler, the request that it answers",
            );
            None
        }
        (_, Some(name)) => {
            name.error("workers have one handler, which has no name", "take it out");
            None
        }
        _ => {
            line.error(
                format!("{} has no lines", names.name(component)),
                "take after_line out, or name workers or a service",
            );
            None
        }
    };
    let handler = u16::try_from(handler?).ok()?;
    Some(Some(Border { handler, after_line: after_line?, message: message? }))
}

/// What is done to whole components, and to the links between them.
fn to_components(word: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    let kinds: &[&'static str] = if word == "cut" { &super::KINDS } else { &RUNNERS };
    let component = component(record, names, kinds);
    match word {
        "scale" => {
            let most = component.map_or(1, |of| names.count(of));
            let to = record.required("to").and_then(|r| r.integer(0..=most));
            let start_up = optional(record, "start_up", duration);
            let start_up = start_up?.unwrap_or(SimDuration::ZERO);
            Some(Action::Scale { component: component?, to: to?, start_up })
        }
        "deploy" => {
            let takes = record.required("takes").and_then(|r| duration(&r));
            let how = optional(record, "how", |r| {
                r.choice(&[("drained", Replacing::Drained), ("killed", Replacing::Killed)])
            });
            let how = how?.unwrap_or(Replacing::Drained);
            Some(Action::Deploy { component: component?, takes: takes?, how })
        }
        _ => {
            let to = record.required("to").and_then(|r| names.reference(&r, &super::KINDS));
            let lasts = lasts(record);
            Some(Action::Cut { component: component?, to: to?, lasts: lasts? })
        }
    }
}

/// What is done to what is asked for, and to what can be done.
fn to_loads(word: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    match word {
        "outage" => {
            let component = component(record, names, &["external"]);
            let lasts = lasts(record);
            component.zip(lasts).map(|(component, lasts)| Action::Outage { component, lasts })
        }
        "brownout" => {
            let component = component(record, names, &["external"]);
            let share = optional(record, "capacity", |r| r.number(0.0..=1.0));
            let left = optional(record, "capacity_percent", |r| r.integer(0..=100));
            let latency = optional(record, "latency_percent", |r| r.integer(1..=100_000));
            let lasts = lasts(record);
            let left = share.zip(left).map(|(share, left)| left.or(share.map(hundredths)));
            component.zip(left).zip(latency).zip(lasts).map(
                |(((component, left), latency), lasts)| Action::Brownout {
                    component,
                    capacity_percent: left.unwrap_or(100),
                    latency_percent: latency.unwrap_or(100),
                    lasts,
                },
            )
        }
        _ => {
            let component = component(record, names, &["source"]);
            let percent = record.required("percent").and_then(|r| r.integer(1..=100_000));
            let lasts = lasts(record);
            component.zip(percent).zip(lasts).map(|((component, percent), lasts)| Action::Spike {
                component,
                percent,
                lasts,
            })
        }
    }
}

/// What is done to the settings of a component. Which it has decides which component may be named.
#[inline(never)]
fn to_settings(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    let settings = ["visibility_timeout", "max_receive_count", "error_rate", "handler"];
    let (word, inner) = record.one_of(&settings)?;
    let (kind, patch) = match word {
        "visibility_timeout" => ("queue", hidden(&inner).map(Patch::VisibilityTimeout)),
        "max_receive_count" => {
            ("queue", inner.integer(1..=RECEIVE_COUNT_MAX).map(Patch::MaxReceiveCount))
        }
        "error_rate" => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1")]
            let per_million = |share: f64| (share * 1e6 + 0.5) as u32;
            ("external", inner.number(0.0..=1.0).map(per_million).map(Patch::ErrorsPerMillion))
        }
        _ => ("workers", inner.choice(&[("mended", Patch::MendedHandler)])),
    };
    let component = component(record, names, &[kind]);
    component.zip(patch).map(|(component, patch)| Action::Patch { component, patch })
}

/// What is done to messages, and to what holds them.
fn to_messages(word: &str, record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    match word {
        "lose" => lose(record, names),
        "duplicate" => {
            component(record, names, &["queue"]).map(|component| Action::Duplicate { component })
        }
        "redrive" => {
            let component = component(record, names, &["queue"]);
            let to = optional(record, "to", |r| names.reference(r, &["queue"]));
            let per_second = optional(record, "per_second", |r| r.integer(1..=VELOCITY_MAX));
            component.zip(to).zip(per_second).map(|((component, to), per_second)| Action::Redrive {
                component,
                to,
                per_second,
            })
        }
        "poison" => record
            .required("message")
            .and_then(|r| read_message(&r))
            .map(|message| Action::Poison { message }),
        "add-partitions" => {
            let component = component(record, names, &["log"]);
            let partitions = record.required("to").and_then(|r| log::partitions(&r));
            component
                .zip(partitions)
                .map(|(component, partitions)| Action::AddPartitions { component, partitions })
        }
        "fail-over" => {
            component(record, names, &["log"]).map(|component| Action::FailOver { component })
        }
        "rewind" => {
            let component = component(record, names, &["workers"]);
            let to = record.required("to").and_then(|r| rewind_to(&r));
            component.zip(to).map(|(component, to)| Action::Rewind { component, to })
        }
        _ => component(record, names, &["queue"]).map(|component| Action::Purge { component }),
    }
}

fn lose(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<Action> {
    let what = record.required("what")?;
    let words = ["ack", "receive", "confirm", "message"];
    let what = what.choice(&words.map(|word| (word, word)))?;
    if what == "message" {
        let component = component(record, names, &["queue"])?;
        Some(Action::LoseMessage { component })
    } else if what == "receive" {
        let (component, instance) = worker(record, names)?;
        Some(Action::LoseReceive { component, instance })
    } else if what == "ack" {
        let (component, instance) = worker(record, names)?;
        Some(Action::LoseAck { component, instance })
    } else {
        let component = component(record, names, &["queue", "topic", "log"])?;
        Some(Action::LoseConfirm { component })
    }
}

/// Reads `"earliest"`, `"latest"` or a moment of the run.
fn rewind_to(reader: &Reader<'_>) -> Option<RewindTo> {
    match reader.value().as_text() {
        Some("earliest") => Some(RewindTo::Earliest),
        Some("latest") => Some(RewindTo::Latest),
        _ => reader.time().map(RewindTo::Time),
    }
}

fn component(
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
    kinds: &[&'static str],
) -> Option<ComponentId> {
    record.required("component").and_then(|r| names.reference(&r, kinds))
}

fn worker(record: &mut RecordReader<'_>, names: &Names<'_>) -> Option<(ComponentId, Option<u16>)> {
    process(record, names, &["workers"])
}

/// A process of a component of one of these kinds, or all of them.
fn process(
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
    kinds: &[&'static str],
) -> Option<(ComponentId, Option<u16>)> {
    let component = component(record, names, kinds);
    let instance = record.optional("instance");
    let component = component?;
    match instance {
        Some(reader) => names.instance(component, &reader).map(|i| (component, Some(i))),
        None => Some((component, None)),
    }
}

/// A share in whole hundredths.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
fn hundredths(share: f64) -> u32 {
    (share * 100.0 + 0.5) as u32
}

fn lasts(record: &mut RecordReader<'_>) -> Option<SimDuration> {
    record.required("for").and_then(|r| positive(&r))
}
