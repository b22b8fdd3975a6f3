//! A handful of time zones, by rule.
//!
//! Not the time zone database, which is too large for a page: a few zones that show what there is to
//! see (no daylight saving, a gap at 2:00, a gap at midnight, half an hour). The rules are those of
//! the tz database (<https://www.iana.org/time-zones>) for the years that [`Zone::valid_from`] says;
//! before, the oldest rule is taken to have held for ever.

use std::fmt;

use super::civil::{Civil, Date, UnixTime};

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Zone {
    /// Coordinated universal time: no daylight saving.
    Utc,
    /// America/New_York: forward at 2:00 on the second Sunday of March, back at 2:00 on the first of
    /// November.
    NewYork,
    /// America/Los_Angeles: as New York, three hours later.
    LosAngeles,
    /// America/Sao_Paulo: forward at *midnight* in October or November, back at midnight in
    /// February; no daylight saving since 2019.
    SaoPaulo,
    /// Europe/London: forward at 1:00 on the last Sunday of March, back at 2:00 on the last of
    /// October.
    London,
    /// Europe/Berlin: an hour later than London on the clock, at the same moment.
    Berlin,
    /// Asia/Kolkata: five and a half hours, no daylight saving.
    Kolkata,
    /// Asia/Tokyo: nine hours, no daylight saving.
    Tokyo,
    /// Australia/Sydney: forward at 2:00 on the first Sunday of October, back at 3:00 on the first
    /// of April.
    Sydney,
    /// Africa/Cairo: forward at midnight on the last Friday of April, back at the end of the last
    /// Thursday of October; since 2023.
    Cairo,
}

/// A change of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// When.
    pub at: UnixTime,
    /// Seconds east of UTC before it.
    pub before: i32,
    /// Seconds east of UTC after it.
    pub after: i32,
}

/// What a time on the clock stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moments {
    /// It does not exist: the clock jumps over it at this moment.
    Gap(UnixTime),
    /// It is this moment.
    One(UnixTime),
    /// It comes twice: the clock is set back over it.
    Fold(UnixTime, UnixTime),
}

const HOUR: i32 = 3_600;
const SUNDAY: u8 = 0;
const THURSDAY: u8 = 4;
const FRIDAY: u8 = 5;

impl Zone {
    /// All of them, in order of name.
    pub const ALL: [Self; 10] = [
        Self::Cairo,
        Self::LosAngeles,
        Self::NewYork,
        Self::SaoPaulo,
        Self::Kolkata,
        Self::Tokyo,
        Self::Sydney,
        Self::Berlin,
        Self::London,
        Self::Utc,
    ];

