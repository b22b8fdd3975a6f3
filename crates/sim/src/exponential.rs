//! The standard exponential distribution, mean 1, sampled by layers.
//!
//! Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", *Journal of
//! Statistical Software* 5 (2000): the density is covered by 256 layers of equal area. A point
//! drawn from a layer nearly always lies under the density for certain, and needs no logarithm.

use crate::Stream;

const LAYERS: usize = 256;
/// Where the lowest layer's rectangle ends and its tail begins.
const TAIL: f64 = 7.697_117_470_131_05;
/// The area of each layer.
const AREA: f64 = 0.003_949_659_822_581_557;

/// The right edge of each layer from the bottom up, then the height of the density there. The
/// bottom edge is that of a rectangle as large as the lowest layer with its tail.
static EDGES: [(f64, f64); LAYERS + 1] = edges();

/// Draws one number with mean 1. How many draws of the stream it takes depends on the stream alone.
pub(crate) fn sample(stream: &mut Stream) -> f64 {
    loop {
        // The lowest eight bits choose the layer, the highest 52 the point: they share none.
        let bits = stream.bits();
        let layer = (bits % LAYERS as u64) as usize;
        let (right, height) = EDGES[layer];
        let (inner, above) = EDGES[layer + 1];
        let x = right * Stream::open_unit_of(bits);
        if x < inner {
            return x;
        }
        if layer == 0 {
            // Beyond the edge the distribution looks the same as from the start.
            return TAIL - libm::log(stream.positive_unit());
        }
        if height + (above - height) * stream.unit() < libm::exp(-x) {
            return x;
        }
    }
}

const fn edges() -> [(f64, f64); LAYERS + 1] {
    let mut edges = [(0.0, 1.0); LAYERS + 1];
    edges[0] = (AREA * exp(TAIL), 0.0);
    edges[1] = (TAIL, 1.0 / exp(TAIL));
    let mut layer = 2;
    while layer < LAYERS {
        let (right, height) = edges[layer - 1];
        let above = height + AREA / right;
        edges[layer] = (-ln(above), above);
        layer += 1;
    }
    edges
}

/// Taylor's series, for arguments from 0 to 8: sums of positive terms, good to the last bits.
const fn exp(x: f64) -> f64 {
    let (mut sum, mut term, mut n) = (1.0, 1.0, 1.0);
    while n < 64.0 {
        term *= x / n;
        sum += term;
        n += 1.0;
    }
    sum
}

/// Halley's method on [`exp`], for arguments from e⁻⁸ to 1.
const fn ln(y: f64) -> f64 {
    let (mut z, mut round) = (4.0, 0);
    while round < 12 {
        // exp(z) against 1 / y, so that z stays positive.
        let (e, inverse) = (exp(z), 1.0 / y);
        z += 2.0 * (inverse - e) / (inverse + e);
        round += 1;
    }
    -z
}

#[cfg(test)]
mod tests {
    use super::{AREA, EDGES, LAYERS, TAIL, sample};
    use crate::Stream;

    #[test]
    fn every_layer_has_the_same_area_and_the_last_one_closes_the_density() {
        for layer in 1..LAYERS {
            let (right, height) = EDGES[layer];
            let (_, above) = EDGES[layer + 1];
            let area = right * (above - height);
            assert!((area / AREA - 1.0).abs() < 1e-9, "layer {layer} has area {area}");
            assert!((libm::exp(-right) / height - 1.0).abs() < 1e-13, "layer {layer} is off");
        }
        assert_eq!(EDGES[LAYERS], (0.0, 1.0));
        let lowest = TAIL * EDGES[1].1 + libm::exp(-TAIL);
        assert!((lowest / AREA - 1.0).abs() < 1e-12, "the lowest layer has area {lowest}");
    }

    /// Kolmogorov's test: the distance of a true sample of n is above 1.95 / √n once in a thousand.
    #[test]
    fn a_sample_follows_the_distribution_function() {
        let mut stream = Stream::new(1, "exponential", 0);
        let n = 200_000;
        let mut sample: Vec<f64> = (0..n).map(|_| sample(&mut stream)).collect();
        sample.sort_unstable_by(f64::total_cmp);
        let distance = sample
            .iter()
            .enumerate()
            .map(|(i, x)| (-libm::expm1(-x) - (i as f64 + 0.5) / f64::from(n)).abs())
            .fold(0.0, f64::max);
        let bound = 1.95 / libm::sqrt(f64::from(n));
        assert!(distance < bound, "distance {distance} is above {bound}");
        assert!(sample[n as usize - 1] > TAIL, "the tail is never reached");
    }
}
