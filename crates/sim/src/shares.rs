//! Shares: which of several things is chosen, some more often than others.

use crate::Stream;

/// How often each of several things is chosen, at random and independently of one another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shares {
    /// The shares added up, in order: the last is all of them.
    sums: Vec<u64>,
}

/// The share of the first rank of a Zipf distribution, of which the others have a fraction. A
/// million ranks still differ from one another.
const ZIPF_FIRST: f64 = 1e12;

impl Shares {
    /// These shares, of which at least one is above zero. `None` if none is.
    #[must_use]
    pub fn new(shares: &[u32]) -> Option<Self> {
        Self::adding(shares.iter().map(|share| u64::from(*share)))
    }

    /// Zipf's law: rank k, from 1, is chosen in proportion to 1 / k to the power of `exponent`.
    /// `None` without ranks.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "up to 1e12")]
    pub fn zipf(ranks: u32, exponent: f64) -> Option<Self> {
        Self::adding(
            (1..=ranks).map(|rank| (ZIPF_FIRST * libm::pow(f64::from(rank), -exponent)) as u64),
        )
    }

    fn adding(shares: impl Iterator<Item = u64>) -> Option<Self> {
        let mut sum = 0;
        let sums: Vec<u64> = shares
            .map(|share| {
                sum += share;
                sum
            })
            .collect();
        (sum > 0).then_some(Self { sums })
    }

    /// Chooses one, by its position.
    pub fn draw(&self, stream: &mut Stream) -> usize {
        let all = self.sums.last().copied().unwrap_or(1);
        let drawn = stream.below(all.max(1));
        self.sums.partition_point(|sum| *sum <= drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(shares: &Shares, of: usize) -> Vec<u32> {
        let mut stream = Stream::new(1, "shares", 0);
        let mut counts = vec![0; of];
        for _ in 0..100_000 {
            counts[shares.draw(&mut stream)] += 1;
        }
        counts
    }

    #[test]
    fn each_is_chosen_by_its_share() {
        let counts = counts(&Shares::new(&[80, 0, 15, 5]).expect("some"), 4);
        let wanted: [u32; 4] = [80_000, 0, 15_000, 5_000];
        for (found, wanted) in counts.iter().zip(wanted) {
            // Three standard deviations of the largest are below 400.
            assert!(found.abs_diff(wanted) < 400, "{counts:?}");
        }
        assert_eq!(counts[1], 0, "no share, no choice");
    }

    #[test]
    fn zipf_halves_the_second_and_thirds_the_third() {
        let found = counts(&Shares::zipf(4, 1.0).expect("some"), 4);
        // 1 + 1/2 + 1/3 + 1/4 = 25/12.
        let wanted = [48_000, 24_000, 16_000, 12_000];
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.abs_diff(wanted) < 500, "{found}, not {wanted}");
        }
        let even = counts(&Shares::zipf(2, 0.0).expect("some"), 2);
        assert!(even[0].abs_diff(50_000) < 500);
        let steep = counts(&Shares::zipf(2, 2.0).expect("some"), 2);
        assert!(steep[0].abs_diff(80_000) < 500);
    }

    #[test]
    fn nothing_has_no_shares() {
        assert_eq!(Shares::new(&[]), None);
        assert_eq!(Shares::new(&[0, 0]), None);
        assert_eq!(Shares::zipf(0, 1.0), None);
    }
}
