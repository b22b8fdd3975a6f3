//! Retries: backoffs, budgets, circuit breakers.

use patterns::retry::budget::{FinagleBudget, GrpcThrottle, RetryQuota, Share};
use patterns::retry::policy::RetryAfter;
use patterns::retry::{Backoff, Growth, Jitter, Ladder, Policy, breaker};
use sim::SimDuration;

use super::time::{duration, optional, positive};
use crate::wire::{Reader, RecordReader};
use crate::{BreakerSettings, Budget, Permanent, Retry, Then, Waits, WorkerRetry, limits};

/// The forms of a backoff.
const BACKOFFS: [&str; 9] = [
    "none",
    "at_once",
    "fixed",
    "linear",
    "exponential",
    "equal_jitter",
    "full_jitter",
    "decorrelated_jitter",
    "ladder",
];

/// Reads `{ "full_jitter": { "base": "1s", "cap": "30s" }, "attempts": 5, "budget": … }`.
#[inline(never)]
pub(super) fn retry(reader: &Reader<'_>) -> Option<Retry> {
    let mut record = reader.record()?;
    let policy = policy(&mut record);
    let budget = optional(&mut record, "budget", budget);
    record.finish();
    Some(Retry { policy: policy?, budget: budget? })
}

/// The fields of a policy that stand in one record.
fn policy(record: &mut RecordReader<'_>) -> Option<Policy> {
    let form = record.one_of(&BACKOFFS);
    let attempts = attempts(record, "attempts");
    let unknown = self::attempts(record, "unknown_attempts");
    let give_up_after = optional(record, "give_up_after", positive);
    let retry_after = optional(record, "retry_after", |r| {
        r.choice(&[
            ("ignored", RetryAfter::Ignored),
            ("at-least", RetryAfter::AtLeast),
            ("replaces", RetryAfter::Replaces),
        ])
    });
    let (word, inner) = form?;
    let backoff = backoff(word, &inner)?;
    if let Err(error) = backoff.validate() {
        inner.error(error.to_string(), "correct the numbers of this backoff");
        return None;
    }
    Some(Policy {
        backoff,
        attempts: if word == "none" { Some(1) } else { attempts? },
        unknown_attempts: unknown?,
        give_up_after: give_up_after?,
        retry_after: retry_after?.unwrap_or(RetryAfter::Ignored),
    })
}

#[allow(clippy::option_option, reason = "left out and wrong are different answers")]
fn attempts(record: &mut RecordReader<'_>, name: &str) -> Option<Option<u32>> {
    optional(record, name, |r| r.integer(1..=1_000_000))
}

fn backoff(word: &str, reader: &Reader<'_>) -> Option<Backoff> {
    if word == "ladder" {
        let waits = reader.each(limits::RUNGS, duration)?;
        let ladder = Ladder::new(&waits);
        if ladder.is_err() {
            reader.error("this ladder has no rung", "write at least one wait");
        }
        let growth = Growth::Ladder(ladder.ok()?);
        return Some(Backoff { growth, cap: None, jitter: Jitter::None });
    }
    let mut record = reader.record()?;
    let read = match word {
        "none" | "at_once" => Some(Backoff::NONE),
        "fixed" => record.required("delay").and_then(|r| duration(&r)).map(|delay| Backoff {
            growth: Growth::Fixed { delay },
            cap: None,
            jitter: Jitter::None,
        }),
        "linear" => {
            let base = record.required("base").and_then(|r| duration(&r));
            let step = record.required("step").and_then(|r| duration(&r));
            let cap = optional(&mut record, "cap", duration);
            base.zip(step).zip(cap).map(|((base, step), cap)| Backoff {
                growth: Growth::Linear { base, step },
                cap,
                jitter: Jitter::None,
            })
        }
        _ => growing(word, &mut record),
    };
    record.finish();
    read
}

fn growing(word: &str, record: &mut RecordReader<'_>) -> Option<Backoff> {
    let base = record.required("base").and_then(|r| duration(&r));
    let factor = optional(record, "factor_percent", |r| r.integer(100..=100_000));
    let cap = optional(record, "cap", duration);
    let jitter = match word {
        "exponential" => Jitter::None,
        "equal_jitter" => Jitter::Equal,
        "full_jitter" => Jitter::Full,
        _ => Jitter::Decorrelated,
    };
    let growth = Growth::Exponential { base: base?, factor_percent: factor?.unwrap_or(200) };
    Some(Backoff { growth, cap: cap?, jitter })
}

