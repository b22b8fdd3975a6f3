//! Randomness: streams of a named, portable generator, one for each purpose.
//!
//! The generator is xoshiro256++ of Blackman and Vigna (<https://prng.di.unimi.it/>), seeded
//! through SplitMix64 as its authors advise. A stream is found by the run's seed, a purpose ("the
//! arrivals of a source") and an index (which source), never by the order in which streams are
//! asked for: adding a worker does not change what a source sends, and two runs on one seed can be
//! compared.

use std::convert::Infallible;

use rand_core::TryRng;

/// A stream of random numbers for one purpose.
///
/// It speaks the traits of `rand_core`, and draws the same numbers on every platform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stream {
    state: [u64; 4],
}

impl Stream {
    /// The stream for the `index`th thing of a `purpose` in the run with this `seed`.
    #[must_use]
    pub fn new(seed: u64, purpose: &str, index: u64) -> Self {
        let mut mixer = SplitMix64 { state: seed };
        mixer.state = mixer.next() ^ fnv1a(purpose.as_bytes());
        mixer.state = mixer.next() ^ index;
        Self { state: [mixer.next(), mixer.next(), mixer.next(), mixer.next()] }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number in [0, 1), one of 2⁵³ evenly spaced ones.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * UNIT_STEP
    }

    /// A number in (0, 1]: safe to take the logarithm of.
    pub fn positive_unit(&mut self) -> f64 {
        ((self.bits() >> 11) + 1) as f64 * UNIT_STEP
    }

    /// A number in (0, 1), symmetric about one half: safe to invert any distribution at.
    pub fn open_unit(&mut self) -> f64 {
        Self::open_unit_of(self.bits())
    }

    /// The number in (0, 1) that the highest 52 of these bits stand for.
    pub(crate) fn open_unit_of(bits: u64) -> f64 {
        ((bits >> 12) as f64 + 0.5) * (2.0 * UNIT_STEP)
    }

    /// A whole number below `bound`, each equally likely (Lemire, "Fast Random Integer Generation
    /// in an Interval", 2019).
    ///
    /// # Panics
    /// If `bound` is zero: there is no such number.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below zero");
        // The few low products that would favour some numbers are drawn again.
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }
}

/// The distance between neighbouring values of [`Stream::unit`]: 2⁻⁵³.
const UNIT_STEP: f64 = 1.0 / (1_u64 << 53) as f64;

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        // The upper half: the lower bits of the family are the weaker ones.
        Ok((self.bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): turns any seed into well-mixed words.
struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// FNV-1a, 64 bits (RFC 9923): the purpose as a number.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::{SplitMix64 as OracleMixer, Xoshiro256PlusPlus};

    use super::{SplitMix64, Stream, fnv1a};

    /// Another crate's generator, from the same state.
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut stream = Stream::new(42, "oracle", 3);
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_mut(8).zip(stream.state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let mut oracle = Xoshiro256PlusPlus::from_seed(seed);
        for _ in 0..1_000 {
            assert_eq!(stream.bits(), oracle.next_u64());
        }
    }

    #[test]
    fn the_mixer_is_split_mix_64() {
        let mut mixer = SplitMix64 { state: 1_234_567 };
        let mut oracle = OracleMixer::from_seed(1_234_567_u64.to_le_bytes());
        for _ in 0..100 {
            assert_eq!(mixer.next(), oracle.next_u64());
        }
    }

    /// Test vectors of the RFC.
    #[test]
    fn the_purpose_is_hashed_by_fnv_1a() {
        let rows = [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c)];
        for (purpose, hash) in rows {
            assert_eq!(fnv1a(purpose.as_bytes()), hash);
        }
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
