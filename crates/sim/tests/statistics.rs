//! Statistics against sums done by hand.

use proptest::prelude::*;
use sim::statistics::{Histogram, Littles, StepSeries, Tally, TimeWeighted};
use sim::{SimDuration, SimTime};

fn at(secs: u64) -> SimTime {
    SimTime::from_secs(secs)
}

#[test]
fn a_tally_has_mean_variance_and_extremes() {
    let mut tally = Tally::new();
    assert_eq!((tally.mean(), tally.variance(), tally.min(), tally.max()), (0.0, 0.0, None, None));
    for value in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
        tally.record(value);
    }
    assert_eq!((tally.count(), tally.mean()), (8, 5.0));
    assert!((tally.variance() - 32.0 / 7.0).abs() < 1e-12);
    assert!((tally.standard_deviation() - libm::sqrt(32.0 / 7.0)).abs() < 1e-12);
    assert_eq!((tally.min(), tally.max()), (Some(2.0), Some(9.0)));
}

#[test]
fn a_tally_does_not_lose_small_differences_between_large_values() {
    let mut tally = Tally::new();
    for value in [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0] {
        tally.record(value);
    }
    assert_eq!((tally.mean(), tally.variance()), (1e9 + 10.0, 30.0));
    let mut lengths = Tally::new();
    lengths.record_duration(SimDuration::from_millis(3));
    assert_eq!(lengths.mean(), 3_000.0);
}

#[test]
fn a_mean_over_time_is_the_area_under_the_steps() {
    let mut depth = TimeWeighted::new(at(10), 0);
    assert_eq!(depth.mean(at(10)), 0.0);
    depth.set(at(12), 3);
    depth.set(at(16), 1);
    assert_eq!(depth.area(at(20)), 16_000_000);
    assert_eq!(depth.mean(at(20)), 1.6);
    assert_eq!((depth.level(), depth.max()), (1, 3));
    depth.set(at(20), 7);
    depth.set(at(20), 2);
    assert_eq!((depth.mean(at(20)), depth.max()), (1.6, 7));
}

#[test]
fn an_area_is_exact_where_a_product_of_halves_would_overflow() {
    let mut level = TimeWeighted::new(SimTime::ZERO, u32::MAX);
    level.set(SimTime::MAX, 0);
    assert_eq!(level.area(SimTime::MAX), u128::from(u32::MAX) * u128::from(u64::MAX));
}

#[test]
fn a_step_series_answers_at_any_time() {
    let mut series = StepSeries::new(100);
    for (time, level) in [(1, 5), (3, 5), (4, 2), (6, 9), (6, 7)] {
        series.push(at(time), level);
    }
    assert_eq!(series.points(), [(at(1), 5), (at(4), 2), (at(6), 7)]);
    let asked = [0, 1, 3, 4, 5, 6, 99].map(|time| series.value_at(at(time)));
    assert_eq!(asked, [None, Some(5), Some(5), Some(2), Some(2), Some(7), Some(7)]);
    assert_eq!((series.max(), series.thinned()), (Some(7), 0));
}

#[test]
#[should_panic(expected = "2 s is before the last point, 3 s")]
fn a_step_series_does_not_go_back() {
    let mut series = StepSeries::new(100);
    series.push(at(3), 1);
    series.push(at(2), 1);
}

#[test]
fn percentiles_are_exact_for_short_times_and_within_bounds_for_long_ones() {
    let mut histogram = Histogram::new();
    assert_eq!(histogram.percentile(50.0), None);
    for micros in 1..=100 {
        histogram.record(SimDuration::from_micros(micros));
    }
    let asked = [0.0, 1.0, 50.0, 95.0, 99.0, 99.5, 100.0];
    let found = asked.map(|percent| histogram.percentile(percent).unwrap().as_micros());
    assert_eq!(found, [1, 1, 50, 95, 99, 100, 100]);
    assert_eq!((histogram.count(), histogram.max()), (100, SimDuration::from_micros(100)));
}

