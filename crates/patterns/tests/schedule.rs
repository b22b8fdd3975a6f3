//! The rules of schedules: the calendar, zones, cron expressions, overlaps, what was missed.

use patterns::schedule::catch_up::{CatchUp, MISSED_MAX, TEMPORAL_WINDOW};
use patterns::schedule::delayed::Settings as DelayedSettings;
use patterns::schedule::overlap::{Busy, Stop};
use patterns::schedule::scheduler::{Event, Promptness, overlap_of};
use patterns::schedule::zone::Moments;
use patterns::schedule::{
    Civil, Clock, Cron, CronError, Date, DelayedJobs, Dialect, JobId, Overlap, Scheduler, UnixTime,
    Zone,
};
use sim::{SimDuration, SimTime};

/// `2026-03-29 02:30` on the clock, without a zone.
fn civil(text: &str) -> Civil {
    let (date, time) = text.split_once(' ').expect("a date and a time");
    let date: Vec<i32> = date.split('-').map(|part| part.parse().expect("a number")).collect();
    let time: Vec<u8> = time.split(':').map(|part| part.parse().expect("a number")).collect();
    let second = time.get(2).copied().unwrap_or(0);
    Civil::new(Date::new(date[0], date[1] as u8, date[2] as u8), time[0], time[1], second)
}

fn utc(text: &str) -> UnixTime {
    UnixTime(civil(text).seconds())
}

#[test]
fn dates_and_days_are_one_to_one() {
    let rows = [
        ((1970, 1, 1), 0, 4),
        ((1969, 12, 31), -1, 3),
        ((2000, 2, 29), 11_016, 2),
        ((2000, 3, 1), 11_017, 3),
        ((2026, 11, 29), 20_786, 0),
        ((1900, 3, 1), -25_508, 4),
    ];
    for ((year, month, day), days, weekday) in rows {
        let date = Date::new(year, month, day);
        assert_eq!((date.days(), date.weekday()), (days, weekday), "{date}");
        assert_eq!(Date::from_days(days), date);
    }
    for days in -200_000..200_000 {
        let date = Date::from_days(days);
        assert_eq!(date.days(), days);
        assert!((1..=date.days_in_month()).contains(&date.day), "{date}");
    }
    let days = [1900, 2000, 2023, 2024].map(|year| Date::new(year, 2, 1).days_in_month());
    assert_eq!(days, [28, 29, 28, 29]);
    assert_eq!(Date::new(2026, 3, 1).last_weekday_of_month(0), Date::new(2026, 3, 29));
    assert_eq!(Date::new(2026, 3, 8).weekday_on_or_after(0), Date::new(2026, 3, 8));
    assert_eq!(Date::new(2026, 3, 9).weekday_on_or_after(0), Date::new(2026, 3, 15));
}

