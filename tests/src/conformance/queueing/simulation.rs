//! Stations simulated in replications, and their means held to the theory.

use sim::models::{Report, Station};
use sim::{SimDuration, Stream, Times};

use super::formulas::Predicted;
use crate::conformance::Verdict;

const REPLICATIONS: u64 = 16;
/// Student's distribution with 15 degrees of freedom is beyond this, either way, once in a thousand.
const STANDARD_ERRORS: f64 = 4.07;
/// What the histogram may add to the error of a percentile.
const PERCENTILE_ERROR: f64 = 0.004;
/// The relative half width, at 95 %, that the length of the runs is planned for.
const HALF_WIDTH: f64 = 0.05;
/// The most customers of all replications together.
const CUSTOMERS_MAX: f64 = 6e6;
const MICROS: f64 = 1e6;

/// A station to simulate, with rates in events a second.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    lam: f64,
    station: Station,
    service: Service,
}

/// A distribution of service times, with times in seconds.
#[derive(Clone, Debug)]
pub(super) enum Service {
    Constant {
        mean: f64,
    },
    Uniform {
        max: f64,
    },
    Exponential {
        mean: f64,
    },
    /// The sum of so many exponential phases.
    Erlang {
        phases: u32,
        mean: f64,
    },
    LogNormal {
        median: f64,
        p99: f64,
    },
    /// One of two means, each exponential; the first with chance `p`.
    HyperExponential {
        p: f64,
        means: [f64; 2],
    },
    /// One of two constants; the first with chance `p`.
    Bimodal {
        p: f64,
        values: [f64; 2],
    },
}

impl Service {
    /// The distribution that a row of the vectors names.
    pub fn named(name: &str, mean: f64) -> Option<Self> {
        let kind = name.split([' ', '(', '-']).next()?;
        Some(match kind {
            "deterministic" => Self::Constant { mean },
            "exponential" => Self::Exponential { mean },
            "uniform" => Self::Uniform { max: 2.0 * mean },
            "erlang" => Self::Erlang { phases: name.strip_prefix("erlang-")?.parse().ok()?, mean },
            "lognormal" if name.contains("sigma=1 ") => {
                let median = mean * (-0.5_f64).exp();
                Self::LogNormal { median, p99: median * 2.326_347_874_040_841_f64.exp() }
            }
            "hyperexp" if name.contains("cs2=4 ") => {
                // Balanced means: both kinds take half of the time.
                let p = (1.0 + (3.0_f64 / 5.0).sqrt()) / 2.0;
                Self::HyperExponential { p, means: [mean / (2.0 * p), mean / (2.0 * (1.0 - p))] }
            }
            "bimodal" if name.contains("99% 10ms / 1% 1s") => {
                Self::Bimodal { p: 0.99, values: [0.01, 1.0] }
            }
            _ => return None,
        })
    }

    fn sample(&self, stream: &mut Stream) -> SimDuration {
        let exponential =
            |mean: f64, stream: &mut Stream| Times::Exponential { mean: time(mean) }.sample(stream);
        match *self {
            Self::Constant { mean } => time(mean),
            Self::Uniform { max } => {
                Times::Uniform { min: SimDuration::ZERO, max: time(max) }.sample(stream)
            }
            Self::Exponential { mean } => exponential(mean, stream),
            Self::Erlang { phases, mean } => {
                (0..phases).map(|_| exponential(mean / f64::from(phases), stream)).sum()
            }
            Self::LogNormal { median, p99 } => {
                Times::LogNormal { median: time(median), p99: time(p99) }.sample(stream)
            }
            Self::HyperExponential { p, means } => {
                let mean = means[usize::from(stream.unit() >= p)];
                exponential(mean, stream)
            }
            Self::Bimodal { p, values } => time(values[usize::from(stream.unit() >= p)]),
        }
    }

    fn mean(&self) -> f64 {
        match *self {
            Self::Constant { mean } | Self::Exponential { mean } | Self::Erlang { mean, .. } => {
                mean
            }
            Self::Uniform { max } => max / 2.0,
            Self::LogNormal { median, .. } => median * 0.5_f64.exp(),
            Self::HyperExponential { p, means: [a, b] } | Self::Bimodal { p, values: [a, b] } => {
                p * a + (1.0 - p) * b
            }
        }
    }
}