#[test]
fn littles_law_counts_those_still_inside() {
    let mut littles = Littles::new(at(0));
    littles.arrive(at(0));
    littles.arrive(at(2));
    littles.depart(at(4), at(0));
    let check = littles.check(at(10), [at(2)]);
    // Inside: 1 until 2 s, 2 until 4 s, 1 until 10 s.
    assert_eq!((check.inside, check.arrivals_per_second), (1.2, 0.2));
    assert_eq!((check.seconds_inside, check.seconds_inside_departed), (6.0, 4.0));
    assert!(check.holds);
    assert_eq!((littles.inside(), littles.most_inside()), (1, 2));
}

#[test]
fn littles_law_finds_a_wrong_arrival_time() {
    let mut littles = Littles::new(at(0));
    littles.arrive(at(1));
    littles.depart(at(4), at(0));
    assert!(!littles.check(at(4), []).holds);
}

#[test]
fn littles_law_misses_who_is_left_out() {
    let mut littles = Littles::new(at(0));
    littles.arrive(at(5));
    assert!(!littles.check(at(6), []).holds);
    assert!(littles.check(at(6), [at(5)]).holds);
}

proptest! {
    #[test]
    fn a_percentile_is_off_by_at_most_one_in_256(
        micros in prop::collection::vec(0..u64::MAX / 2, 1..60),
        percent in 0.0..=100.0_f64,
    ) {
        let mut histogram = Histogram::new();
        for us in &micros {
            histogram.record(SimDuration::from_micros(*us));
        }
        let mut sorted = micros;
        sorted.sort_unstable();
        let rank = libm::ceil(percent / 100.0 * sorted.len() as f64).max(1.0) as usize;
        let exact = sorted[rank - 1];
        let found = histogram.percentile(percent).unwrap().as_micros();
        prop_assert!(found.abs_diff(exact) <= exact / 256, "{found} for {exact}");
    }

    #[test]
    fn a_thinned_series_keeps_extremes_and_ends(
        levels in prop::collection::vec(0..1_000_u32, 1..400),
        limit in 0..60_usize,
    ) {
        let mut series = StepSeries::new(limit);
        let mut pushed: Vec<u32> = Vec::new();
        for (time, level) in levels.iter().enumerate() {
            series.push(at(time as u64), *level);
            if pushed.last() != Some(level) {
                pushed.push(*level);
            }
        }
        let kept: Vec<u32> = series.points().iter().map(|(_, level)| *level).collect();
        prop_assert!(kept.len() <= limit.max(12));
        prop_assert_eq!(kept.iter().max(), pushed.iter().max());
        prop_assert_eq!(kept.iter().min(), pushed.iter().min());
        prop_assert_eq!(kept.last(), pushed.last());
        prop_assert_eq!(series.value_at(at(u64::MAX / 2_000_000)), pushed.last().copied());
        prop_assert!(series.points().is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn littles_law_holds_on_every_path(stays in prop::collection::vec((0..100_u64, 0..100_u64), 0..40)) {
        let mut happenings: Vec<(u64, bool, u64)> = Vec::new();
        for (arrived, stay) in stays {
            happenings.push((arrived, true, arrived));
            happenings.push((arrived + stay, false, arrived));
        }
        happenings.sort_by_key(|(time, arrives, _)| (*time, !arrives));
        let mut littles = Littles::new(at(0));
        let mut still_inside = Vec::new();
        let end = 90;
        for (time, arrives, arrived) in happenings.into_iter().filter(|(time, ..)| *time <= end) {
            if arrives {
                littles.arrive(at(time));
                still_inside.push(at(arrived));
            } else {
                littles.depart(at(time), at(arrived));
                let gone = still_inside.iter().position(|inside| *inside == at(arrived));
                still_inside.remove(gone.expect("who leaves has arrived"));
            }
        }
        let check = littles.check(at(end), still_inside);
        prop_assert!(check.holds);
        let product = check.arrivals_per_second * check.seconds_inside;
        prop_assert!((check.inside - product).abs() < 1e-9, "{check:?}");
    }
}
