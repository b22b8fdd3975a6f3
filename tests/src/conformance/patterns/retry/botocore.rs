//! botocore's standard mode, old and new.

use patterns::retry::budget::{Loan, RetryQuota, Ruling};
use patterns::retry::policy::{BOTOCORE_ATTEMPTS, RetryAfter, Wish};
use patterns::retry::{Backoff, Decision, Failure, FailureClass, Jitter, Policy};
use sim::{SimDuration, SimTime, Stream};

use super::super::{Case, Differences, Node, Problem, case};

/// Scale of the newer mode's delays, in milliseconds.
const SCALE: u64 = 50;
const SCALE_DYNAMODB: u64 = 25;

pub(super) fn cases(node: &Node<'_>, cases: &mut Vec<Case>) -> Result<(), Problem> {
    if let Some(expected) = node.get("max_attempts") {
        cases.push(case("botocore's attempts", || {
            let attempts = attempts(policy(SCALE, BOTOCORE_ATTEMPTS));
            let mut differences = Differences::default();
            differences.compare("attempts", &expected.whole()?, &attempts);
            Ok(differences)
        }));
    }
    let modes = [("legacy", RetryQuota::legacy()), ("v2_1", RetryQuota::standard())];
    for (mode, quota) in modes {
        if let Some(node) = node.get(mode) {
            prices(mode, quota, &node, cases);
            delays(mode, &node, cases)?;
        }
    }
    if let Some(outage) = node.get("retries_possible_total_outage") {
        for (mode, expected) in outage.members()? {
            let quota = modes.iter().find(|(name, _)| *name == mode).map(|(_, quota)| *quota);
            cases.push(case(format!("botocore {mode}: retries in an outage"), || {
                let mut quota =
                    quota.ok_or_else(|| expected.problem("no such mode", "use legacy or v2_1"))?;
                let mut retries = 0;
                while quota.acquire(Failure::Internal, &mut Loan::default()) == Ruling::Allowed {
                    retries += 1;
                }
                let mut differences = Differences::default();
                differences.compare("retries", &expected.whole()?, &retries);
                Ok(differences)
            }));
        }
    }
    Ok(())
}

fn backoff(scale: u64) -> Backoff {
    let cap = SimDuration::from_secs(20);
    Backoff::doubling(SimDuration::from_millis(scale), cap, Jitter::None)
}

fn policy(scale: u64, attempts: u32) -> Policy {
    let extra = SimDuration::from_secs(5);
    let retry_after = RetryAfter::Within { extra };
    Policy { retry_after, ..Policy::attempts(attempts, backoff(scale)) }
}

fn attempts(policy: Policy) -> u32 {
    let mut stream = Stream::new(1, "botocore", 0);
    let mut retries = policy.start(SimTime::ZERO);
    while let Decision::Retry { .. } =
        retries.fail(&policy, SimTime::ZERO, FailureClass::Transient, Wish::Nothing, &mut stream)
    {
    }
    retries.attempt()
}

/// What one retry costs, and what comes back.
fn prices(mode: &str, quota: RetryQuota, node: &Node<'_>, cases: &mut Vec<Case>) {
    let rows = [
        ("quota", None),
        ("cost", Some(Failure::Internal)),
        ("timeout_cost", Some(Failure::Timeout)),
        ("throttling_cost", Some(Failure::Throttled)),
    ];
    for (name, failure) in rows {
        let Some(expected) = node.get(name) else { continue };
        cases.push(case(format!("botocore {mode}: {name}"), || {
            let mut taken = quota;
            let actual = match failure {
                None => quota.available(),
                Some(failure) => {
                    taken.acquire(failure, &mut Loan::default());
                    quota.available() - taken.available()
                }
            };
            let mut differences = Differences::default();
            differences.compare(name, &expected.whole()?, &actual);
            Ok(differences)
        }));
    }
    if let Some(expected) = node.get("success_no_retry") {
        cases.push(case(format!("botocore {mode}: success without a retry"), || {
            let mut given = quota;
            given.acquire(Failure::Internal, &mut Loan::default());
            let before = given.available();
            given.success(Loan::default());
            let mut differences = Differences::default();
            differences.compare("given back", &expected.whole()?, &(given.available() - before));
            Ok(differences)
        }));
    }
    if node.get("success_after_retry").is_some() {
        cases.push(case(format!("botocore {mode}: success after a retry"), || {
            let mut given = quota;
            let mut loan = Loan::default();
            given.acquire(Failure::Internal, &mut loan);
            let first = given.available();
            given.acquire(Failure::Internal, &mut loan);
            given.success(loan);
            let mut differences = Differences::default();
            differences.compare("left, the last one released", &first, &given.available());
            Ok(differences)
        }));
    }
}

