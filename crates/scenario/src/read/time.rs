//! Lengths of time, rates and schedules.

use sim::{Arrivals, PerSecond, Shares, SimDuration, SimTime, Times, TimesError};

use crate::limits;
use crate::wire::{Reader, RecordReader, Value};

/// The longest single length of time that a scenario may name.
pub(super) const LONGEST: SimDuration = SimDuration::from_secs(30 * 86_400);

pub(super) fn duration(reader: &Reader<'_>) -> Option<SimDuration> {
    reader.duration(SimDuration::ZERO..=LONGEST)
}

pub(super) fn positive(reader: &Reader<'_>) -> Option<SimDuration> {
    reader.duration(SimDuration::from_micros(1)..=LONGEST)
}

/// A length of time: `"5s"`, or a distribution such as `{ "exponential": { "mean": "5s" } }`. What was
/// measured is told by its percentiles, or as a list: `{ "measured": ["12ms", "9ms", "2s"] }`.
pub(super) fn times(reader: &Reader<'_>) -> Option<Times> {
    if !matches!(reader.value(), Value::Record(_)) {
        return duration(reader).map(Times::constant);
    }
    let (form, inner) =
        reader.variant(&["constant", "uniform", "exponential", "log_normal", "measured"])?;
    if form == "constant" {
        return duration(&inner).map(Times::constant);
    }
    if form == "measured" && matches!(inner.value(), Value::List(_)) {
        let lengths = inner.each(limits::MEASURED, duration)?;
        return known(&inner, Times::sample_of(&lengths));
    }
    let mut record = inner.record()?;
    let mut part = |name| record.required(name).and_then(|r| duration(&r));
    let read = match form {
        "uniform" => {
            let (min, max) = (part("min"), part("max"));
            min.zip(max).map(|(min, max)| Times::uniform(min, max))
        }
        "measured" => {
            let (min, p50, p90) = (part("min"), part("p50"), part("p90"));
            let (p99, max) = (part("p99"), part("max"));
            let low = min.zip(p50).zip(p90);
            low.zip(p99.zip(max))
                .map(|(((min, p50), p90), (p99, max))| Times::measured([min, p50, p90, p99, max]))
        }
        "exponential" => part("mean").map(Times::exponential),
        _ => {
            let (median, p99) = (part("median"), part("p99"));
            median.zip(p99).map(|(median, p99)| Times::log_normal(median, p99))
        }
    };
    record.finish();
    known(&inner, read?)
}

fn known(reader: &Reader<'_>, read: Result<Times, TimesError>) -> Option<Times> {
    read.map_err(|error| {
        reader.error(error.to_string(), "correct the bounds of this distribution");
    })
    .ok()
}

/// When a source sends: `every`, `rate`, `poisson` or `bursts`, or as it was recorded: `at` these
/// times, or with these `gaps`, of which the first is that from the start.
pub(super) fn arrivals(reader: &Reader<'_>) -> Option<Arrivals> {
    let (form, inner) = reader.variant(&["every", "at", "gaps", "rate", "poisson", "bursts"])?;
    if form == "gaps" {
        let mut at = SimTime::ZERO;
        let gaps = inner.each(limits::SAMPLES, duration)?;
        let times = gaps.into_iter().map(|gap| {
            at += gap;
            at
        });
        return Some(Arrivals::Schedule(times.collect()));
    }
    if form == "at" {
        let times = inner.each(limits::SAMPLES, Reader::time)?;
        if !times.is_sorted() {
            inner.error("these times go back and forth", "write them in order");
            return None;
        }
        return Some(Arrivals::Schedule(times));
    }
    let mut record = inner.record()?;
    let count = optional(&mut record, "count", |r| r.integer(1..=most_messages()));
    let read = if form == "bursts" {
        let size = record.required("size").and_then(|r| r.integer(1..=most_messages()));
        let interval = record.required("interval").and_then(|r| positive(&r));
        let first = optional(&mut record, "first", Reader::time);
        record.finish();
        Arrivals::Bursts {
            first: first?.unwrap_or(SimTime::ZERO),
            interval: interval?,
            size: size?,
            count: count?,
        }
    } else if form == "every" {
        let interval = record.required("interval").and_then(|r| positive(&r));
        let first = optional(&mut record, "first", Reader::time);
        record.finish();
        Arrivals::Every {
            first: first?.unwrap_or(SimTime::ZERO),
            interval: interval?,
            count: count?,
        }
    } else {
        let per_second = record.required("per_second").and_then(|r| rate(&r));
        let from = optional(&mut record, "from", Reader::time);
        let until = optional(&mut record, "until", Reader::time);
        record.finish();
        let from = from?.unwrap_or(SimTime::ZERO);
        let (per_second, until, count) = (per_second?, until?, count?);
        if form == "rate" {
            Arrivals::Constant { per_second, from, until, count }
        } else {
            Arrivals::Poisson { per_second, from, until, count }
        }
    };
    Some(read)
}

/// How often a source sends each of its messages: `"in-turn"`, `{ "shares": [80, 10, 10] }`, or
/// `{ "zipf": 1.1 }`, by which the first is the most frequent.
#[inline(never)]
#[allow(clippy::option_option, reason = "in turn and wrong are different answers")]
pub(super) fn shares(reader: &Reader<'_>, messages: usize) -> Option<Option<Shares>> {
    if reader.value().as_text() == Some("in-turn") {
        return Some(None);
    }
    let (form, inner) = reader.variant(&["shares", "zipf"])?;
    let ranks = u32::try_from(messages).unwrap_or(0);
    let read = if form == "zipf" {
        let exponent = inner.number(0.0..=5.0)?;
        Shares::zipf(ranks, exponent)
    } else {
        let shares = inner.each(limits::SAMPLES, |r| r.integer(0..=1_000_000_u32))?;
        if shares.len() != messages {
            inner.error(
                format!("{} shares, and {messages} messages", shares.len()),
                "give each entry of messages its share",
            );
            return None;
        }
        Shares::new(&shares)
    };
    if read.is_none() {
        inner.error(
            "there is nothing to choose from",
            "list messages, and give one of them a share above 0",
        );
    }
    read.map(Some)
}

pub(super) fn rate(reader: &Reader<'_>) -> Option<PerSecond> {
    let number = reader.number(1e-6..=PerSecond::MAX.get())?;
    PerSecond::new(number).ok()
}

#[allow(clippy::cast_possible_truncation, reason = "the limit is far below")]
fn most_messages() -> u32 {
    limits::MESSAGES.max as u32
}

/// A field that may be left out: `Some(None)` if it is, `None` if it is there and wrong.
#[allow(clippy::option_option, reason = "left out and wrong are different answers")]
pub(super) fn optional<'a, T>(
    record: &mut RecordReader<'a>,
    name: &str,
    read: impl FnOnce(&Reader<'a>) -> Option<T>,
) -> Option<Option<T>> {
    match record.optional(name) {
        Some(reader) => read(&reader).map(Some),
        None => Some(None),
    }
}

/// A field that `"none"` takes away again, so that a control can: `Some(None)` for that word.
#[allow(clippy::option_option, reason = "none and wrong are different answers")]
pub(super) fn or_none<T>(
    reader: &Reader<'_>,
    read: impl FnOnce(&Reader<'_>) -> Option<T>,
) -> Option<Option<T>> {
    match reader.value().as_text() {
        Some("none") => Some(None),
        _ => read(reader).map(Some),
    }
}
