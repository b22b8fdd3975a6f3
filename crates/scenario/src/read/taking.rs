//! How workers take from queues that are asked.

use broker::queue::{RECEIVE_MAX, WAIT_MAX};
use patterns::fairness::Priority;
use sim::{SimDuration, Times};

use super::Names;
use super::time::{optional, positive, times};
use crate::wire::{Reader, RecordReader, Value};
use crate::{
    Attempts, Batch, ComponentId, Lanes, OnError, Polling, Profile, Queue, Settings, Taking,
    Workers, limits,
};

/// What a receive is, beside where it goes.
#[derive(Default)]
pub(super) struct Receive {
    pub takes: Option<Times>,
    pub max: Option<u32>,
    pub polling: Option<Polling>,
    pub batch: Option<Batch>,
    pub attempts: Option<Attempts>,
}

#[inline(never)]
pub(super) fn receive(reader: &Reader<'_>) -> Option<Receive> {
    let mut record = reader.record()?;
    let takes = optional(&mut record, "takes", times);
    let max = optional(&mut record, "max", |r| r.integer(1..=RECEIVE_MAX));
    let polling = optional(&mut record, "poll", polling);
    let batch = optional(&mut record, "batch", |r| {
        r.choice(&[
            ("each", Batch::Each),
            ("ack-all", Batch::AckAll),
            ("all-or-nothing", Batch::AllOrNothing),
            ("by-item", Batch::ByItem),
        ])
    });
    let attempts = optional(&mut record, "attempts", |r| {
        r.choice(&[("anonymous", Attempts::Anonymous), ("named", Attempts::Named)])
    });
    record.finish();
    Some(Receive {
        takes: takes?,
        max: max?,
        polling: polling?,
        batch: batch?,
        attempts: attempts?,
    })
}

fn polling(reader: &Reader<'_>) -> Option<Polling> {
    let mut record = reader.record()?;
    let wait = optional(&mut record, "wait", |r| r.duration(SimDuration::ZERO..=WAIT_MAX));
    let every = optional(&mut record, "every", positive);
    let sample = optional(&mut record, "sample", |r| {
        let mut record = r.record()?;
        let servers = record.required("servers").and_then(|r| r.integer(1..=u64::BITS));
        let asked = record.required("asked").and_then(|r| r.integer(1..=servers.unwrap_or(1)));
        record.finish();
        servers.zip(asked)
    });
    record.finish();
    let (wait, every, sample) = (wait?.unwrap_or(SimDuration::ZERO), every?, sample?);
    if wait.is_zero() && every.is_none() {
        reader.error(
            "a worker that does not wait has to say how often it asks",
            "add \"every\": \"1s\", or \"wait\": \"20s\"",
        );
        return None;
    }
    if !wait.is_zero() && (every.is_some() || sample.is_some()) {
        reader.error(
            "a long poll asks all servers, and again as soon as it is over",
            "leave out \"every\" and \"sample\", or \"wait\"",
        );
        return None;
    }
    Some(Polling { wait, every: every.unwrap_or(SimDuration::ZERO), sample })
}

/// Reads where workers take from: the name of a queue or log, or a list of queues.
#[inline(never)]
pub(super) fn sources(
    record: &mut RecordReader<'_>,
    names: &Names<'_>,
) -> Option<(ComponentId, Option<Lanes>)> {
    let from = record.required("from");
    let lanes = record.optional("lanes");
    let from = from?;
    if !matches!(from.value(), Value::List(_)) {
        if let Some(lanes) = lanes {
            lanes.error("one queue has no lanes", "name several in \"from\", or leave this out");
            return None;
        }
        return names.reference(&from, &["queue", "log", "scheduler"]).map(|from| (from, None));
    }
    let queues = from.each(limits::LANES, |r| names.reference(r, &["queue"]))?;
    let again = queues.iter().enumerate().any(|(at, queue)| queues[..at].contains(queue));
    if again || queues.is_empty() {
        from.error("these are no lanes", "name each queue once, the most urgent first");
        return None;
    }
    let (priority, weights) = match lanes {
        Some(reader) => priority(&reader, queues.len())?,
        None => (Priority::Strict, vec![1; queues.len()]),
    };
    Some((queues[0], Some(Lanes { queues, priority, weights })))
}

fn priority(reader: &Reader<'_>, lanes: usize) -> Option<(Priority, Vec<u32>)> {
    let (word, inner) = reader.variant(&["strict", "weighted"])?;
    if word == "strict" {
        return Some((Priority::Strict, vec![1; lanes]));
    }
    let weights = inner.each(limits::LANES, |r| r.integer(1..=1_000))?;
    if weights.len() != lanes {
        let found = weights.len();
        inner.error(
            format!("{lanes} lanes, and {found} weights"),
            "write a weight for each queue in \"from\"",
        );
        return None;
    }
    Some((Priority::Weighted, weights))
}

/// Holds the way of taking to queues that are asked, and to a handler that fits it.
#[inline(never)]
pub(super) fn check_taking(
    here: &Reader<'_>,
    workers: &Workers,
    queues: &[(ComponentId, &Queue)],
) -> bool {
    let Taking { lanes, polling, batch, attempts } = &workers.taking;
    let ordered = |id: &ComponentId| {
        let queue = queues.iter().find(|(other, _)| other == id);
        queue.is_some_and(|(_, queue)| queue.profile == Profile::SqsFifo)
    };
    if *attempts == Attempts::Named && !workers.queues().iter().all(ordered) {
        here.error(
            "only a FIFO queue takes note of which try a receive is",
            "leave \"attempts\" out, or choose the profile sqs-fifo",
        );
        return false;
    }
    let asked = |id: &ComponentId| {
        let queue = queues.iter().find(|(other, _)| other == id);
        queue.is_some_and(|(_, queue)| matches!(queue.settings, Settings::Sqs(_)))
    };
    let batches = *batch != Batch::Each;
    let special = lanes.is_some() || polling.is_some() || batches;
    if special && !workers.queues().iter().all(asked) {
        here.error(
            "lanes, polls and batches are for queues of SQS: others push",
            "leave them out, or choose the profile sqs-standard or sqs-fifo",
        );
        return false;
    }
    let settles = workers.on_message.steps.iter().any(|step| step.act.ends_delivery());
    if batches && matches!(workers.on_error, OnError::Retry(_)) {
        here.error(
            "what fails in a batch comes back with the batch's answer, not by a policy",
            "write \"on_error\": \"nack\" or \"leave\", or leave out \"batch\"",
        );
        return false;
    }
    if batches && settles {
        here.error(
            "a batch is settled at its end, and not by lines",
            "leave out \"ack\", \"nack\" and \"dead-letter\", or \"batch\"",
        );
        return false;
    }
    true
}