    /// Its name in the tz database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::NewYork => "America/New_York",
            Self::LosAngeles => "America/Los_Angeles",
            Self::SaoPaulo => "America/Sao_Paulo",
            Self::London => "Europe/London",
            Self::Berlin => "Europe/Berlin",
            Self::Kolkata => "Asia/Kolkata",
            Self::Tokyo => "Asia/Tokyo",
            Self::Sydney => "Australia/Sydney",
            Self::Cairo => "Africa/Cairo",
        }
    }

    /// The zone of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|zone| zone.name() == name)
    }

    /// The first year that its rules hold for.
    #[must_use]
    pub const fn valid_from(self) -> i32 {
        match self {
            Self::Utc | Self::Kolkata | Self::Tokyo => 1970,
            Self::NewYork | Self::LosAngeles => 2007,
            Self::SaoPaulo | Self::Sydney => 2008,
            Self::London | Self::Berlin => 1996,
            Self::Cairo => 2015,
        }
    }

    /// Seconds east of UTC at a moment.
    #[must_use]
    pub fn offset(self, at: UnixTime) -> i32 {
        let year = year_of(at);
        let before = self.changes(year - 1, year + 1).filter(|change| change.at <= at).last();
        before.map_or(self.standard(), |change| change.after)
    }

    /// What the clock shows at a moment.
    #[must_use]
    pub fn clock(self, at: UnixTime) -> Civil {
        Civil::from_seconds(at.0 + i64::from(self.offset(at)))
    }

    /// The next change of the clock after a moment, if there is one within six years.
    #[must_use]
    pub fn next_transition(self, after: UnixTime) -> Option<Transition> {
        let year = year_of(after);
        self.changes(year - 1, year + 6).find(|change| change.at > after)
    }

    /// What moments a time on the clock stands for.
    #[must_use]
    pub fn moments(self, civil: Civil) -> Moments {
        let local = civil.seconds();
        let near = UnixTime(local - i64::from(self.standard()));
        let mut found: Vec<UnixTime> = Vec::new();
        for offset in [self.standard(), self.standard() + self.saving()] {
            let at = UnixTime(local - i64::from(offset));
            if self.offset(at) == offset && !found.contains(&at) {
                found.push(at);
            }
        }
        found.sort_unstable();
        match found[..] {
            [one] => Moments::One(one),
            [first, second] => Moments::Fold(first, second),
            _ => {
                let year = year_of(near);
                let jumps = self.changes(year - 1, year + 1).find(|change| {
                    change.at.0 + i64::from(change.before) <= local
                        && local < change.at.0 + i64::from(change.after)
                });
                Moments::Gap(jumps.map_or(near, |change| change.at))
            }
        }
    }

    /// Seconds east of UTC without daylight saving.
    const fn standard(self) -> i32 {
        match self {
            Self::Utc | Self::London => 0,
            Self::NewYork => -5 * HOUR,
            Self::LosAngeles => -8 * HOUR,
            Self::SaoPaulo => -3 * HOUR,
            Self::Berlin => HOUR,
            Self::Kolkata => 5 * HOUR + HOUR / 2,
            Self::Tokyo => 9 * HOUR,
            Self::Sydney => 10 * HOUR,
            Self::Cairo => 2 * HOUR,
        }
    }

    /// How far daylight saving sets the clock forward.
    const fn saving(self) -> i32 {
        match self {
            Self::Utc | Self::Kolkata | Self::Tokyo => 0,
            _ => HOUR,
        }
    }

    /// The changes of some years, in order.
    fn changes(self, first: i32, last: i32) -> impl Iterator<Item = Transition> {
        (first..=last).flat_map(move |year| {
            let mut pair = [self.forward(year), self.back(year)];
            // South of the equator the year begins with daylight saving.
            pair.sort_unstable_by_key(|change| change.map(|change| change.at));
            pair.into_iter().flatten()
        })
    }

    /// When the clock is set forward in a year.
    fn forward(self, year: i32) -> Option<Transition> {
        let standard = self.standard();
        let local = |date: Date, hour: u8| {
            UnixTime(Civil::new(date, hour, 0, 0).seconds() - i64::from(standard))
        };
        let at = match self {
            Self::Utc | Self::Kolkata | Self::Tokyo => return None,
            Self::NewYork | Self::LosAngeles => {
                local(Date::new(year, 3, 8).weekday_on_or_after(SUNDAY), 2)
            }
            Self::SaoPaulo => match year {
                2019.. => return None,
                2018 => local(Date::new(year, 11, 1).weekday_on_or_after(SUNDAY), 0),
                _ => local(Date::new(year, 10, 15).weekday_on_or_after(SUNDAY), 0),
            },
            Self::London | Self::Berlin => europe(Date::new(year, 3, 1)),
            Self::Sydney => local(Date::new(year, 10, 1).weekday_on_or_after(SUNDAY), 2),
            Self::Cairo if year < 2023 => return None,
            Self::Cairo => local(Date::new(year, 4, 1).last_weekday_of_month(FRIDAY), 0),
        };
        Some(Transition { at, before: standard, after: standard + self.saving() })
    }

    /// When the clock is set back in a year.
    fn back(self, year: i32) -> Option<Transition> {
        let summer = self.standard() + self.saving();
        let local = |date: Date, hour: u8| {
            UnixTime(Civil::new(date, hour, 0, 0).seconds() - i64::from(summer))
        };
        let at = match self {
            Self::Utc | Self::Kolkata | Self::Tokyo => return None,
            Self::NewYork | Self::LosAngeles => {
                local(Date::new(year, 11, 1).weekday_on_or_after(SUNDAY), 2)
            }
            Self::SaoPaulo => match year {
                2020.. => return None,
                // A week later, so as not to fall into carnival.
                2012 | 2015 => local(Date::new(year, 2, 22).weekday_on_or_after(SUNDAY), 0),
                _ => local(Date::new(year, 2, 15).weekday_on_or_after(SUNDAY), 0),
            },
            Self::London | Self::Berlin => europe(Date::new(year, 10, 1)),
            Self::Sydney => local(Date::new(year, 4, 1).weekday_on_or_after(SUNDAY), 3),
            Self::Cairo if year < 2023 => return None,
            Self::Cairo => {
                let thursday = Date::new(year, 10, 1).last_weekday_of_month(THURSDAY);
                local(Date::from_days(thursday.days() + 1), 0)
            }
        };
        Some(Transition { at, before: summer, after: self.standard() })
    }
}

fn year_of(at: UnixTime) -> i32 {
    Date::from_days(at.0.div_euclid(super::civil::DAY)).year
}

/// 1:00 UTC on the last Sunday of a month: all of the European Union changes at one moment.
const fn europe(month: Date) -> UnixTime {
    UnixTime(Civil::new(month.last_weekday_of_month(SUNDAY), 1, 0, 0).seconds())
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