/// Changes as the tz database has them.
#[test]
fn clocks_change_when_the_law_says() {
    let rows = [
        (Zone::NewYork, "2026-01-01 00:00", "2026-03-08 07:00", -5, -4),
        (Zone::NewYork, "2026-06-01 00:00", "2026-11-01 06:00", -4, -5),
        (Zone::LosAngeles, "2026-01-01 00:00", "2026-03-08 10:00", -8, -7),
        (Zone::Berlin, "2026-01-01 00:00", "2026-03-29 01:00", 1, 2),
        (Zone::Berlin, "2026-06-01 00:00", "2026-10-25 01:00", 2, 1),
        (Zone::London, "2026-01-01 00:00", "2026-03-29 01:00", 0, 1),
        (Zone::London, "2026-06-01 00:00", "2026-10-25 01:00", 1, 0),
        (Zone::SaoPaulo, "2018-06-01 00:00", "2018-11-04 03:00", -3, -2),
        (Zone::SaoPaulo, "2018-12-01 00:00", "2019-02-17 02:00", -2, -3),
        (Zone::SaoPaulo, "2015-01-01 00:00", "2015-02-22 02:00", -2, -3),
        (Zone::SaoPaulo, "2017-06-01 00:00", "2017-10-15 03:00", -3, -2),
        (Zone::Sydney, "2026-01-01 00:00", "2026-04-04 16:00", 11, 10),
        (Zone::Sydney, "2026-06-01 00:00", "2026-10-03 16:00", 10, 11),
        (Zone::Cairo, "2024-01-01 00:00", "2024-04-25 22:00", 2, 3),
        (Zone::Cairo, "2024-06-01 00:00", "2024-10-31 21:00", 3, 2),
        (Zone::Cairo, "2018-01-01 00:00", "2023-04-27 22:00", 2, 3),
    ];
    for (zone, after, at, before, later) in rows {
        let change = zone.next_transition(utc(after)).expect("there is one");
        let hours = |offset: i32| f64::from(offset) / 3_600.0;
        assert_eq!(
            change.at,
            utc(at),
            "{zone} after {after}: {}",
            Civil::from_seconds(change.at.0)
        );
        assert_eq!(
            (hours(change.before), hours(change.after)),
            (f64::from(before), f64::from(later))
        );
        assert_eq!(zone.offset(UnixTime(change.at.0 - 1)), change.before, "{zone}");
        assert_eq!(zone.offset(change.at), change.after, "{zone}");
    }
    for zone in [Zone::Utc, Zone::Kolkata, Zone::Tokyo] {
        assert_eq!(zone.next_transition(utc("2026-01-01 00:00")), None, "{zone}");
    }
    assert_eq!(Zone::SaoPaulo.next_transition(utc("2019-03-01 00:00")), None, "abolished");
    assert_eq!(Zone::Kolkata.offset(utc("2026-01-01 00:00")), 5 * 3_600 + 1_800);
    assert_eq!(Zone::Kolkata.clock(utc("2026-01-01 00:00")), civil("2026-01-01 05:30"));
}

#[test]
fn zones_have_their_names() {
    for zone in Zone::ALL {
        assert_eq!(Zone::named(zone.name()), Some(zone));
        assert!(zone.valid_from() <= 2015, "{zone}");
    }
    assert_eq!(Zone::named("Mars/Olympus"), None);
}

/// The course's 2026: which local times are skipped and which come twice.
#[test]
fn some_times_do_not_exist_and_some_come_twice() {
    let rows = [
        (Zone::Berlin, "2026-03-29 01:59:59", "one"),
        (Zone::Berlin, "2026-03-29 02:00", "gap"),
        (Zone::Berlin, "2026-03-29 02:30", "gap"),
        (Zone::Berlin, "2026-03-29 03:00", "one"),
        (Zone::Berlin, "2026-10-25 02:30", "fold"),
        (Zone::NewYork, "2026-03-08 02:30", "gap"),
        (Zone::NewYork, "2026-11-01 01:30", "fold"),
        (Zone::NewYork, "2026-11-01 02:30", "one"),
        (Zone::London, "2026-03-29 02:30", "one"),
        (Zone::London, "2026-03-29 01:30", "gap"),
        (Zone::London, "2026-10-25 01:30", "fold"),
        (Zone::Utc, "2026-03-29 02:30", "one"),
        (Zone::Cairo, "2024-04-26 00:30", "gap"),
        (Zone::Sydney, "2026-04-05 02:30", "fold"),
    ];
    for (zone, text, expected) in rows {
        let local = civil(text);
        let actual = match zone.moments(local) {
            Moments::Gap(jump) => {
                assert!(zone.clock(jump) > local, "{zone} {text}");
                assert!(zone.clock(UnixTime(jump.0 - 1)) < local, "{zone} {text}");
                "gap"
            }
            Moments::One(at) => {
                assert_eq!(zone.clock(at), local);
                "one"
            }
            Moments::Fold(first, second) => {
                assert_eq!((zone.clock(first), zone.clock(second)), (local, local));
                assert_eq!(second.0 - first.0, 3_600);
                "fold"
            }
        };
        assert_eq!(actual, expected, "{zone} {text}");
    }
}

