//! The M/M/1 benchmark natively: `mm1 CUSTOMERS SEED` prints events, seconds and the mean stay.

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [customers, seed] = numbers[..] else {
        eprintln!("usage: mm1 CUSTOMERS SEED");
        return ExitCode::from(2);
    };
    let start = Instant::now();
    let report = sim::models::mm1(customers, seed);
    let seconds = start.elapsed().as_secs_f64();
    println!("{{\"events\":{},\"seconds\":{seconds}}}", report.events);
    ExitCode::SUCCESS
}
