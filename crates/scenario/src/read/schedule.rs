//! Schedulers.

use patterns::schedule::catch_up::CatchUp;
use patterns::schedule::{Civil, Clock, Cron, Date, Dialect, Overlap, UnixTime, Zone};
use sim::SimDuration;

use super::clock::clock_of_seconds;
use super::component::most_instances;
use super::time::{duration, optional, positive};
use crate::wire::{Reader, RecordReader, Value};
use crate::{Scheduler, Skew, limits};

#[inline(never)]
pub(super) fn scheduler(record: &mut RecordReader<'_>) -> Option<Scheduler> {
    let dialect = optional(record, "dialect", |r| {
        r.choice(&[("vixie", Dialect::Vixie), ("robfig", Dialect::Robfig)])
    });
    let dialect = dialect?.unwrap_or(Dialect::Robfig);
    let form = record.one_of(&["cron", "every"]);
    let cron = form.and_then(|(word, r)| match word {
        "cron" => cron(&r, r.text(limits::LABEL)?, dialect),
        _ => every(&r),
    });
    let zone = optional(record, "zone", |r| r.choice(&Zone::ALL.map(|zone| (zone.name(), zone))));
    let start = optional(record, "start", start);
    let overlap = optional(record, "overlap", |r| r.choice(&OVERLAPS));
    let catch_up = optional(record, "catch_up", catch_up);
    let count = optional(record, "count", |r| r.integer(1..=most_instances()));
    let lease = optional(record, "lease", positive);
    let restart_after = optional(record, "restart_after", duration);
    let skew = optional(record, "clock", clock_of_seconds);
    Some(Scheduler {
        cron: cron?,
        clock: Clock { start: start?.unwrap_or(UnixTime(0)), zone: zone?.unwrap_or(Zone::Utc) },
        skew: skew?.unwrap_or(Skew::NONE),
        overlap: overlap?.unwrap_or(Overlap::AllowAll),
        catch_up: catch_up?.unwrap_or(CatchUp::Forget),
        count: count?.unwrap_or(1),
        lease: lease?,
        restart_after: restart_after?,
    })
}

const OVERLAPS: [(&str, Overlap); 4] = [
    ("allow-all", Overlap::AllowAll),
    ("skip", Overlap::Skip),
    ("buffer-one", Overlap::BufferOne),
    ("buffer-all", Overlap::BufferAll),
];

fn cron(reader: &Reader<'_>, text: &str, dialect: Dialect) -> Option<Cron> {
    match Cron::parse(text, dialect) {
        Ok(cron) => Some(cron),
        Err(error) => {
            reader.error(
                error.to_string(),
                "write five fields, like \"0 3 * * *\" for three o’clock",
            );
            None
        }
    }
}

/// An interval, as the cron expression that it is.
fn every(reader: &Reader<'_>) -> Option<Cron> {
    let every = positive(reader)?;
    let seconds = every.as_micros() / 1_000_000;
    let whole = SimDuration::from_secs(seconds) == every;
    let text = match seconds {
        1..60 if whole && 60 % seconds == 0 => format!("*/{seconds} * * * * *"),
        60..3_600 if whole && seconds % 60 == 0 && 60 % (seconds / 60) == 0 => {
            format!("0 */{} * * * *", seconds / 60)
        }
        3_600..86_400 if whole && seconds % 3_600 == 0 && 24 % (seconds / 3_600) == 0 => {
            format!("0 0 */{} * * *", seconds / 3_600)
        }
        86_400 if whole => "0 0 0 * * *".to_owned(),
        _ => {
            reader.error(
                "a clock cannot tell this interval",
                "write one that divides a minute, an hour or a day, or a “cron” expression",
            );
            return None;
        }
    };
    cron(reader, &text, Dialect::Robfig)
}

/// A moment in UTC: `"2026-03-29T00:30:00Z"`, or a date alone for its midnight.
fn start(reader: &Reader<'_>) -> Option<UnixTime> {
    let text = reader.text(limits::LABEL)?;
    let moment = moment(text);
    if moment.is_none() {
        reader.error(
            format!("“{text}” is not a moment"),
            "write a date and time in UTC, like \"2026-03-29T00:30:00Z\"",
        );
    }
    moment
}

fn moment(text: &str) -> Option<UnixTime> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, time) = text.split_once('T').unwrap_or((text, "00:00:00"));
    let mut date = date.split('-');
    let (year, month, day) = (date.next()?, date.next()?, date.next()?);
    let mut time = time.split(':');
    let (hour, minute, second) = (time.next()?, time.next()?, time.next().unwrap_or("0"));
    let year = year.parse().ok().filter(|year| (1970..=2100).contains(year))?;
    let small = |text: &str, most: u8| text.parse::<u8>().ok().filter(|number| *number <= most);
    let month = small(month, 12).filter(|month| *month > 0)?;
    let day = small(day, Date::new(year, month, 1).days_in_month()).filter(|day| *day > 0)?;
    let civil = Civil::new(
        Date::new(year, month, day),
        small(hour, 23)?,
        small(minute, 59)?,
        small(second, 59)?,
    );
    Some(UnixTime(civil.seconds()))
}

fn catch_up(reader: &Reader<'_>) -> Option<CatchUp> {
    if matches!(reader.value(), Value::Text(_)) {
        return reader
            .choice(&[("forget", CatchUp::Forget), ("latest", CatchUp::Latest { within: None })]);
    }
    let (word, inner) = reader.variant(&["all", "latest"])?;
    let mut record = inner.record()?;
    let within = record.required("within").and_then(|r| duration(&r));
    record.finish();
    within.map(|within| match word {
        "all" => CatchUp::All { within },
        _ => CatchUp::Latest { within: Some(within) },
    })
}
