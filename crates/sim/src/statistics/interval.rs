//! How far the mean of single observations may be from the mean of all that could be.

use super::Tally;

/// Student's t at 97.5 % for 1 to 9 degrees of freedom, where the expansion is too coarse.
const FEW: [f64; 9] = [
    12.706_204_736,
    4.302_652_730,
    3.182_446_305,
    2.776_445_105,
    2.570_581_836,
    2.446_911_851,
    2.364_624_252,
    2.306_004_135,
    2.262_157_163,
];

/// The 97.5th percentile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The value that Student's t with so many degrees of freedom exceeds in one case of forty.
///
/// From ten degrees on by the expansion in 1/n of Fisher and Cornish, "The Percentile Points of
/// Distributions Having Known Cumulants", *Technometrics* 2 (1960): right to three digits there.
#[must_use]
pub fn students_t(degrees: u64) -> f64 {
    let few = usize::try_from(degrees.max(1) - 1).unwrap_or(usize::MAX);
    if let Some(t) = FEW.get(few) {
        return *t;
    }
    let (n, z2) = (degrees as f64, Z * Z);
    let first = Z * (z2 + 1.0) / 4.0;
    let second = Z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = Z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    Z + (first + (second + third / n) / n) / n
}

impl Tally {
    /// Half of the width of the 95 % confidence interval about the mean, for observations that are
    /// independent of one another. `None` with fewer than two of them.
    #[must_use]
    pub fn half_width(&self) -> Option<f64> {
        let count = self.count();
        let spread = self.standard_deviation() / libm::sqrt(count as f64);
        (count >= 2).then(|| students_t(count - 1) * spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SimDuration, Stream, Times};

    #[test]
    fn students_t_is_that_of_the_tables() {
        for (degrees, want) in [
            (1, 12.706_2),
            (2, 4.302_7),
            (9, 2.262_2),
            (10, 2.228_1),
            (20, 2.086_0),
            (30, 2.042_3),
            (99, 1.984_2),
            (999, 1.962_3),
        ] {
            assert!(
                (students_t(degrees) - want).abs() < 2e-4,
                "{degrees}: {}",
                students_t(degrees)
            );
        }
    }

    #[test]
    fn one_interval_in_twenty_misses_the_mean() {
        let times = Times::exponential(SimDuration::from_secs(1)).expect("a mean above zero");
        let mut misses = 0;
        for batch in 0..2_000 {
            let mut stream = Stream::new(batch, "interval", 0);
            let mut tally = Tally::new();
            (0..100).for_each(|_| tally.record(times.sample(&mut stream).as_secs_f64()));
            let half = tally.half_width().expect("a hundred observations");
            misses += u32::from((tally.mean() - 1.0).abs() > half);
        }
        // 100 expected; somewhat more, since exponential times are not symmetric about their mean.
        assert!((80..=150).contains(&misses), "{misses}");
    }

    #[test]
    fn one_observation_has_no_interval() {
        let mut tally = Tally::new();
        tally.record(3.0);
        assert_eq!(tally.half_width(), None);
        tally.record(3.0);
        assert_eq!(tally.half_width(), Some(0.0));
    }
}