fn budget(reader: &Reader<'_>) -> Option<Budget> {
    let (word, inner) = reader.variant(&["grpc", "finagle", "share", "botocore"])?;
    let mut record = inner.record()?;
    let read = match word {
        "grpc" => {
            let max = record.required("max_tokens").and_then(|r| r.integer(1..=1_000));
            let ratio = record.required("token_ratio_milli").and_then(|r| r.integer(1..=1_000_000));
            max.zip(ratio)
                .and_then(|(max, ratio)| GrpcThrottle::new(max, ratio).ok())
                .map(Budget::Grpc)
        }
        "finagle" => {
            let second = SimDuration::from_secs(1);
            let ttl = record.required("ttl").and_then(|r| r.duration(second..=second * 60));
            let min = record.required("min_per_second").and_then(|r| r.integer(0..=1_000_000));
            let share = record.required("share_milli").and_then(|r| r.integer(0..=1_000_000));
            ttl.zip(min).zip(share).and_then(|((ttl, min), share)| {
                FinagleBudget::new(ttl, min, share).ok().map(Budget::Finagle)
            })
        }
        "share" => {
            let percent = record.required("percent").and_then(|r| r.integer(0..=100));
            let least = record.required("at_least").and_then(|r| r.integer(0..=1_000_000));
            percent.zip(least).map(|(percent, least)| Budget::Share(Share::new(percent, least)))
        }
        _ => record
            .required("mode")
            .and_then(|r| {
                r.choice(&[("legacy", RetryQuota::legacy()), ("standard", RetryQuota::standard())])
            })
            .map(Budget::Quota),
    };
    record.finish();
    read
}

/// Reads the settings of a circuit breaker; what is left out is resilience4j's.
#[inline(never)]
pub(super) fn breaker(reader: &Reader<'_>) -> Option<BreakerSettings> {
    let mut record = reader.record()?;
    let percent =
        |record: &mut RecordReader<'_>, name| optional(record, name, |r| r.integer(1_u32..=100));
    let count = |record: &mut RecordReader<'_>, name| {
        optional(record, name, |r| r.integer(1_u32..=100_000))
    };
    let failures = percent(&mut record, "failure_rate_percent");
    let slow_rate = percent(&mut record, "slow_call_rate_percent");
    let slow_call = optional(&mut record, "slow_call", positive);
    let wait_open = optional(&mut record, "wait_open", positive);
    let trials = count(&mut record, "trial_calls");
    let minimum = count(&mut record, "minimum_calls");
    let window = optional(&mut record, "window", |r| {
        let (word, inner) = r.variant(&["calls", "seconds"])?;
        let size = inner.integer(1..=3_600)?;
        let calls = word == "calls";
        Some(if calls { breaker::Window::Calls(size) } else { breaker::Window::Time(size) })
    });
    record.finish();
    let product = BreakerSettings::resilience4j();
    Some(BreakerSettings {
        failure_rate_percent: failures?.unwrap_or(product.failure_rate_percent),
        slow_call_rate_percent: slow_rate?.unwrap_or(product.slow_call_rate_percent),
        slow_call: slow_call?.unwrap_or(product.slow_call),
        wait_open: wait_open?.unwrap_or(product.wait_open),
        permitted_half_open: trials?.unwrap_or(product.permitted_half_open),
        minimum_calls: minimum?.unwrap_or(product.minimum_calls),
        window: window?.unwrap_or(product.window),
        half_opening: breaker::HalfOpening::ByCall,
    })
}

/// Reads how a worker tries a message again: the backoff under `retry`, the rest beside it.
#[inline(never)]
pub(super) fn worker_retry(
    inner: &Reader<'_>,
    outer: &mut RecordReader<'_>,
) -> Option<WorkerRetry> {
    let mut record = inner.record()?;
    let policy = policy(&mut record);
    record.finish();
    let attempts = attempts(outer, "attempts");
    let waits = optional(outer, "waits", |r| {
        r.choice(&[("in-queue", Waits::InQueue), ("in-process", Waits::InProcess)])
    });
    let permanent = optional(outer, "permanent", |r| {
        r.choice(&[("retry", Permanent::Retried), ("dead-letter", Permanent::DeadLettered)])
    });
    let then = optional(outer, "then", |r| {
        r.choice(&[("dead-letter", Then::DeadLetter), ("drop", Then::Drop), ("leave", Then::Leave)])
    });
    let mut policy = policy?;
    policy.attempts = attempts?.or(policy.attempts);
    Some(WorkerRetry {
        policy,
        waits: waits?.unwrap_or(Waits::InQueue),
        permanent: permanent?.unwrap_or(Permanent::Retried),
        then: then?.unwrap_or(Then::Leave),
    })
}
