//! The closed forms.
//!
//! Kleinrock, *Queueing Systems*, volume 1 (1975): M/M/1 (3.2), M/M/c (3.5), M/M/1/K (3.6),
//! M/G/1 by Pollaczek and Khinchine (5.6). Rates are per unit of time, and so are the results. What
//! `sim` knows itself is asked there, so that its forms are held to the vectors.

use sim::models::theory::{backlog, drain, erlang_b, erlang_c, mean_wait};

/// Values that a theory predicts, by the names that the vectors use.
pub(super) type Predicted = Vec<(&'static str, f64)>;

/// One server, Poisson arrivals, exponential service.
pub(super) fn mm1(lam: f64, mu: f64) -> Predicted {
    let (rho, spare) = (lam / mu, mu - lam);
    let percentile = |percent: f64| -(1.0 - percent / 100.0).ln() / spare;
    vec![
        ("rho", rho),
        ("L", rho / (1.0 - rho)),
        ("Lq", rho * rho / (1.0 - rho)),
        ("W", 1.0 / spare),
        ("Wq", rho / spare),
        ("p50_W", percentile(50.0)),
        ("p95_W", percentile(95.0)),
        ("p99_W", percentile(99.0)),
        ("P_empty", 1.0 - rho),
        ("P_n_ge_10", rho.powi(10)),
    ]
}

/// c servers, Poisson arrivals, exponential service.
pub(super) fn mmc(c: u32, lam: f64, mu: f64) -> Predicted {
    let offered = lam / mu;
    let rho = offered / f64::from(c);
    let erlang_b = erlang_b(c, offered);
    let erlang_c = erlang_c(c, offered).unwrap_or(f64::NAN);
    let spare = f64::from(c) * mu - lam;
    let wait = mean_wait(c, lam, 1.0 / mu).unwrap_or(f64::NAN);
    let percentile = |percent: f64| (erlang_c / (1.0 - percent / 100.0)).ln().max(0.0) / spare;
    vec![
        ("offered", offered),
        ("rho", rho),
        ("erlang_B", erlang_b),
        ("erlang_C", erlang_c),
        ("Wq", wait),
        ("W", wait + 1.0 / mu),
        ("Lq", lam * wait),
        ("L", lam * (wait + 1.0 / mu)),
        ("p95_Wq", percentile(95.0)),
        ("p99_Wq", percentile(99.0)),
    ]
}

/// One server, Poisson arrivals, service of mean `mean` and squared coefficient of variation `cs2`.
pub(super) fn mg1(lam: f64, mean: f64, cs2: f64) -> Predicted {
    let rho = lam * mean;
    let wait = rho / (1.0 - rho) * (1.0 + cs2) / 2.0 * mean;
    let stay = wait + mean;
    vec![("rho", rho), ("Wq", wait), ("W", stay), ("Lq", lam * wait), ("L", lam * stay)]
}

/// One server, Poisson arrivals, exponential service, room for k.
pub(super) fn mm1k(lam: f64, mu: f64, k: u32) -> Predicted {
    let rho = lam / mu;
    let weights: Vec<f64> = (0..=k).map(|n| rho.powi(n as i32)).collect();
    let whole: f64 = weights.iter().sum();
    let inside: f64 = weights.iter().enumerate().map(|(n, weight)| n as f64 * weight).sum();
    let (inside, blocked) = (inside / whole, weights[k as usize] / whole);
    let admitted = lam * (1.0 - blocked);
    vec![
        ("P_block", blocked),
        ("L", inside),
        ("lam_eff", admitted),
        ("W", inside / admitted),
        ("throughput", admitted),
    ]
}

/// A backlog that builds up while nothing is served, and then drains.
pub(super) fn fluid(lam: f64, capacity: f64, outage: f64) -> Predicted {
    let backlog = backlog(lam, 0.0, outage);
    let drain = drain(backlog, lam, capacity).unwrap_or(f64::NAN);
    vec![
        ("backlog", backlog),
        ("drain_s", drain),
        ("total_recovery_s", outage + drain),
        ("processed_during_drain", capacity * drain),
    ]
}
