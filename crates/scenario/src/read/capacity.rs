//! The capacity of external services, and the rules by which workers become more or fewer.

use patterns::autoscale::{Settings, Signal};
use patterns::overload::Saturation;
use sim::SimDuration;

use super::time::{duration, optional, or_none, positive, rate};
use crate::wire::{Reader, RecordReader};
use crate::{Capacity, Throughput, WhenFull, limits};

/// What a call hears that finds no room, as the document has it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Full {
    Queue,
    Refuse,
    RefuseUntil,
}

#[inline(never)]
pub(super) fn capacity(reader: &Reader<'_>) -> Option<Capacity> {
    let mut record = reader.record()?;
    let form = record.one_of(&["servers", "per_second", "per_slice"]);
    let limit = form.and_then(|(word, inner)| match word {
        "servers" => inner.integer(1..=1_000_000).map(Throughput::Servers),
        "per_second" => {
            let burst = optional(&mut record, "burst", |r| r.integer(1..=1_000_000))?;
            let per_second = rate(&inner)?;
            Some(Throughput::Rate { per_second, burst: burst.unwrap_or(1) })
        }
        _ => slices(&inner, &mut record),
    });
    #[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
    let most = limits::WAITING.max as u32;
    let full = optional(&mut record, "when_full", |r| {
        r.choice(&[
            ("queue", Full::Queue),
            ("block", Full::Queue),
            ("refuse", Full::Refuse),
            ("429", Full::RefuseUntil),
        ])
    });
    let waiting = optional(&mut record, "waiting", |r| r.integer(0..=most));
    let shed = record.optional("shed_at_percent");
    record.finish();
    let (full, waiting) = (full?.unwrap_or(Full::Queue), waiting?);
    let bounded =
        matches!(limit, Some(Throughput::Servers(_))) && (waiting.is_some() || full != Full::Queue);
    let shed_at_percent = shed_at_percent(
        shed.as_ref(),
        bounded,
        "write how many \"servers\" there are and how many calls are \"waiting\" at most",
    );
    let (waits, when_full) = match full {
        Full::Queue => (most, WhenFull::Refuse),
        Full::Refuse => (0, WhenFull::Refuse),
        Full::RefuseUntil => (0, WhenFull::RefuseUntil),
    };
    Some(Capacity {
        limit: limit?,
        waiting: waiting.unwrap_or(waits),
        when_full,
        shed_at_percent: shed_at_percent?,
    })
}

/// How full something may be for each class to be let in: `[50, 80]`. Only what is `bounded` can be
/// full.
pub(super) fn shed_at_percent(
    reader: Option<&Reader<'_>>,
    bounded: bool,
    repair: &str,
) -> Option<Vec<u32>> {
    let Some(reader) = reader else { return Some(Vec::new()) };
    let read = or_none(reader, |r| r.each(limits::CLASSES, |r| r.integer(0..=100_u32)))?;
    let Some(percent) = read else { return Some(Vec::new()) };
    if !percent.is_sorted() {
        reader.error(
            "a class would be shed before one that is worth less",
            "write these shares in order, the smallest first",
        );
        return None;
    }
    if !bounded {
        reader.error("what has no bound is never full, so nobody is shed", repair);
        return None;
    }
    Some(percent)
}

fn slices(inner: &Reader<'_>, record: &mut RecordReader<'_>) -> Option<Throughput> {
    let percent =
        |record: &mut RecordReader<'_>, name| record.required(name)?.integer(0_u32..=10_000);
    let capacity = inner.integer(1..=1_000_000);
    let slice = optional(record, "slice", positive);
    let (waste, floor) = (percent(record, "waste_percent"), percent(record, "floor_percent"));
    Some(Throughput::Slices {
        slice: slice?.unwrap_or(SimDuration::from_millis(100)),
        saturation: Saturation {
            capacity: capacity?,
            waste_percent: waste?,
            floor_percent: floor?,
        },
    })
}

/// Reads the rule by which workers become more or fewer, of whom there are at most `most`.
#[inline(never)]
pub(super) fn autoscale(reader: &Reader<'_>, most: u16) -> Option<Settings> {
    let mut record = reader.record()?;
    let signal = record.one_of(&["depth", "backlog", "age"]);
    let signal = signal.and_then(|(word, inner)| signal_of(word, &inner));
    let min = record.required("min").and_then(|r| r.integer(0..=u32::from(most)));
    let period = record.required("period").and_then(|r| positive(&r));
    let start_up = record.required("start_up").and_then(|r| duration(&r));
    let cooldown = record.required("cooldown").and_then(|r| duration(&r));
    record.finish();
    Some(Settings {
        signal: signal?,
        min: min?,
        max: u32::from(most),
        period: period?,
        start_up: start_up?,
        cooldown: cooldown?,
    })
}

fn signal_of(word: &str, reader: &Reader<'_>) -> Option<Signal> {
    let mut record = reader.record()?;
    let mut count = |name, most: u32| record.required(name).and_then(|r| r.integer(1..=most));
    let read = match word {
        "backlog" => {
            let acceptable = count("acceptable", 1_000_000);
            let percent = count("utilization_percent", 100);
            acceptable.zip(percent).map(|(acceptable, utilization_percent)| {
                let acceptable = u64::from(acceptable);
                Signal::BacklogPerWorker { acceptable, utilization_percent }
            })
        }
        "depth" => {
            let step = count("step", 1_000);
            let above = record.required("above").and_then(|r| r.integer(0..=1_000_000_u64));
            let below = record.required("below").and_then(|r| r.integer(0..=1_000_000_u64));
            above.zip(below).zip(step).map(|((above, below), step)| Signal::Depth {
                above,
                below,
                step,
            })
        }
        _ => {
            let step = count("step", 1_000);
            let above = record.required("above").and_then(|r| duration(&r));
            let below = record.required("below").and_then(|r| duration(&r));
            above.zip(below).zip(step).map(|((above, below), step)| Signal::Age {
                above,
                below,
                step,
            })
        }
    };
    record.finish();
    read
}
