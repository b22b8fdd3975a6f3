//! Streams and distributions: golden first outputs, the same on every platform, and shapes.
//!
//! A golden number that changes breaks every link and every golden trace: it is never "updated".

use rand_core::Rng;
use sim::{SimDuration, Stream, Times, TimesError};

const fn secs(secs: u64) -> SimDuration {
    SimDuration::from_secs(secs)
}

const fn millis(millis: u64) -> SimDuration {
    SimDuration::from_millis(millis)
}

#[test]
fn first_outputs_of_streams() {
    // Computed by a separate program from the published algorithms.
    let rows: [(u64, &str, u64, [u64; 3]); 6] = [
        (
            0,
            "",
            0,
            [1_290_946_985_979_278_527, 14_737_107_822_190_879_966, 11_048_344_777_718_426_290],
        ),
        (
            7,
            "arrivals",
            0,
            [15_420_439_843_430_830_055, 5_918_558_736_573_298_563, 12_666_105_346_526_051_553],
        ),
        (
            7,
            "arrivals",
            1,
            [197_333_224_837_774_838, 5_967_004_083_925_656_336, 4_843_676_997_986_903_303],
        ),
        (
            7,
            "latency",
            0,
            [8_984_712_803_397_775_517, 5_557_697_903_692_722_036, 6_225_346_843_248_336_050],
        ),
        (
            8,
            "arrivals",
            0,
            [766_336_625_172_913_683, 2_323_045_988_381_632_374, 9_237_582_562_317_469_926],
        ),
        (
            u64::MAX,
            "arrivals",
            u64::MAX,
            [3_547_430_844_615_697_792, 9_225_794_342_756_425_513, 15_227_952_009_872_009_043],
        ),
    ];
    for (seed, purpose, index, expected) in rows {
        let mut stream = Stream::new(seed, purpose, index);
        let outputs = [stream.bits(), stream.bits(), stream.bits()];
        assert_eq!(outputs, expected, "seed {seed}, {purpose:?} {index}");
    }
}

#[test]
fn first_samples_of_distributions() {
    let rows: [(&str, Times, [u64; 4]); 5] = [
        ("constant", Times::constant(millis(5)), [5_000; 4]),
        (
            "uniform",
            Times::uniform(secs(1), secs(3)).unwrap(),
            [1_497_096, 2_562_862, 2_871_731, 2_768_943],
        ),
        (
            "exponential",
            Times::exponential(secs(1)).unwrap(),
            [2_333_490, 485_254, 415_988, 3_931_423],
        ),
        (
            "log-normal",
            Times::log_normal(millis(400), secs(2)).unwrap(),
            [674_158, 756_411, 301_036, 499_289],
        ),
        (
            "list",
            Times::sample_of(&[millis(1), millis(2), millis(5)]).unwrap(),
            [2_000, 5_000, 2_000, 2_000],
        ),
    ];
    for (name, times, expected) in rows {
        let mut stream = Stream::new(7, name, 0);
        let samples = [(); 4].map(|()| times.sample(&mut stream).as_micros());
        assert_eq!(samples, expected, "{name}");
    }
}

#[test]
fn every_stream_is_its_own() {
    let mut firsts: Vec<u64> = Vec::new();
    for seed in 0..20 {
        for purpose in ["arrivals", "latency", "errors"] {
            firsts.extend((0..20).map(|index| Stream::new(seed, purpose, index).bits()));
        }
    }
    let streams = firsts.len();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), streams);
}

#[test]
fn the_traits_draw_from_the_same_outputs() {
    let mut bits = Stream::new(1, "traits", 0);
    let mut traits = bits.clone();
    assert_eq!(traits.next_u64(), bits.bits());
    assert_eq!(traits.next_u32(), (bits.bits() >> 32) as u32);
    let mut bytes = [0; 11];
    traits.fill_bytes(&mut bytes);
    assert_eq!(bytes[..8], bits.bits().to_le_bytes());
    assert_eq!(bytes[8..], bits.bits().to_le_bytes()[..3]);
    assert_eq!(traits, bits);
}

#[test]
fn units_keep_to_their_intervals() {
    let mut stream = Stream::new(1, "units", 0);
    for _ in 0..10_000 {
        let (unit, positive, open) = (stream.unit(), stream.positive_unit(), stream.open_unit());
        assert!((0.0..1.0).contains(&unit));
        assert!(positive > 0.0 && positive <= 1.0);
        assert!(open > 0.0 && open < 1.0);
    }
}

/// Every value of a small range is drawn about equally often: within 4.5 standard deviations.
#[test]
fn whole_numbers_below_a_bound_are_equally_likely() {
    let mut stream = Stream::new(1, "below", 0);
    let (bound, draws) = (7, 70_000_u32);
    let mut counts = [0_u32; 7];
    for _ in 0..draws {
        counts[stream.below(bound) as usize] += 1;
    }
    let deviation = libm::sqrt(f64::from(draws) * (1.0 / 7.0) * (6.0 / 7.0));
    for count in counts {
        let off = f64::from(count) - f64::from(draws) / 7.0;
        assert!(off.abs() < 4.5 * deviation, "{counts:?}");
    }
    assert_eq!(stream.below(1), 0);
}

