//! Dates of the Gregorian calendar, times of day, and moments of Unix time.
//!
//! The arithmetic of days is that of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
//! (<https://howardhinnant.github.io/date_algorithms.html>).

use std::fmt;

/// Seconds of a day.
pub const DAY: i64 = 86_400;

/// A moment: seconds since 1970-01-01T00:00:00Z, without leap seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixTime(pub i64);

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: i32,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

/// What a clock on the wall shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Civil {
    /// The date.
    pub date: Date,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
    /// The second, 0 to 59.
    pub second: u8,
}

impl Date {
    /// A date. What is out of range makes no sense later.
    #[must_use]
    pub const fn new(year: i32, month: u8, day: u8) -> Self {
        Self { year, month, day }
    }

    /// Days since 1970-01-01.
    #[must_use]
    pub const fn days(self) -> i64 {
        // Years begin in March here, so that a leap day is the last of its year.
        let year = self.year as i64 - (self.month <= 2) as i64;
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = (self.month as i64 + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + self.day as i64 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The date so many days after 1970-01-01.
    #[must_use]
    pub const fn from_days(days: i64) -> Self {
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let leaps = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
        let year_of_era = (day_of_era - leaps) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * march_month + 2) / 5 + 1) as u8;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 } as u8;
        let year = year_of_era + era * 400 + (month <= 2) as i64;
        Self { year: year as i32, month, day }
    }

    /// The day of the week, 0 for Sunday.
    #[must_use]
    pub const fn weekday(self) -> u8 {
        (self.days() + 4).rem_euclid(7) as u8
    }

    /// How many days its month has.
    #[must_use]
    pub const fn days_in_month(self) -> u8 {
        match self.month {
            4 | 6 | 9 | 11 => 30,
            2 if self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0) => 29,
            2 => 28,
            _ => 31,
        }
    }

    /// The first date at or after the given day of this date's month that falls on this day of the
    /// week.
    #[must_use]
    pub const fn weekday_on_or_after(self, weekday: u8) -> Self {
        let ahead = (weekday + 7 - self.weekday()) % 7;
        Self::from_days(self.days() + ahead as i64)
    }

    /// The last date of this date's month that falls on this day of the week.
    #[must_use]
    pub const fn last_weekday_of_month(self, weekday: u8) -> Self {
        let last = Self { day: self.days_in_month(), ..self };
        let back = (last.weekday() + 7 - weekday) % 7;
        Self::from_days(last.days() - back as i64)
    }
}

impl Civil {
    /// A date at a time of day.
    #[must_use]
    pub const fn new(date: Date, hour: u8, minute: u8, second: u8) -> Self {
        Self { date, hour, minute, second }
    }

    /// Seconds since 1970-01-01T00:00:00 on this same clock.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        let time = self.hour as i64 * 3_600 + self.minute as i64 * 60 + self.second as i64;
        self.date.days() * DAY + time
    }

    /// What the clock shows so many seconds after 1970-01-01T00:00:00.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        let time = seconds.rem_euclid(DAY);
        Self {
            date: Date::from_days(seconds.div_euclid(DAY)),
            hour: (time / 3_600) as u8,
            minute: (time / 60 % 60) as u8,
            second: (time % 60) as u8,
        }
    }
}

/// `2026-03-29`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// `2026-03-29T02:30:00`.
impl fmt::Display for Civil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{:02}:{:02}:{:02}", self.date, self.hour, self.minute, self.second)
    }
}
