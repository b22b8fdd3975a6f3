//! Whole numbers: which types a document can fill.

use std::fmt;

/// A whole number type that a document can hold.
pub trait WholeNumber: Copy + PartialOrd + fmt::Display {
    /// The number, if it is whole, exact and fits.
    fn from_number(number: f64) -> Option<Self>;
}

macro_rules! whole_numbers {
    ($($type:ty)*) => {$(
        impl WholeNumber for $type {
            fn from_number(number: f64) -> Option<Self> {
                // Beyond 2^53 a double no longer tells neighbouring whole numbers apart.
                const EXACT: f64 = 9_007_199_254_740_992.0;
                if number.fract() != 0.0 || number.abs() > EXACT {
                    return None;
                }
                #[allow(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
                Self::try_from(number as i64).ok()
            }
        }
    )*};
}
whole_numbers!(u8 u16 u32 u64 usize i32 i64);