/// The next times of an expression after a moment, on the zone's clock with its offset in hours.
#[track_caller]
fn due(text: &str, dialect: Dialect, zone: Zone, after: &str, expected: &[&str]) {
    let cron = Cron::parse(text, dialect).expect("it reads");
    let mut at = utc(after);
    for expected in expected {
        at = cron.next(at, zone).expect("it is due some day");
        let offset = f64::from(zone.offset(at)) / 3_600.0;
        assert_eq!(
            format!("{} {offset:+}", zone.clock(at)),
            *expected,
            "{text} {dialect:?} {zone}"
        );
    }
}

#[test]
fn expressions_mean_what_they_say() {
    let from = "2026-11-29 12:34:56";
    let rows: [(&str, &[&str]); 12] = [
        ("* * * * *", &["2026-11-29T12:35:00 +0", "2026-11-29T12:36:00 +0"]),
        ("*/15 * * * *", &["2026-11-29T12:45:00 +0", "2026-11-29T13:00:00 +0"]),
        ("5/20 9-10 * * *", &["2026-11-30T09:05:00 +0", "2026-11-30T09:25:00 +0"]),
        ("0 2 * * *", &["2026-11-30T02:00:00 +0", "2026-12-01T02:00:00 +0"]),
        ("0 0 1,15 * *", &["2026-12-01T00:00:00 +0", "2026-12-15T00:00:00 +0"]),
        ("0 0 29 2 *", &["2028-02-29T00:00:00 +0"]),
        ("0 9 * * mon-fri", &["2026-11-30T09:00:00 +0", "2026-12-01T09:00:00 +0"]),
        ("0 9 * dec sun", &["2026-12-06T09:00:00 +0", "2026-12-13T09:00:00 +0"]),
        (
            "0 0 13 * fri",
            &["2026-12-04T00:00:00 +0", "2026-12-11T00:00:00 +0", "2026-12-13T00:00:00 +0"],
        ),
        ("@daily", &["2026-11-30T00:00:00 +0"]),
        ("@hourly", &["2026-11-29T13:00:00 +0"]),
        ("@weekly", &["2026-12-06T00:00:00 +0"]),
    ];
    for (text, expected) in rows {
        due(text, Dialect::Robfig, Zone::Utc, from, expected);
        due(text, Dialect::Vixie, Zone::Utc, from, expected);
    }
    due("30 */5 * * * *", Dialect::Robfig, Zone::Utc, from, &["2026-11-29T12:35:30 +0"]);
    due("0 9 * * 7", Dialect::Vixie, Zone::Utc, from, &["2026-12-06T09:00:00 +0"]);
    let never = Cron::parse("0 0 30 2 *", Dialect::Robfig).expect("it reads");
    assert_eq!(never.next(utc(from), Zone::Utc), None);
}

#[test]
fn a_stepped_star_is_a_star_to_one_and_not_to_the_other() {
    // The 29th is a Sunday. Either: the next Monday, the 30th. Both: the next day of 1, 6, 11 …
    // that is a Monday.
    let text = "0 0 */5 * mon";
    let from = "2026-11-29 12:00";
    due(
        text,
        Dialect::Robfig,
        Zone::Utc,
        from,
        &["2026-11-30T00:00:00 +0", "2026-12-01T00:00:00 +0"],
    );
    due(
        text,
        Dialect::Vixie,
        Zone::Utc,
        from,
        &["2026-12-21T00:00:00 +0", "2027-01-11T00:00:00 +0"],
    );
}

#[test]
fn a_gap_is_skipped_or_made_up_for() {
    let from = "2026-03-28 12:00";
    due("30 2 * * *", Dialect::Robfig, Zone::Berlin, from, &["2026-03-30T02:30:00 +2"]);
    due(
        "30 2 * * *",
        Dialect::Vixie,
        Zone::Berlin,
        from,
        &["2026-03-29T03:00:00 +2", "2026-03-30T02:30:00 +2"],
    );
    // A day that begins at one o'clock.
    due("0 0 * * *", Dialect::Robfig, Zone::Cairo, "2024-04-25 00:00", &["2024-04-27T00:00:00 +3"]);
    due("0 0 * * *", Dialect::Vixie, Zone::Cairo, "2024-04-25 00:00", &["2024-04-26T01:00:00 +3"]);
    // What is due at the very jump runs once there.
    due(
        "0 2,3 * * *",
        Dialect::Vixie,
        Zone::Berlin,
        from,
        &["2026-03-29T03:00:00 +2", "2026-03-30T02:00:00 +2"],
    );
}

