//! How fast virtual time goes by on the screen. It never changes the run.

use sim::SimDuration;

/// Virtual seconds a screen second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// This many.
    Times(f64),
    /// As fast as it can be drawn: the rest of the run in a few seconds.
    AsFastAsItCan,
}

/// The notches of the slider, a third of a decade apart.
const NOTCHES: [f64; 13] =
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

impl Speed {
    /// One virtual second a second.
    pub const ONE: Speed = Speed::Times(1.0);
    /// The position past the last number.
    pub const LAST: usize = NOTCHES.len();

    /// The speed at a position of the slider, 0 to [`Speed::LAST`].
    #[must_use]
    pub fn at(position: usize) -> Speed {
        NOTCHES.get(position).map_or(Speed::AsFastAsItCan, |times| Speed::Times(*times))
    }

    /// The position nearest to this speed.
    #[must_use]
    pub fn position(self) -> usize {
        match self {
            Speed::AsFastAsItCan => Speed::LAST,
            Speed::Times(times) => {
                NOTCHES.iter().rposition(|notch| *notch <= times * 1.000_001).unwrap_or(0)
            }
        }
    }

    /// The next faster notch.
    #[must_use]
    pub fn faster(self) -> Speed {
        Speed::at((self.position() + 1).min(Speed::LAST))
    }

    /// The next slower notch.
    #[must_use]
    pub fn slower(self) -> Speed {
        Speed::at(self.position().saturating_sub(1))
    }

    /// Reads an attribute: a number from 0.1 to 1000, with or without a times sign, or `max`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Speed> {
        let text = text.trim();
        if text == "max" {
            return Some(Speed::AsFastAsItCan);
        }
        let times = scenario::wire::parse_number(text.trim_end_matches(['x', '×']))?;
        (0.1..=1000.0).contains(&times).then_some(Speed::Times(times))
    }

    /// How far virtual time goes in so many milliseconds on the screen; `None` for "as fast as it
    /// can", which counts events and not seconds.
    #[must_use]
    pub fn virtual_time(self, screen_ms: f64) -> Option<SimDuration> {
        match self {
            Speed::Times(times) => Some(SimDuration::from_micros((screen_ms * 1e3 * times) as u64)),
            Speed::AsFastAsItCan => None,
        }
    }

    /// The number as it is shown: "0.5", "20".
    #[must_use]
    pub fn digits(self) -> Option<String> {
        let Speed::Times(times) = self else { return None };
        let tenths = (times * 10.0).round() as u64;
        let (whole, part) = (tenths / 10, tenths % 10);
        Some(if part == 0 {
            whole.to_string()
        } else {
            [whole.to_string().as_str(), ".", part.to_string().as_str()].concat()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_speeds_agree() {
        for position in 0..=Speed::LAST {
            assert_eq!(Speed::at(position).position(), position);
        }
        assert_eq!(Speed::ONE.position(), 3);
        assert_eq!(Speed::Times(3.0).position(), 4);
    }

    #[test]
    fn notches_end_at_both_ends() {
        assert_eq!(Speed::at(0).slower(), Speed::Times(0.1));
        assert_eq!(Speed::Times(1000.0).faster(), Speed::AsFastAsItCan);
        assert_eq!(Speed::AsFastAsItCan.faster(), Speed::AsFastAsItCan);
        assert_eq!(Speed::AsFastAsItCan.slower(), Speed::Times(1000.0));
    }

    #[test]
    fn attributes_are_read() {
        let check =
            |text: &str, want: Option<Speed>| assert_eq!(Speed::parse(text), want, "{text}");
        check("1", Some(Speed::ONE));
        check("0.5x", Some(Speed::Times(0.5)));
        check("20×", Some(Speed::Times(20.0)));
        check("max", Some(Speed::AsFastAsItCan));
        check("0", None);
        check("1001", None);
        check("NaN", None);
        check("fast", None);
    }

    #[test]
    fn speed_scales_time() {
        assert_eq!(Speed::ONE.virtual_time(16.0), Some(SimDuration::from_micros(16_000)));
        assert_eq!(Speed::Times(0.1).virtual_time(10.0), Some(SimDuration::from_micros(1_000)));
        assert_eq!(Speed::AsFastAsItCan.virtual_time(10.0), None);
    }

    #[test]
    fn digits_are_short() {
        assert_eq!(Speed::Times(0.5).digits().as_deref(), Some("0.5"));
        assert_eq!(Speed::Times(1000.0).digits().as_deref(), Some("1000"));
        assert_eq!(Speed::AsFastAsItCan.digits(), None);
    }
}
