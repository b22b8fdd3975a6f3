//! Cron expressions: parsing, and when they are due next.
//!
//! Two dialects, which differ where it hurts:
//!
//! | | [`Dialect::Robfig`] | [`Dialect::Vixie`] |
//! | --- | --- | --- |
//! | source | `robfig/cron` v3, `parser.go`, `spec.go` | cron(8) and crontab(5) of Vixie/ISC cron, as in Debian |
//! | fields | 5, or 6 with seconds first | 5 |
//! | day of month *and* of week given | either | either |
//! | `*/5` as a day | counts as given | counts as a star |
//! | time in a gap | skipped | run once, right after the gap |
//! | fixed time in a fold | run twice | run once, the first time |
//! | starred hour or minute | by the elapsed hour | by the elapsed hour |
//!
//! Vixie's special cases are for changes of less than three hours, and for jobs at a fixed hour and
//! minute; jobs that come more often than hourly follow the clock.

mod parse;

use super::civil::{Civil, DAY, UnixTime};
use super::zone::Zone;

pub use parse::CronError;

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Go's `robfig/cron`, and so Kubernetes.
    Robfig,
    /// Vixie's cron, and so most of Linux.
    Vixie,
}

/// A cron expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cron {
    pub(self) dialect: Dialect,
    pub(self) seconds: Field,
    pub(self) minutes: Field,
    pub(self) hours: Field,
    pub(self) days: Field,
    pub(self) months: Field,
    pub(self) weekdays: Field,
}

/// The values of a field, as bits, and whether it was a star.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field {
    bits: u64,
    star: bool,
}

/// How far ahead a time is looked for: five years, as in robfig's.
const HORIZON_DAYS: i64 = 5 * 366;

impl Cron {
    /// Reads an expression of five fields, or of six with seconds first in [`Dialect::Robfig`].
    ///
    /// # Errors
    /// The first field that does not read, and what would.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, CronError> {
        parse::parse(text, dialect)
    }

    /// The first time after a moment at which it is due in a zone; `None` if there is none within
    /// five years (30 February).
    #[must_use]
    pub fn next(&self, after: UnixTime, zone: Zone) -> Option<UnixTime> {
        let mut from = UnixTime(after.0 + 1);
        let horizon = UnixTime(after.0 + HORIZON_DAYS * DAY);
        // The clock runs evenly from one change to the next, so each stretch is looked at by itself.
        while from <= horizon {
            let offset = i64::from(zone.offset(from));
            let change = zone.next_transition(from);
            let end = change.map_or(horizon.0 + 1, |change| change.at.0.min(horizon.0 + 1));
            let mut candidate = from.0 + offset;
            while let Some(local) = self.next_on_clock(candidate, end + offset) {
                if !self.was_run_before(local, UnixTime(local - offset), zone) {
                    return Some(UnixTime(local - offset));
                }
                candidate = local + 1;
            }
            let change = change?;
            if self.runs_after_gap(change.at, change.before, change.after)
                && change.at.0 <= horizon.0
            {
                return Some(change.at);
            }
            from = change.at;
        }
        None
    }

    /// Whether it is due at a fixed hour and minute.
    const fn is_fixed(&self) -> bool {
        !self.hours.star && !self.minutes.star
    }

    /// Whether something that the clock jumps over is made up for at the jump. Not when the jump is
    /// itself a time at which it is due: it runs once.
    fn runs_after_gap(&self, at: UnixTime, before: i32, after: i32) -> bool {
        let (from, to) = (at.0 + i64::from(before), at.0 + i64::from(after));
        self.dialect == Dialect::Vixie
            && self.is_fixed()
            && to > from
            && to - from < i64::from(3 * 3_600)
            && self.next_on_clock(from, to).is_some()
    }

    /// Whether a time on the clock has come before, an hour ago, and counted then.
    fn was_run_before(&self, local: i64, at: UnixTime, zone: Zone) -> bool {
        if self.dialect == Dialect::Robfig || !self.is_fixed() {
            return false;
        }
        match zone.moments(Civil::from_seconds(local)) {
            super::zone::Moments::Fold(first, second) => second == at && first != at,
            _ => false,
        }
    }

    /// The first time on the clock from `from` on, before `end`, that fits.
    fn next_on_clock(&self, from: i64, end: i64) -> Option<i64> {
        let mut at = Civil::from_seconds(from);
        loop {
            if at.seconds() >= end {
                return None;
            }
            if !self.months.has(at.date.month) || !self.day_fits(at) {
                at = next_day(at);
            } else if !self.hours.has(at.hour) {
                let seconds = at.seconds();
                at = Civil::from_seconds(seconds - seconds.rem_euclid(3_600) + 3_600);
            } else if !self.minutes.has(at.minute) {
                let seconds = at.seconds();
                at = Civil::from_seconds(seconds - seconds.rem_euclid(60) + 60);
            } else if !self.seconds.has(at.second) {
                at = Civil::from_seconds(at.seconds() + 1);
            } else {
                return Some(at.seconds());
            }
        }
    }

    fn day_fits(&self, at: Civil) -> bool {
        let (day, weekday) = (self.days.has(at.date.day), self.weekdays.has(at.date.weekday()));
        if self.days.star || self.weekdays.star { day && weekday } else { day || weekday }
    }
}

impl Field {
    const fn has(self, value: u8) -> bool {
        self.bits & (1 << value) != 0
    }
}

fn next_day(at: Civil) -> Civil {
    let midnight = at.date.days() * DAY;
    Civil::from_seconds(midnight + DAY)
}
