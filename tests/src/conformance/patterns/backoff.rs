//! AWS's simulation of backoff: clients that all want to update one row, and retry on a conflict.
//!
//! A file is `{ "rows": [ { "clients", "algorithm", "mean_time_ms", "sd_time", "mean_write_calls",
//! "sd_calls", "trials" } ] }`; the model is that of
//! `aws-samples/aws-arch-backoff-simulator:src/backoff_simulator.py`: a client reads the version,
//! writes with it, and if another was faster waits and reads again; every message travels for
//! |N(10 ms, 2 ms)|; base 5 ms, cap 2000 ms.
//!
//! A row is run 40 times and passes when both means lie within four standard errors of the recorded
//! ones, counting the spread of both samples. The seeds are fixed: a row passes always or never.

use patterns::retry::{Backoff, Delays, Jitter};
use sim::{Calendar, Rank, SimDuration, SimTime, Stream};

use super::retry::aws_backoff;
use super::{Case, Differences, Node, Problem, case};

const RUNS: u64 = 40;

pub(super) fn recognises(root: &Node<'_>) -> bool {
    let rows = root.get("rows").and_then(|rows| rows.items().ok());
    rows.and_then(|rows| {
        let first = rows.first()?;
        first.get("clients").and(first.get("algorithm"))
    })
    .is_some()
}

pub(super) fn replay(root: &Node<'_>) -> Result<Vec<Case>, Problem> {
    let rows = root.need("rows", "give it a list of rows")?.items()?;
    rows.iter()
        .map(|row| {
            let clients = row.need("clients", "say how many there are")?.whole()?;
            let algorithm = row.need("algorithm", "name it")?;
            let name = algorithm.text()?;
            Ok(case(format!("{name} with {clients} clients"), || check(row, clients, &algorithm)))
        })
        .collect()
}

fn check(row: &Node<'_>, clients: u32, algorithm: &Node<'_>) -> Result<Differences, Problem> {
    let jitter = |jitter| aws_backoff(jitter, 5, 2_000);
    let backoff = match algorithm.text()? {
        "none" => Backoff::NONE,
        "expo" => jitter(Jitter::None),
        "equal" => jitter(Jitter::Equal),
        "full" => jitter(Jitter::Full),
        "decorr" => jitter(Jitter::Decorrelated),
        _ => {
            let repair = "use none, expo, equal, full or decorr";
            return Err(algorithm.problem("no such algorithm", repair));
        }
    };
    let trials = row.need("trials", "say how many there were")?.number()?;
    let runs: Vec<_> = (0..RUNS).map(|seed| run(clients, backoff, seed)).collect();
    let mut differences = Differences::default();
    let columns: [(&str, &str, Measure); 2] = [
        ("mean_time_ms", "sd_time", |run| run.time.as_micros() as f64 / 1e3),
        ("mean_write_calls", "sd_calls", |run| f64::from(run.writes)),
    ];
    for (mean, deviation, of) in columns {
        let expected = row.need(mean, "write the mean")?.number()?;
        let recorded = row.need(deviation, "write the standard deviation")?.number()?;
        let values: Vec<f64> = runs.iter().map(of).collect();
        let actual = values.iter().sum::<f64>() / RUNS as f64;
        let squares = values.iter().map(|value| (value - actual) * (value - actual));
        let variance = squares.sum::<f64>() / (RUNS - 1) as f64;
        let error = (recorded * recorded / trials + variance / RUNS as f64).sqrt();
        // The means are given with one decimal.
        differences.near(mean, expected, actual, 4.0 * error + 0.1);
    }
    Ok(differences)
}

type Measure = fn(&Run) -> f64;

/// One trial: when the last client was done, and how many writes were tried.
struct Run {
    time: SimTime,
    writes: u32,
}

#[derive(Clone, Copy)]
enum Message {
    /// To the server: tell me the version.
    Read,
    /// To the client: this is it.
    Version(u32),
    /// To the server: write, if this is still it.
    Write(u32),
    /// To the client: another was faster.
    Conflict,
    /// To the client: it is written.
    Written,
}

struct Client {
    delays: Delays,
    stream: Stream,
}

fn run(clients: u32, backoff: Backoff, seed: u64) -> Run {
    let mut net = Net { stream: Stream::new(seed, "net", 0) };
    let mut calendar: Calendar<(usize, Message)> = Calendar::new();
    let mut crowd = Vec::new();
    for client in 0..clients as usize {
        let stream = Stream::new(seed, "client", client as u64);
        crowd.push(Client { delays: backoff.delays(), stream });
        calendar.schedule(SimTime::ZERO + net.delay(), Rank::Arrival, (client, Message::Read));
    }
    let (mut version, mut writes, mut time) = (0, 0, SimTime::ZERO);
    while let Some((now, (client, message))) = calendar.pop() {
        time = now;
        let mut at = now + net.delay();
        let next = match message {
            Message::Read => Message::Version(version),
            Message::Version(seen) => Message::Write(seen),
            Message::Write(seen) => {
                writes += 1;
                if seen == version {
                    version += 1;
                    Message::Written
                } else {
                    Message::Conflict
                }
            }
            Message::Conflict => {
                let Client { delays, stream } = &mut crowd[client];
                at += delays.next(stream);
                Message::Read
            }
            Message::Written => continue,
        };
        calendar.schedule(at, Rank::Arrival, (client, next));
    }
    Run { time, writes }
}

struct Net {
    stream: Stream,
}

impl Net {
    /// |N(10 ms, 2 ms)|, by Box and Muller.
    fn delay(&mut self) -> SimDuration {
        let radius = (-2.0 * self.stream.positive_unit().ln()).sqrt();
        let angle = std::f64::consts::TAU * self.stream.unit();
        SimDuration::from_micros_f64((10_000.0 + 2_000.0 * radius * angle.cos()).abs())
    }
}