#[test]
fn a_fold_is_run_twice_or_once() {
    let from = "2026-10-24 12:00";
    due(
        "30 2 * * *",
        Dialect::Robfig,
        Zone::Berlin,
        from,
        &["2026-10-25T02:30:00 +2", "2026-10-25T02:30:00 +1", "2026-10-26T02:30:00 +1"],
    );
    due(
        "30 2 * * *",
        Dialect::Vixie,
        Zone::Berlin,
        from,
        &["2026-10-25T02:30:00 +2", "2026-10-26T02:30:00 +1"],
    );
}

#[test]
fn what_comes_every_hour_follows_the_elapsed_hour_in_both() {
    for dialect in [Dialect::Robfig, Dialect::Vixie] {
        due(
            "0 * * * *",
            dialect,
            Zone::Berlin,
            "2026-10-24 23:30",
            &["2026-10-25T02:00:00 +2", "2026-10-25T02:00:00 +1", "2026-10-25T03:00:00 +1"],
        );
        due(
            "0 * * * *",
            dialect,
            Zone::Berlin,
            "2026-03-28 23:30",
            &["2026-03-29T01:00:00 +1", "2026-03-29T03:00:00 +2"],
        );
    }
}

#[test]
fn utc_neither_skips_nor_repeats() {
    let nightly = Cron::parse("30 2 * * *", Dialect::Robfig).expect("it reads");
    let mut at = utc("2025-12-31 12:00");
    for _ in 0..730 {
        let next = nightly.next(at, Zone::Utc).expect("every day");
        assert_eq!(Zone::Utc.clock(next).hour, 2);
        assert!(next.0 - at.0 == 86_400 || at == utc("2025-12-31 12:00"));
        at = next;
    }
}

#[test]
fn what_does_not_read_says_why() {
    let unreadable = |field, part: &str| CronError::Unreadable { field, part: part.to_owned() };
    let empty = |field, part: &str| CronError::Empty { field, part: part.to_owned() };
    let rows = [
        ("* * * *", CronError::Fields { given: 4 }),
        ("* * * * * * *", CronError::Fields { given: 7 }),
        ("x * * * *", unreadable("minute", "x")),
        ("*/x * * * *", unreadable("minute", "*/x")),
        ("* * * foo *", unreadable("month", "foo")),
        ("60 * * * *", CronError::OutOfRange { field: "minute", given: 60, min: 0, max: 59 }),
        ("* 24 * * *", CronError::OutOfRange { field: "hour", given: 24, min: 0, max: 23 }),
        ("* * 0 * *", CronError::OutOfRange { field: "day of month", given: 0, min: 1, max: 31 }),
        ("* * * * 7", CronError::OutOfRange { field: "day of week", given: 7, min: 0, max: 6 }),
        ("5-3 * * * *", empty("minute", "5-3")),
        ("*/0 * * * *", empty("minute", "*/0")),
    ];
    for (text, expected) in rows {
        assert_eq!(Cron::parse(text, Dialect::Robfig), Err(expected), "{text}");
    }
    assert_eq!(Cron::parse("0 * * * * *", Dialect::Vixie), Err(CronError::Fields { given: 6 }));
}