/// Mean of 100,000 samples, and the share above a length, within 4.5 standard errors.
#[test]
fn samples_have_the_mean_and_the_tail_that_they_should() {
    let log_normal = Times::log_normal(millis(400), secs(2)).unwrap();
    // sigma = ln 5 / 2.326348 = 0.691827; mean = 0.4 s × e^(sigma²/2).
    assert_eq!(log_normal.mean(), SimDuration::from_micros(508_151));
    let list = Times::sample_of(&[millis(10), millis(10), millis(10), secs(1)]).unwrap();
    assert_eq!(list.mean(), SimDuration::from_micros(257_500));
    let rows: [(Times, f64, f64, f64); 5] = [
        // distribution, its standard deviation, a length, and the share of samples above it
        (Times::constant(millis(5)), 0.0, 0.005, 0.0),
        (Times::uniform(secs(1), secs(3)).unwrap(), 0.577_350, 2.95, 0.025),
        (Times::exponential(secs(1)).unwrap(), 1.0, 4.605_170, 0.01),
        (log_normal, 0.398_133, 2.0, 0.01),
        // 0.99 × sqrt(0.25 × 0.75).
        (list, 0.428_682, 0.5, 0.25),
    ];
    let n = 100_000;
    for (times, deviation, length, share) in rows {
        let mut stream = Stream::new(3, "shape", 0);
        let samples: Vec<f64> = (0..n).map(|_| times.sample(&mut stream).as_secs_f64()).collect();
        let mean = samples.iter().sum::<f64>() / f64::from(n);
        let error = deviation / libm::sqrt(f64::from(n));
        let expected = times.mean().as_secs_f64();
        assert!((mean - expected).abs() <= 4.5 * error + 1e-9, "{times:?} has mean {mean}");
        let above = samples.iter().filter(|sample| **sample > length).count();
        let above = above as f64 / f64::from(n);
        let error = libm::sqrt(share * (1.0 - share) / f64::from(n));
        assert!((above - share).abs() <= 4.5 * error, "{times:?}: {above} are above {length} s");
    }
}

/// Nothing but what is in the list, each as often as it stands there, and again and again; and as
/// many draws as from a list of any other length.
#[test]
fn a_measured_list_is_drawn_from_with_replacement() {
    let lengths = [millis(7), millis(3), millis(90), millis(3)];
    let times = Times::sample_of(&lengths).unwrap();
    let mut stream = Stream::new(1, "list", 0);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..40_000 {
        *counts.entry(times.sample(&mut stream)).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [millis(3), millis(7), millis(90)]);
    for (length, expected) in [(3, 20_000), (7, 10_000), (90, 10_000)] {
        assert!(counts[&millis(length)].abs_diff(expected) < 450, "{counts:?}");
    }
    let (mut short, mut long) = (Stream::new(2, "list", 0), Stream::new(2, "list", 0));
    Times::sample_of(&[millis(1)]).unwrap().sample(&mut short);
    Times::sample_of(&vec![millis(1); 1_000]).unwrap().sample(&mut long);
    assert_eq!(short, long);
}

#[test]
fn distributions_that_make_no_sense_are_refused() {
    let rows = [
        (
            Times::uniform(secs(2), secs(1)),
            TimesError::MinAboveMax { min: secs(2), max: secs(1) },
            "the shortest time (2 s) is above the longest (1 s): swap them",
        ),
        (
            Times::exponential(secs(0)),
            TimesError::MeanZero,
            "an exponential time needs a mean above 0 s",
        ),
        (
            Times::log_normal(secs(0), secs(1)),
            TimesError::MedianZero,
            "a log-normal time needs a median above 0 s",
        ),
        (
            Times::log_normal(secs(2), secs(1)),
            TimesError::P99BelowMedian { median: secs(2), p99: secs(1) },
            "the 99th percentile (1 s) is below the median (2 s): raise it",
        ),
    ];
    let empty =
        (Times::sample_of(&[]), TimesError::EmptySample, "there is no time to draw from: list one");
    for (refused, error, words) in rows.into_iter().chain([empty]) {
        assert_eq!(refused, Err(error));
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn sampling_survives_any_fields() {
    let (zero, all) = (SimDuration::ZERO, SimDuration::MAX);
    let rows = [
        Times::Uniform { min: all, max: zero },
        Times::Uniform { min: zero, max: all },
        Times::Exponential { mean: all },
        Times::Exponential { mean: zero },
        Times::LogNormal { median: zero, p99: all },
        Times::LogNormal { median: all, p99: zero },
        Times::Sample([].into()),
        Times::Sample([all; 3].into()),
    ];
    let mut stream = Stream::new(1, "any", 0);
    for times in rows {
        let before = stream.clone();
        let (_, _) = (times.sample(&mut stream), times.mean());
        assert_ne!(stream, before, "{times:?} drew nothing");
    }
}
