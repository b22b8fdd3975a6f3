//! The standard normal distribution, inverted.
//!
//! Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", *Applied
//! Statistics* 37 (1988), routine PPND16: about sixteen digits, from two ratios of polynomials in
//! the middle and in the tails.

/// The point below which a share `p` of a standard normal variable lies, for `p` in (0, 1).
pub(crate) fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = libm::sqrt(-libm::log(tail));
    let point = if r <= 5.0 { ratio(r - 1.6, &NEAR_TAIL) } else { ratio(r - 5.0, &FAR_TAIL) };
    if q < 0.0 { -point } else { point }
}

/// A polynomial over a polynomial, coefficients from the constant up.
struct Ratio {
    above: [f64; 8],
    below: [f64; 8],
}

fn ratio(x: f64, ratio: &Ratio) -> f64 {
    polynomial(x, &ratio.above) / polynomial(x, &ratio.below)
}

fn polynomial(x: f64, coefficients: &[f64; 8]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

const CENTRE: Ratio = Ratio {
    above: [
        3.387_132_872_796_366_5,
        1.331_416_678_917_843_8e2,
        1.971_590_950_306_551_3e3,
        1.373_169_376_550_946e4,
        4.592_195_393_154_987e4,
        6.726_577_092_700_87e4,
        3.343_057_558_358_813e4,
        2.509_080_928_730_122_7e3,
    ],
    below: [
        1.0,
        4.231_333_070_160_091e1,
        6.871_870_074_920_579e2,
        5.394_196_021_424_751e3,
        2.121_379_430_158_66e4,
        3.930_789_580_009_271e4,
        2.872_908_573_572_194_3e4,
        5.226_495_278_852_854e3,
    ],
};

const NEAR_TAIL: Ratio = Ratio {
    above: [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        2.417_807_251_774_506e-1,
        2.272_384_498_926_918_4e-2,
        7.745_450_142_783_414e-4,
    ],
    below: [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        6.897_673_349_851e-1,
        1.481_039_764_274_800_8e-1,
        1.519_866_656_361_645_7e-2,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
};

const FAR_TAIL: Ratio = Ratio {
    above: [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        2.965_605_718_285_049e-1,
        2.653_218_952_657_612_3e-2,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    below: [
        1.0,
        5.998_322_065_558_88e-1,
        1.369_298_809_227_358e-1,
        1.487_536_129_085_061_5e-2,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
};

#[cfg(test)]
mod tests {
    use super::quantile;

    /// Values of Python's `statistics.NormalDist().inv_cdf`, an implementation of its own.
    #[test]
    #[allow(clippy::excessive_precision, reason = "as the other implementation prints them")]
    fn agrees_with_another_implementation() {
        let rows = [
            (1e-300, -37.0470962993612),
            (1e-16, -8.222082216130435),
            (1e-09, -5.9978070150076865),
            (0.0001, -3.71901648545568),
            (0.01, -2.3263478740408408),
            (0.0749, -1.4402382675279632),
            (0.075, -1.4395314709384557),
            (0.2, -0.8416212335729142),
            (0.4999, -0.0002506628300880075),
            (0.5, 0.0),
            (0.7, 0.5244005127080407),
            (0.925, 1.439531470938456),
            (0.9251, 1.4402382675279632),
            (0.99, 2.3263478740408408),
            (0.9999, 3.7190164854557084),
            (0.999999999, 5.997807019601638),
        ];
        for (p, expected) in rows {
            let found: f64 = quantile(p);
            assert!((found - expected).abs() <= 4e-15 * expected.abs(), "{p}: {found}");
        }
    }
}
