//! Counters by slices.

use super::*;

fn ms(ms: u64) -> SimTime {
    SimTime::from_micros(ms * 1_000)
}

#[test]
fn a_counter_grows_by_slices() {
    let counts = [(0, 0), (50, 3), (99, 5), (100, 6), (350, 7)];
    let steps = counts.map(|(at, count)| (ms(at), Level::Count(count))).to_vec();
    let per = Series { steps }.per(SimDuration::from_millis(100), ms(500));
    let levels: Vec<f64> = (0..5).map(|slice| per.value_at(ms(slice * 100))).collect();
    assert_eq!(levels, [5.0, 1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a_long_run_has_long_slices() {
    let series = Series { steps: vec![(SimTime::ZERO, Level::Count(0)), (ms(1), Level::Count(1))] };
    let per = series.per(SimDuration::from_micros(1), SimTime::from_secs(86_400));
    assert!(per.steps().len() <= 3, "nothing changes after the first slice");
    assert!((per.value_at(SimTime::ZERO) - 1.0).abs() < f64::EPSILON);
    assert_eq!(series.per(SimDuration::from_secs(1), SimTime::ZERO).steps().len(), 1);
}
