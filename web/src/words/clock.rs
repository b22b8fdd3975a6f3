//! Times as a learner reads them: a clock for when, seconds for how long.

use sim::{SimDuration, SimTime};

/// When, to the tenth of a second: `0:34.2`, `1:02:03.0`. Rounded down, as a clock shows it.
#[must_use]
pub fn clock(at: SimTime) -> String {
    let tenths = at.as_micros() / 100_000;
    [&clock_coarse(tenths / 10), ".", &(tenths % 10).to_string()].concat()
}

/// When, to the millisecond, where a tenth hides a difference: `0:34.217`.
#[must_use]
pub fn clock_fine(at: SimTime) -> String {
    let millis = at.as_micros() / 1_000;
    [&clock_coarse(millis / 1_000), ".", &padded(millis % 1_000, 3)].concat()
}

/// How long, with its unit: `350 ms`, `8.3 s`, `2 min 5 s`, `4 d`. Rounded to the nearest.
#[must_use]
pub fn seconds(long: SimDuration) -> String {
    const SECOND: u64 = 1_000_000;
    let micros = long.as_micros();
    if micros == 0 {
        return "0 s".to_owned();
    }
    if micros < 99_500 {
        let millis = (micros + 500) / 1_000;
        return if millis == 0 { "under 1 ms".to_owned() } else { unit(millis, "ms") };
    }
    if micros < 100 * SECOND {
        let tenths = (micros + 50_000) / 100_000;
        if tenths >= 100 && tenths.is_multiple_of(10) {
            return unit(tenths / 10, "s");
        }
        let whole = (tenths / 10).to_string();
        let part = (tenths % 10).to_string();
        return [whole.as_str(), ".", part.as_str(), " s"].concat();
    }
    let whole = (micros + SECOND / 2) / SECOND;
    let steps = [(86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s")];
    let (big, big_name, small, small_name) =
        steps.into_iter().find(|step| whole >= step.0).unwrap_or(steps[2]);
    let rest = whole % big / small;
    if rest == 0 {
        return unit(whole / big, big_name);
    }
    [unit(whole / big, big_name), unit(rest, small_name)].join(" ")
}

/// Minutes and seconds, and hours only when there are some.
pub fn clock_coarse(whole: u64) -> String {
    let (hours, minutes, seconds) = (whole / 3_600, whole / 60 % 60, whole % 60);
    let tail = padded(seconds, 2);
    if hours == 0 {
        return [minutes.to_string().as_str(), ":", tail.as_str()].concat();
    }
    [hours.to_string(), padded(minutes, 2), tail].join(":")
}

fn unit(n: u64, name: &str) -> String {
    [n.to_string().as_str(), " ", name].concat()
}

fn padded(n: u64, width: usize) -> String {
    let digits = n.to_string();
    "0".repeat(width.saturating_sub(digits.len())) + &digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_round_down() {
        let check = |micros: u64, want: &str| assert_eq!(clock(SimTime::from_micros(micros)), want);
        check(0, "0:00.0");
        check(34_200_000, "0:34.2");
        check(34_299_999, "0:34.2");
        check(70_000_000, "1:10.0");
        check(3_723_000_000, "1:02:03.0");
    }

    #[test]
    fn fine_clocks_show_milliseconds() {
        let check = |micros: u64, want: &str| {
            assert_eq!(clock_fine(SimTime::from_micros(micros)), want);
        };
        check(34_217_900, "0:34.217");
        check(5_000, "0:00.005");
    }

    #[test]
    fn durations_have_units() {
        let check = |micros: u64, want: &str| {
            assert_eq!(seconds(SimDuration::from_micros(micros)), want);
        };
        check(0, "0 s");
        check(200, "under 1 ms");
        check(35_000, "35 ms");
        check(350_000, "0.4 s");
        check(8_300_000, "8.3 s");
        check(5_000_000, "5.0 s");
        check(30_000_000, "30 s");
        check(30_100_000, "30.1 s");
        check(99_960_000, "100 s");
        check(125_000_000, "2 min 5 s");
        check(300_000_000, "5 min");
        check(43_200_000_000, "12 h");
        check(345_600_000_000, "4 d");
        check(90_061_000_000, "1 d 1 h");
    }
}
