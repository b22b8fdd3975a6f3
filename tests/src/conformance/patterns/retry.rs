//! Retry: formulas and figures of AWS's simulator, botocore, gRPC, Finagle and resilience4j.
//!
//! A file is an object of such parts, any of which may be missing:
//!
//! | part | its cases |
//! | --- | --- |
//! | `aws_backoff` | a formula by its range over many draws; a table `table_expo_base5_cap2000` by number of retry |
//! | `botocore_standard` | `legacy`, `v2_1`: delays, quota, prices, rows of a request, retry-after; `retries_possible_total_outage` |
//! | `grpc_A6` | `example`: a trace of failures and successes |
//! | `finagle` | `default`; `cases`, each 10,000 deposits and tries |
//! | `amplification` | the example in its sentence |
//! | `circuit_breaker_resilience4j` | `defaults`, one case a setting |

mod botocore;
mod breaker;

use patterns::retry::budget::{FinagleBudget, GrpcThrottle, Ruling};
use patterns::retry::layers::worst_case;
use patterns::retry::{Backoff, Jitter};
use sim::{SimDuration, SimTime, Stream};

use super::{Case, Differences, Node, Problem, case, has_any};

pub(super) fn recognises(root: &Node<'_>) -> bool {
    has_any(
        root,
        &["aws_backoff", "botocore_standard", "grpc_A6", "finagle", "circuit_breaker_resilience4j"],
    )
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    if let Some(node) = root.get("aws_backoff") {
        aws(&node, &mut cases)?;
    }
    if let Some(node) = root.get("botocore_standard") {
        botocore::cases(&node, &mut cases)?;
    }
    if let Some(node) = root.get("grpc_A6") {
        cases.push(case("gRPC A6 example", || grpc(&node)));
    }
    if let Some(node) = root.get("finagle") {
        finagle(&node, &mut cases)?;
    }
    if let Some(node) = root.get("amplification") {
        cases.push(case("amplification", || amplification(&node)));
    }
    if let Some(node) = root.get("circuit_breaker_resilience4j") {
        breaker::cases(&node, &mut cases)?;
    }
    Ok(cases)
}

const BASE: u64 = 5;
const CAP: u64 = 2_000;

/// AWS's backoff of a base and a cap in milliseconds: its first retry has n = 1, so that its ladder
/// begins with twice the base; decorrelated jitter draws above the base itself.
pub(super) fn aws_backoff(jitter: Jitter, base: u64, cap: u64) -> Backoff {
    let first = if jitter == Jitter::Decorrelated { base } else { 2 * base };
    Backoff::doubling(SimDuration::from_millis(first), SimDuration::from_millis(cap), jitter)
}

fn aws(node: &Node<'_>, cases: &mut Vec<Case>) -> Result<(), Problem> {
    for (key, value) in node.members()? {
        if let Some(table) = key.strip_prefix("table_expo_") {
            let parameter = |name: &str| {
                let part = table.split('_').find_map(|part| part.strip_prefix(name));
                part.and_then(|part| part.parse::<u64>().ok()).ok_or_else(|| {
                    value.problem(
                        "a table without base or cap",
                        "name it as in table_expo_base5_cap2000",
                    )
                })
            };
            let (base, cap) = (parameter("base")?, parameter("cap")?);
            for (n, expected) in value.members()? {
                cases.push(case(format!("AWS expo({n}) of base {base}, cap {cap}"), || {
                    let retry = n.parse().map_err(|_| {
                        expected
                            .problem("no number of a retry", "key it by the number of the retry")
                    })?;
                    let ceiling = aws_backoff(Jitter::None, base, cap).ceiling(retry);
                    let mut differences = Differences::default();
                    let millis = ceiling.as_micros() as f64 / 1e3;
                    differences.compare("milliseconds", &expected.number()?, &millis);
                    Ok(differences)
                }));
            }
        } else if let Some(formula) = Formula::named(key) {
            cases.push(case(format!("AWS {key}: {}", value.text()?), || Ok(formula.check())));
        }
    }
    Ok(())
}

/// The formulas of the simulator, as they are written in the file.
#[derive(Clone, Copy)]
enum Formula {
    None,
    Expo,
    Full,
    Equal,
    Decorrelated,
}

impl Formula {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::None,
            "expo" => Self::Expo,
            "full" => Self::Full,
            "equal" => Self::Equal,
            "decorr" => Self::Decorrelated,
            _ => return None,
        })
    }

    /// The bounds of the nth delay in milliseconds, after a previous one.
    fn bounds(self, n: u32, previous: f64) -> (f64, f64) {
        let expo = f64::min(CAP as f64, f64::from(1 << n) * BASE as f64);
        match self {
            Self::None => (0.0, 0.0),
            Self::Expo => (expo, expo),
            Self::Full => (0.0, expo),
            Self::Equal => (expo / 2.0, expo),
            Self::Decorrelated => (BASE as f64, f64::min(CAP as f64, previous * 3.0)),
        }
    }

    fn backoff(self) -> Backoff {
        let jitter = match self {
            Self::None => return Backoff::NONE,
            Self::Expo => Jitter::None,
            Self::Full => Jitter::Full,
            Self::Equal => Jitter::Equal,
            Self::Decorrelated => Jitter::Decorrelated,
        };
        aws_backoff(jitter, BASE, CAP)
    }

    /// Ten delays of each of 2000 requests lie within the formula's bounds, fill them, and are even.
    fn check(self) -> Differences {
        let mut differences = Differences::default();
        // For each n: where in its bounds the draws lie, from 0 to 1.
        let mut places = vec![Vec::new(); 10];
        for seed in 0..2_000 {
            let mut stream = Stream::new(seed, "AWS formula", 0);
            let mut delays = self.backoff().delays();
            let mut previous = BASE as f64;
            for (place, drawn) in places.iter_mut().enumerate() {
                let (low, high) = self.bounds(place as u32 + 1, previous);
                let delay = delays.next(&mut stream).as_micros() as f64 / 1e3;
                if delay < low - 1e-3 || delay > high + 1e-3 {
                    let n = place + 1;
                    differences.0.push(format!("n = {n}: {delay} is not in {low}..{high}"));
                    return differences;
                }
                // At the cap, decorrelated jitter piles up.
                if high > low && high < CAP as f64 {
                    drawn.push((delay - low) / (high - low));
                }
                previous = delay;
            }
        }
        for (place, drawn) in places.iter().enumerate().filter(|(_, drawn)| drawn.len() > 500) {
            let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
            // Four standard errors of an even distribution.
            let tolerance = 4.0 / (12.0 * drawn.len() as f64).sqrt();
            differences.near(
                &format!("n = {}: mean place in the range", place + 1),
                0.5,
                mean,
                tolerance,
            );
        }
        differences
    }
}

