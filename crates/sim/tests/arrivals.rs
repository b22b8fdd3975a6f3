//! Arrival processes: when things come, and when no more do.

use sim::{ArrivalClock, Arrivals, PerSecond, RateError, SimDuration, SimTime, Stream};

/// The first arrivals, at most six, in microseconds.
fn first(arrivals: Arrivals) -> Vec<u64> {
    let mut clock = ArrivalClock::new(arrivals);
    let mut stream = Stream::new(7, "arrivals", 0);
    let times = std::iter::from_fn(|| clock.next(&mut stream));
    times.take(6).map(SimTime::as_micros).collect()
}

fn rate(per_second: f64) -> PerSecond {
    PerSecond::new(per_second).expect("a rate")
}

#[test]
fn arrivals_by_schedule_and_at_a_constant_rate() {
    let secs = SimTime::from_secs;
    let rows: [(Arrivals, &[u64]); 8] = [
        (Arrivals::Schedule(vec![]), &[]),
        (Arrivals::Schedule(vec![secs(1), secs(1), secs(4)]), &[1_000_000, 1_000_000, 4_000_000]),
        (Arrivals::Schedule(vec![secs(4), secs(1)]), &[4_000_000, 4_000_000]),
        (
            Arrivals::Every { first: secs(0), interval: SimDuration::from_secs(2), count: Some(3) },
            &[0, 2_000_000, 4_000_000],
        ),
        (
            Arrivals::Every { first: secs(9), interval: SimDuration::from_secs(2), count: Some(0) },
            &[],
        ),
        (
            // A third of a second is no whole number of microseconds, and yet nothing drifts.
            Arrivals::Constant { per_second: rate(3.0), from: secs(1), until: None, count: None },
            &[1_000_000, 1_333_333, 1_666_667, 2_000_000, 2_333_333, 2_666_667],
        ),
        (
            Arrivals::Constant {
                per_second: rate(2.0),
                from: secs(1),
                until: Some(secs(2)),
                count: None,
            },
            &[1_000_000, 1_500_000],
        ),
        (
            Arrivals::Constant {
                per_second: rate(2.0),
                from: secs(1),
                until: Some(secs(9)),
                count: Some(1),
            },
            &[1_000_000],
        ),
    ];
    for (arrivals, expected) in rows {
        assert_eq!(first(arrivals.clone()), expected, "{arrivals:?}");
    }
}

#[test]
fn poisson_arrivals_are_golden_and_stop_as_told() {
    let poisson = |until, count| Arrivals::Poisson {
        per_second: rate(30.0),
        from: SimTime::from_secs(10),
        until,
        count,
    };
    let golden = [10_014_189, 10_031_654, 10_045_005, 10_134_751, 10_154_051, 10_165_044];
    assert_eq!(first(poisson(None, None)), golden);
    assert_eq!(first(poisson(None, Some(2))), golden[..2]);
    assert_eq!(first(poisson(Some(SimTime::from_micros(golden[3])), None)), golden[..3]);
    assert_eq!(first(poisson(Some(SimTime::from_micros(golden[3] + 1)), None)), golden[..4]);
}

/// Counts in seconds: mean and variance are both the rate, within 4.5 standard errors.
#[test]
fn poisson_counts_have_mean_and_variance_of_the_rate() {
    let (per_second, seconds) = (30.0, 4_000_usize);
    let until = Some(SimTime::from_secs(seconds as u64));
    let arrivals =
        Arrivals::Poisson { per_second: rate(per_second), from: SimTime::ZERO, until, count: None };
    let (mut clock, mut stream) = (ArrivalClock::new(arrivals), Stream::new(1, "counts", 0));
    let mut counts = vec![0.0; seconds];
    while let Some(at) = clock.next(&mut stream) {
        counts[(at.as_micros() / 1_000_000) as usize] += 1.0;
    }
    let n = seconds as f64;
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    assert!((mean - per_second).abs() < 4.5 * libm::sqrt(per_second / n), "mean {mean}");
    let error = per_second * libm::sqrt(2.0 / n);
    assert!((variance - per_second).abs() < 4.5 * error, "variance {variance}");
}

#[test]
fn a_clock_knows_how_many_came_and_how_many_come() {
    let every = Arrivals::Every {
        first: SimTime::ZERO,
        interval: SimDuration::from_secs(1),
        count: Some(2),
    };
    let (mut clock, mut stream) = (ArrivalClock::new(every), Stream::new(1, "x", 0));
    let untouched = stream.clone();
    assert_eq!((clock.drawn(), clock.total()), (0, Some(2)));
    while clock.next(&mut stream).is_some() {}
    assert_eq!((clock.drawn(), clock.total()), (2, Some(2)));
    assert_eq!(stream, untouched, "a constant rate draws nothing");
    let schedule = ArrivalClock::new(Arrivals::Schedule(vec![SimTime::ZERO; 5]));
    assert_eq!(schedule.total(), Some(5));
    let (per_second, from) = (rate(1.0), SimTime::ZERO);
    let endless = Arrivals::Poisson { per_second, from, until: Some(from), count: Some(3) };
    assert_eq!(ArrivalClock::new(endless).total(), None);
}

#[test]
fn rates_are_held_to_their_range() {
    for wrong in [0.0, -1.0, -0.0, f64::NEG_INFINITY] {
        assert_eq!(PerSecond::new(wrong), Err(RateError::NotPositive(wrong)));
    }
    assert!(matches!(PerSecond::new(f64::NAN), Err(RateError::NotPositive(_))));
    assert_eq!(PerSecond::new(1e6), Ok(PerSecond::MAX));
    assert_eq!(PerSecond::new(1_000_001.0), Err(RateError::TooFast(1_000_001.0)));
    assert_eq!(rate(4.0).interval(), SimDuration::from_millis(250));
    let words = RateError::NotPositive(-1.0).to_string();
    assert_eq!(words, "a rate must be above 0 a second, not -1");
}