fn delays(mode: &str, node: &Node<'_>, cases: &mut Vec<Case>) -> Result<(), Problem> {
    if mode == "legacy" && node.get("delay").is_some() {
        // rand() · min(2^(attempt−1), 20)
        cases.push(case("botocore legacy: delay", || {
            let mut differences = Differences::default();
            for (retry, expected) in (1..).zip([1_u64, 2, 4, 8, 16, 20, 20]) {
                let ceiling = backoff(1_000).ceiling(retry);
                let expected = SimDuration::from_secs(expected);
                differences.compare(&format!("ceiling of retry {retry}"), &expected, &ceiling);
            }
            Ok(differences)
        }));
    }
    if let Some(sequence) = node.get("rand1_sequence") {
        for (retry, expected) in (1..).zip(sequence.items()?) {
            cases.push(case(format!("botocore {mode}: delay of retry {retry}"), || {
                let mut differences = Differences::default();
                let actual = backoff(SCALE).ceiling(retry).as_secs_f64();
                differences.near("seconds", expected.number()?, actual, 1e-9);
                Ok(differences)
            }));
        }
    }
    if let Some(rows) = node.get("dynamodb") {
        cases.push(case(format!("botocore {mode}: a request to DynamoDB"), || dynamodb(&rows)));
    }
    if let Some(rows) = node.get("retry_after_ms") {
        for row in rows.items()? {
            let header = row.need("h", "write the header")?.text()?;
            cases.push(case(format!("botocore {mode}: retry after {header:?}"), || {
                let mut stream = Stream::new(1, "botocore", 0);
                let wish = Wish::read_millis(header);
                let policy = policy(SCALE, 3);
                let decision = policy.start(SimTime::ZERO).fail(
                    &policy,
                    SimTime::ZERO,
                    FailureClass::Transient,
                    wish,
                    &mut stream,
                );
                let Decision::Retry { at, .. } = decision else {
                    return Err(row.problem("not retried", "give it attempts"));
                };
                let expected = row.need("delay", "write the delay in seconds")?.number()?;
                let mut differences = Differences::default();
                differences.near("seconds", expected, at.as_secs_f64(), 1e-9);
                Ok(differences)
            }));
        }
    }
    Ok(())
}

/// Attempt by attempt: the quota that is left, and the delay, or no retry at all. A request to
/// DynamoDB has four attempts.
fn dynamodb(rows: &Node<'_>) -> Result<Differences, Problem> {
    let mut differences = Differences::default();
    let mut stream = Stream::new(1, "botocore", 0);
    let (mut quota, mut loan) = (RetryQuota::standard(), Loan::default());
    let policy = policy(SCALE_DYNAMODB, 4);
    let mut retries = policy.start(SimTime::ZERO);
    for row in rows.items()? {
        let attempt = row.need("attempt", "number the attempts")?.whole()?;
        differences.compare("attempt", &attempt, &retries.attempt());
        let decision = retries.fail(
            &policy,
            SimTime::ZERO,
            FailureClass::Transient,
            Wish::Nothing,
            &mut stream,
        );
        let expected_retry = row.get("retry").map_or(Ok(true), |retry| retry.truth())?;
        match decision {
            Decision::Retry { at, .. } => {
                quota.acquire(Failure::Internal, &mut loan);
                differences.compare(&format!("attempt {attempt}: retry"), &expected_retry, &true);
                if let Some(delay) = row.get("delay") {
                    let what = format!("attempt {attempt}: seconds");
                    differences.near(&what, delay.number()?, at.as_secs_f64(), 1e-9);
                }
            }
            Decision::GiveUp(_) => {
                differences.compare(&format!("attempt {attempt}: retry"), &expected_retry, &false);
            }
        }
        let left = row.need("quota", "say what is left")?.whole()?;
        differences.compare(&format!("attempt {attempt}: quota"), &left, &quota.available());
    }
    Ok(differences)
}