impl Setup {
    pub fn new(lam: f64, servers: u32, service: Service) -> Self {
        Self { lam, station: Station { servers, room: None }, service }
    }

    pub fn with_room(self, room: u32) -> Self {
        Self { station: Station { room: Some(room), ..self.station }, ..self }
    }

    /// Why this is not for a test, if it would take too long.
    pub fn too_long(&self) -> Option<String> {
        let customers = self.customers();
        let why = || format!("about {customers:.0} customers would be needed at this load");
        (customers > CUSTOMERS_MAX).then(why)
    }

    /// Simulates, and holds what both the theory and the simulation know to each other.
    pub fn check(&self, predicted: &Predicted) -> Verdict {
        let replications: Vec<Report> =
            (0..REPLICATIONS).map(|seed| self.replicate(seed)).collect();
        if replications.iter().any(|report| !report.littles.holds) {
            return Verdict::Fail("Little's law does not hold".to_owned());
        }
        for (name, theory) in predicted {
            let values: Option<Vec<f64>> =
                replications.iter().map(|report| measure(name, report)).collect();
            let Some(values) = values else { continue };
            let (mean, error) = mean_and_error(&values);
            let histogram = if name.starts_with('p') { PERCENTILE_ERROR * theory } else { 0.0 };
            let allowed = STANDARD_ERRORS * error + histogram + self.edges() * theory;
            if (mean - theory).abs() > allowed {
                return Verdict::Fail(format!("{name} is {mean}, not {theory} ± {allowed}"));
            }
        }
        Verdict::Pass
    }

    /// The share of a replication that a station with room spends filling up from empty, which it
    /// does at the difference of its rates, and emptying at the end.
    fn edges(&self) -> f64 {
        let Some(room) = self.station.room.map(f64::from) else { return 0.0 };
        let mu = 1.0 / self.service.mean();
        let filling = room / (self.lam - mu).abs().max(mu / room);
        filling / (self.customers() / REPLICATIONS as f64 / self.lam)
    }

    fn replicate(&self, seed: u64) -> Report {
        let gap = Times::Exponential { mean: time(1.0 / self.lam) };
        let customers = (self.customers() / REPLICATIONS as f64) as u64;
        let service = |stream: &mut Stream| self.service.sample(stream);
        self.station.run(customers, seed, |stream| gap.sample(stream), service)
    }

    /// Whitt's length of run for the number in an M/M/1 station, not less than keeps what is left
    /// of the empty start small.
    fn customers(&self) -> f64 {
        let offered = self.lam * self.service.mean();
        let rho = match self.station.room {
            Some(_) => 0.9,
            None => offered / f64::from(self.station.servers),
        };
        let times = 2.0 * (1.0 + rho) / (rho * (1.0 - rho) * (1.0 - rho));
        let half_widths = (1.96 / HALF_WIDTH) * (1.96 / HALF_WIDTH);
        (half_widths * times).max(320_000.0)
    }
}

/// What a replication says about a value of the theory.
fn measure(name: &str, report: &Report) -> Option<f64> {
    let stay =
        |percent: f64| report.sojourn_times.percentile(percent).map(SimDuration::as_secs_f64);
    match name {
        "rho" => Some(report.utilisation),
        "L" => Some(report.littles.inside),
        "Lq" => Some(report.waiting),
        "W" => Some(report.sojourns.mean() / MICROS),
        "Wq" => Some(report.waits.mean() / MICROS),
        "p50_W" => stay(50.0),
        "p95_W" => stay(95.0),
        "p99_W" => stay(99.0),
        "P_block" => Some(report.turned_away as f64 / report.arrived as f64),
        "lam_eff" | "throughput" => Some(report.served as f64 / report.ended.as_secs_f64()),
        _ => None,
    }
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

fn time(seconds: f64) -> SimDuration {
    SimDuration::from_micros_f64(seconds * MICROS)
}
