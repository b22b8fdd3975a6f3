//! Virtual time: how it is told, and how it is reckoned with.

use sim::{SimDuration, SimTime};

const fn micros(micros: u64) -> SimDuration {
    SimDuration::from_micros(micros)
}

#[test]
fn times_are_told_in_seconds_without_trailing_zeros() {
    let rows = [
        (0, "0 s"),
        (1, "0.000001 s"),
        (100_000, "0.1 s"),
        (600_000, "0.6 s"),
        (1_000_000, "1 s"),
        (10_000_000, "10 s"),
        (34_200_000, "34.2 s"),
        (12_345_678, "12.345678 s"),
        (1_000_010, "1.00001 s"),
        (u64::MAX, "18446744073709.551615 s"),
    ];
    for (us, told) in rows {
        assert_eq!(SimTime::from_micros(us).to_string(), told);
        assert_eq!(micros(us).to_string(), told);
    }
    assert_eq!(format!("[{:>8}]", micros(600_000)), "[   0.6 s]");
}

#[test]
fn percentages_round_to_the_nearest_microsecond() {
    let rows = [
        (600_000, 300, 1_800_000),
        (600_000, 100, 600_000),
        (600_000, 0, 0),
        (1, 50, 1),
        (1, 49, 0),
        (3, 150, 5),
        (10, 333, 33),
        (u64::MAX, 100, u64::MAX),
        (u64::MAX, 101, u64::MAX),
    ];
    for (us, percent, expected) in rows {
        assert_eq!(micros(us).mul_percent(percent), micros(expected), "{us} µs × {percent} %");
    }
}

#[test]
fn floats_become_the_nearest_length() {
    let rows = [
        (0.0, 0),
        (0.49, 0),
        (0.5, 1),
        (1.4, 1),
        (1e15 + 0.6, 1_000_000_000_000_001),
        (-3.0, 0),
        (f64::NAN, 0),
        (f64::NEG_INFINITY, 0),
        (f64::INFINITY, u64::MAX),
        (1e30, u64::MAX),
    ];
    for (float, expected) in rows {
        assert_eq!(SimDuration::from_micros_f64(float), micros(expected), "{float}");
    }
}

#[test]
fn sums_saturate_and_differences_do_not_hide() {
    let (early, late) = (SimTime::from_secs(1), SimTime::from_millis(2_500));
    assert_eq!(late - early, SimDuration::from_millis(1_500));
    assert_eq!(early.saturating_since(late), SimDuration::ZERO);
    assert_eq!(early.checked_since(late), None);
    assert_eq!(SimTime::MAX + micros(1), SimTime::MAX);
    assert_eq!(SimTime::MAX.checked_add(micros(1)), None);
    assert_eq!(SimTime::ZERO.checked_sub(micros(1)), None);
    assert_eq!(SimTime::ZERO.saturating_sub(micros(1)), SimTime::ZERO);
    assert_eq!(SimDuration::MAX + micros(1), SimDuration::MAX);
    assert_eq!(micros(7) / 2, micros(3));
    assert_eq!(micros(7) * 3, micros(21));
    assert_eq!(SimTime::from_secs(u64::MAX), SimTime::MAX);
    assert_eq!([micros(1), micros(2)].into_iter().sum::<SimDuration>(), micros(3));
}

#[test]
#[should_panic(expected = "2.5 s is later than 1 s: a duration cannot be negative")]
fn a_negative_difference_is_a_mistake() {
    let _ = SimTime::from_secs(1) - SimTime::from_millis(2_500);
}