#[test]
fn overlap_policies_decide_as_temporals_do() {
    let due = [3, 5, 7];
    let rows = [
        (Overlap::Skip, Busy::Running, None, vec![], None, 3),
        (Overlap::Skip, Busy::Idle, Some(3), vec![], None, 2),
        (Overlap::BufferOne, Busy::Running, None, vec![3], None, 2),
        (Overlap::BufferOne, Busy::Idle, Some(3), vec![5], None, 1),
        (Overlap::BufferAll, Busy::Running, None, vec![3, 5, 7], None, 0),
        (Overlap::BufferAll, Busy::Idle, Some(3), vec![5, 7], None, 0),
        (Overlap::CancelOther, Busy::Running, None, vec![3, 5, 7], Some(Stop::Cancel), 0),
        (Overlap::CancelOther, Busy::Idle, Some(7), vec![], None, 0),
        (Overlap::TerminateOther, Busy::Running, None, vec![3, 5, 7], Some(Stop::Terminate), 0),
        (Overlap::TerminateOther, Busy::Idle, Some(7), vec![], None, 0),
    ];
    for (policy, busy, start, buffer, stop, skipped) in rows {
        let actions = policy.decide(&due, busy);
        assert_eq!(
            (actions.start, actions.buffer, actions.stop, actions.skipped),
            (start, buffer, stop, skipped),
            "{policy:?} {busy:?}"
        );
        assert_eq!(actions.overlapping, []);
    }
    for busy in [Busy::Running, Busy::Idle] {
        assert_eq!(Overlap::AllowAll.decide(&due, busy).overlapping, due);
    }
}

#[test]
fn what_was_missed_is_forgotten_or_made_up_for() {
    let secs = SimDuration::from_secs;
    let missed: Vec<_> = [100, 200, 300, 400].map(UnixTime).to_vec();
    let rows = [
        (CatchUp::Forget, 400, vec![400]),
        (CatchUp::Forget, 401, vec![]),
        (CatchUp::All { within: secs(200) }, 400, vec![200, 300, 400]),
        (CatchUp::All { within: TEMPORAL_WINDOW }, 450, vec![100, 200, 300, 400]),
        (CatchUp::Latest { within: Some(secs(60)) }, 450, vec![400]),
        (CatchUp::Latest { within: Some(secs(60)) }, 460, vec![400]),
        (CatchUp::Latest { within: Some(secs(60)) }, 461, vec![]),
        (CatchUp::Latest { within: None }, 9_999, vec![400]),
    ];
    for (rule, now, expected) in rows {
        let chosen: Vec<_> = rule.choose(&missed, UnixTime(now)).iter().map(|at| at.0).collect();
        assert_eq!(chosen, expected, "{rule:?} at {now}");
    }
    let many: Vec<_> = (0..=MISSED_MAX as i64).map(UnixTime).collect();
    let latest = CatchUp::Latest { within: None };
    assert_eq!(latest.choose(&many[..MISSED_MAX], UnixTime(999)).len(), 1);
    assert_eq!(latest.choose(&many, UnixTime(999)), [], "more than a hundred: it gives up");
}

struct Runner {
    scheduler: Scheduler,
    told: Vec<String>,
}

impl Runner {
    /// From midnight UTC of 2026-11-29, hourly.
    fn new(overlap: Overlap, catch_up: CatchUp) -> Self {
        let cron = Cron::parse("@hourly", Dialect::Robfig).expect("it reads");
        let clock = Clock { start: utc("2026-11-29 00:00"), zone: Zone::Utc };
        Self { scheduler: Scheduler::new(cron, clock, overlap, catch_up), told: Vec::new() }
    }

    fn at(&mut self, minutes: u64, act: fn(&mut Scheduler, SimTime, &mut Vec<Event>)) -> String {
        let mut events = Vec::new();
        act(&mut self.scheduler, SimTime::from_secs(minutes * 60), &mut events);
        let told: Vec<_> = events
            .iter()
            .map(|event| match event {
                Event::Start { due, promptness } => {
                    let hour = Zone::Utc.clock(*due).hour;
                    format!(
                        "start {hour}{}",
                        if *promptness == Promptness::Late { " late" } else { "" }
                    )
                }
                Event::Stop(stop) => format!("{stop:?}"),
                Event::Skipped(count) => format!("skipped {count}"),
                Event::Missed(count) => format!("missed {count}"),
            })
            .collect();
        self.told.push(told.join(", "));
        told.join(", ")
    }