/// A trace of failures (`F`) and successes (`S`), some of them repeated (`S x10`).
fn grpc(node: &Node<'_>) -> Result<Differences, Problem> {
    let example = node.need("example", "give it an example")?;
    let ratio = example.need("tokenRatio", "say what a success gives back")?.number()?;
    let max = example.need("maxTokens", "say how many tokens there are")?;
    let milli = (ratio * 1e3).round() as u32;
    let full = GrpcThrottle::new(max.whole()?, milli)
        .map_err(|error| max.problem(&error.to_string(), "use numbers that the proposal allows"))?;
    let mut throttle = full;
    let mut differences = Differences::default();
    for step in example.need("trace", "write a list of events")?.items()? {
        let event = step.need("ev", "name the event: F or S")?;
        let text = event.text()?;
        let (kind, times) = text.split_once(" x").unwrap_or((text, "1"));
        let times: u32 =
            times.parse().map_err(|_| event.problem("no number of times", "write it as S x10"))?;
        for _ in 0..times {
            match kind {
                "F" => {
                    throttle.failure();
                }
                "S" => throttle.success(),
                _ => return Err(event.problem("neither F nor S", "write F or S")),
            }
        }
        let token = (step.need("token", "say how many there are then")?.number()? * 1e3).round();
        differences.compare(
            &format!("{text}: thousandths"),
            &(token as u32),
            &throttle.tokens_milli(),
        );
        if let Some(retry) = step.get("retry") {
            let allowed = throttle.ruling() == Ruling::Allowed;
            differences.compare(&format!("{text}: retry"), &retry.truth()?, &allowed);
        }
    }
    if let Some(expected) = example.get("recover_successes_from_zero") {
        let mut empty = full;
        while empty.tokens_milli() > 0 {
            empty.failure();
        }
        let mut successes = 0;
        while empty.ruling() == Ruling::Denied {
            empty.success();
            successes += 1;
        }
        differences.compare("successes from nothing", &expected.whole()?, &successes);
    }
    Ok(differences)
}

fn finagle(node: &Node<'_>, cases: &mut Vec<Case>) -> Result<(), Problem> {
    if let Some(expected) = node.get("initial_balance_default") {
        cases.push(case("Finagle's default balance", || {
            let mut differences = Differences::default();
            let balance = FinagleBudget::standard().balance(SimTime::ZERO);
            differences.compare("balance", &expected.whole()?, &balance);
            Ok(differences)
        }));
    }
    let tolerance = node.get("tolerance").map_or(Ok(0.0), |node| node.number())?;
    let Some(rows) = node.get("cases") else { return Ok(()) };
    for row in rows.items()? {
        let value = |key| row.need(key, "give a time to live, a minimum, a share and the retries");
        let (ttl, min, pct) =
            (value("ttl")?.whole()?, value("min")?.whole()?, value("pct")?.number()?);
        let name = format!("Finagle {ttl} s, {min} a second, share {pct}");
        cases.push(case(name, || {
            let milli = (pct * 1e3).round() as u32;
            let ttl = SimDuration::from_secs(u64::from(ttl));
            let mut budget = FinagleBudget::new(ttl, min, milli).map_err(|error| {
                row.problem(&error.to_string(), "use numbers that the product allows")
            })?;
            let mut retried = 0;
            for _ in 0..10_000 {
                budget.deposit(SimTime::ZERO);
                retried += u32::from(budget.withdraw(SimTime::ZERO) == Ruling::Allowed);
            }
            let mut differences = Differences::default();
            let expected = value("retried")?.number()?;
            differences.near("retried", expected, f64::from(retried), tolerance);
            Ok(differences)
        }));
    }
    Ok(())
}

/// "… 3 attempts x 3 layers = 27 …"
fn amplification(node: &Node<'_>) -> Result<Differences, Problem> {
    let rule = node.need("rule", "write the sentence")?;
    let words: Vec<&str> = rule.text()?.split_whitespace().collect();
    let example = words.windows(7).find_map(|words| match words {
        [attempts, "attempts", "x", layers, "layers", "=", calls] => {
            Some((attempts.parse().ok()?, layers.parse().ok()?, calls.parse().ok()?))
        }
        _ => None,
    });
    let Some((attempts, layers, calls)) = example else {
        return Err(rule.problem("no example", "write it as in \"3 attempts x 3 layers = 27\""));
    };
    let mut differences = Differences::default();
    let worst: Vec<u64> = worst_case(&vec![attempts; layers]);
    differences.compare("calls at the bottom", &Some(&calls), &worst.last());
    Ok(differences)
}
