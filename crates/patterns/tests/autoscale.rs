//! The rules of autoscaling, over a fluid queue: the course's 1,000 messages a second, workers of 100
//! a second that take a minute to start, a look every 30 s.

use patterns::autoscale::{Autoscaler, Change, Load, Settings, Signal};
use sim::{SimDuration, SimTime};

const ARRIVALS: u64 = 1_000;
const EACH: u64 = 100;
const DEPTH: Signal = Signal::Depth { above: 5_000, below: 500, step: 5 };
const PER_WORKER: Signal = Signal::BacklogPerWorker { acceptable: 500, utilization_percent: 95 };

const fn secs(secs: u64) -> SimDuration {
    SimDuration::from_secs(secs)
}

fn settings(signal: Signal) -> Settings {
    Settings {
        signal,
        min: 5,
        max: 20,
        period: secs(30),
        start_up: secs(60),
        cooldown: SimDuration::ZERO,
    }
}

#[derive(Debug, Default)]
struct Report {
    reversals: u32,
    peak: u64,
    /// The peak of the second half of the hour.
    late_peak: u64,
    fewest: u32,
    most: u32,
    last: u32,
}

fn hour(signal: Signal) -> Report {
    let mut scaler = Autoscaler::new(settings(signal), 5, SimTime::ZERO);
    let mut report = Report { fewest: u32::MAX, ..Report::default() };
    let mut depth = 0_u64;
    for second in 0..3_600 {
        let load = Load {
            depth,
            age: SimDuration::from_micros(depth * 1_000_000 / ARRIVALS),
            arrived: ARRIVALS * 30,
            each_handles: EACH * 30,
        };
        scaler.advance(SimTime::from_secs(second), load, &mut Vec::new());
        depth = (depth + ARRIVALS).saturating_sub(u64::from(scaler.working()) * EACH);
        report.peak = report.peak.max(depth);
        if second >= 1_800 {
            report.late_peak = report.late_peak.max(depth);
            report.fewest = report.fewest.min(scaler.working());
            report.most = report.most.max(scaler.working());
        }
    }
    report.reversals = scaler.reversals();
    report.last = scaler.working();
    report
}

#[test]
fn a_rule_on_depth_swings_and_one_on_backlog_a_worker_settles() {
    // The course counts 23 turns and a late peak of 44,500; how a look and a start-up at the same
    // instant are ordered moves both a little.
    let depth = hour(DEPTH);
    assert!((23..=30).contains(&depth.reversals), "{depth:?}");
    assert!((44_000..=46_000).contains(&depth.late_peak), "{depth:?}");
    assert_eq!((depth.fewest, depth.most), (5, 20), "{depth:?}");
    let per_worker = hour(PER_WORKER);
    assert_eq!((per_worker.reversals, per_worker.last), (1, 11), "{per_worker:?}");
    assert_eq!((per_worker.peak, per_worker.late_peak), (30_000, 0), "{per_worker:?}");
}

/// Looks every 30 s at this load, and tells how many workers it wants.
fn wants(signal: Signal, load: Load, workers: u32) -> u32 {
    let mut scaler = Autoscaler::new(settings(signal), workers, SimTime::ZERO);
    scaler.advance(SimTime::ZERO, load, &mut Vec::new());
    scaler.wanted()
}

const CALM: Load = Load { depth: 1_000, age: secs(5), arrived: 0, each_handles: 3_000 };

#[test]
fn each_signal_has_its_bounds() {
    let depth = |depth| Load { depth, ..CALM };
    let age = |age| Load { age: secs(age), ..CALM };
    let by_age = Signal::Age { above: secs(60), below: secs(1), step: 2 };
    let backlog = |depth, arrived| Load { depth, arrived, ..CALM };
    let rows = [
        (DEPTH, depth(5_000), 10, 10),
        (DEPTH, depth(5_001), 10, 15),
        (DEPTH, depth(500), 10, 10),
        (DEPTH, depth(499), 10, 5),
        (DEPTH, depth(9_999), 18, 20),
        (DEPTH, depth(0), 7, 5),
        (by_age, age(60), 10, 10),
        (by_age, age(61), 10, 12),
        (by_age, age(1), 10, 10),
        (by_age, age(0), 10, 8),
        (PER_WORKER, backlog(0, 0), 10, 5),
        (PER_WORKER, backlog(4_000, 0), 10, 8),
        (PER_WORKER, backlog(4_001, 0), 10, 9),
        (PER_WORKER, backlog(0, 28_500), 10, 10),
        (PER_WORKER, backlog(0, 28_501), 10, 11),
        (PER_WORKER, backlog(100_000, 0), 10, 20),
    ];
    for (signal, load, workers, expected) in rows {
        assert_eq!(wants(signal, load, workers), expected, "{signal:?} {load:?}");
    }
}

#[test]
fn a_worker_works_after_its_start_up_and_leaves_before_those_at_work() {
    let mut scaler = Autoscaler::new(settings(DEPTH), 5, SimTime::ZERO);
    let mut told = Vec::new();
    let mut at = |seconds, depth| {
        let mut changes = Vec::new();
        scaler.advance(SimTime::from_secs(seconds), Load { depth, ..CALM }, &mut changes);
        told.push((seconds, changes, scaler.working()));
        scaler.next_deadline()
    };
    assert_eq!(at(0, 9_000), SimTime::from_secs(30));
    at(30, 9_000);
    at(59, 9_000);
    assert_eq!(at(60, 100), SimTime::from_secs(90));
    at(90, 1_000);
    let expected = [
        (0, vec![Change::Added(5)], 5),
        (30, vec![Change::Added(5)], 5),
        (59, vec![], 5),
        // The first five have started; those of 30 s are the ones that go.
        (60, vec![Change::Started(5), Change::Removed(5)], 10),
        (90, vec![], 10),
    ];
    assert_eq!(told, expected);
}

#[test]
fn nothing_is_done_while_it_cools_down() {
    let settings = Settings { cooldown: secs(100), ..settings(DEPTH) };
    let mut scaler = Autoscaler::new(settings, 5, SimTime::ZERO);
    let wanted = [0, 30, 60, 90, 120].map(|seconds| {
        let load = Load { depth: 9_000, ..CALM };
        scaler.advance(SimTime::from_secs(seconds), load, &mut Vec::new());
        scaler.wanted()
    });
    assert_eq!(wanted, [10, 10, 10, 10, 15]);
}