    fn advance(&mut self, minutes: u64) -> String {
        self.at(minutes, Scheduler::advance)
    }

    fn ended(&mut self, minutes: u64) -> String {
        self.at(minutes, Scheduler::ended)
    }
}

/// A run that takes 70 minutes where 50 are usual.
#[test]
fn an_hourly_job_of_seventy_minutes_skips_or_waits() {
    assert_eq!(
        overlap_of(SimDuration::from_secs(4_200), SimDuration::from_secs(3_600)).as_micros(),
        600_000_000
    );
    let mut skip = Runner::new(Overlap::Skip, CatchUp::Forget);
    assert_eq!(skip.advance(0), "start 0");
    assert_eq!(skip.scheduler.next_deadline(), Some(SimTime::from_secs(3_600)));
    assert_eq!(skip.advance(60), "skipped 1");
    assert_eq!(skip.ended(70), "");
    assert_eq!(skip.advance(120), "start 2");

    let mut wait = Runner::new(Overlap::BufferOne, CatchUp::Forget);
    assert_eq!(wait.advance(0), "start 0");
    assert_eq!(wait.advance(60), "");
    assert_eq!(wait.scheduler.waiting().len(), 1);
    assert_eq!(wait.ended(70), "start 1 late");
    assert_eq!(wait.scheduler.running(), 1);
}

#[test]
fn others_are_cancelled_once_or_run_side_by_side() {
    let mut cancel = Runner::new(Overlap::CancelOther, CatchUp::Forget);
    assert_eq!(cancel.advance(0), "start 0");
    assert_eq!(cancel.advance(60), "Cancel");
    assert_eq!(cancel.advance(120), "", "it has been asked to");
    assert_eq!(cancel.ended(130), "start 2 late", "the newest, and the older one is gone");
    let mut allow = Runner::new(Overlap::AllowAll, CatchUp::Forget);
    assert_eq!(allow.advance(0), "start 0");
    assert_eq!(allow.advance(60), "start 1");
    assert_eq!(allow.scheduler.running(), 2);
}

#[test]
fn a_scheduler_that_was_down_finds_what_it_missed() {
    let mut forget = Runner::new(Overlap::AllowAll, CatchUp::Forget);
    assert_eq!(forget.advance(200), "missed 4");
    let mut all = Runner::new(Overlap::AllowAll, CatchUp::All { within: TEMPORAL_WINDOW });
    assert_eq!(all.advance(200), "start 0 late, start 1 late, start 2 late, start 3 late");
    let mut latest = Runner::new(Overlap::Skip, CatchUp::Latest { within: None });
    assert_eq!(latest.advance(200), "missed 3, start 3 late");
}

#[test]
fn delayed_jobs_run_at_the_first_look_after_their_time() {
    let settings = DelayedSettings { period: SimDuration::from_secs(1), limit: 2 };
    let mut jobs = DelayedJobs::new(settings, SimTime::ZERO);
    for (millis, job) in [(1_500, 1), (1_500, 2), (1_200, 3), (900_000, 4), (3_000, 5)] {
        jobs.schedule(SimTime::from_millis(millis), JobId(job));
    }
    assert_eq!(jobs.next_deadline(), Some(SimTime::from_secs(2)));
    let mut due = Vec::new();
    jobs.advance(SimTime::from_secs(2), &mut due);
    assert_eq!(due, [JobId(3), JobId(1)], "two at a time, the oldest first");
    jobs.advance(SimTime::from_millis(2_900), &mut due);
    assert_eq!(due.len(), 2, "not before the next look");
    jobs.advance(SimTime::from_secs(3), &mut due);
    assert_eq!(due[2..], [JobId(2), JobId(5)], "whose time is this very moment, too");
    assert_eq!(jobs.next_deadline(), Some(SimTime::from_secs(900)));
    // The order was paid a second before.
    assert!(jobs.cancel(SimTime::from_secs(900), JobId(4)));
    assert!(!jobs.cancel(SimTime::from_secs(900), JobId(4)));
    assert!(jobs.is_empty() && jobs.next_deadline().is_none());
}
