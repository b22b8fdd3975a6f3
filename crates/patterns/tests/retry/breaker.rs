//! The circuit breaker, by diaries: `3 ok` is three successes, `2 fail` two failures, `1 slow` a slow
//! success, `4 call` four calls that ask to go through and do not come back.
//!
//! ```text
//! 0   2 ok      = closed
//! 0   4 call    = 4 permitted, closed
//! ```

use patterns::retry::breaker::{
    Breaker, HalfOpening, Outcome, Permission, Settings, State, Window,
};
use sim::{SimDuration, SimTime};

/// Ten calls, of which half may fail; ten seconds open; three trials.
const SMALL: Settings = Settings {
    failure_rate_percent: 50,
    slow_call_rate_percent: 100,
    slow_call: SimDuration::from_secs(60),
    wait_open: SimDuration::from_secs(10),
    permitted_half_open: 3,
    minimum_calls: 4,
    window: Window::Calls(10),
    half_opening: HalfOpening::ByCall,
};

#[track_caller]
fn check(settings: Settings, diary: &str) {
    let mut breaker = Breaker::new(settings);
    for line in diary.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (request, written) = line.split_once('=').expect("a line has an answer");
        let words: Vec<&str> = request.split_whitespace().collect();
        let [at, count, verb] = words[..] else { panic!("time, count, verb") };
        let seconds: f64 = at.parse().expect("seconds");
        let now = SimTime::from_micros((seconds * 1e6) as u64);
        let count: u32 = count.parse().expect("a count");
        let mut permitted = 0;
        for _ in 0..count {
            let secs = SimDuration::from_secs;
            match verb {
                "ok" => breaker.record(now, Outcome::Success, secs(1)),
                "fail" => breaker.record(now, Outcome::Failure, secs(1)),
                "slow" => breaker.record(now, Outcome::Success, secs(61)),
                "edge" => breaker.record(now, Outcome::Success, secs(60)),
                "call" => permitted += u32::from(breaker.acquire(now) == Permission::Permitted),
                "release" => breaker.release(),
                "advance" => breaker.advance(now),
                other => panic!("no request {other}"),
            }
        }
        let state = match breaker.state() {
            State::Closed => "closed".to_owned(),
            State::Open { until } => format!("open until {until}"),
            State::HalfOpen { permits } => format!("half open, {permits} left"),
        };
        let answer = if verb == "call" { format!("{permitted} permitted, {state}") } else { state };
        assert_eq!(written.trim(), answer, "left: the diary; right: the answer to {request}");
    }
}

#[test]
fn it_opens_at_the_threshold_once_there_are_enough_calls() {
    check(
        SMALL,
        "
        0   1 advance = closed
        0   3 fail    = closed
        0   1 ok      = open until 10 s
        ",
    );
    check(
        SMALL,
        "
        0   3 ok      = closed
        0   2 fail    = closed
        0   1 fail    = open until 10 s
        ",
    );
}

#[test]
fn old_calls_leave_the_window() {
    check(
        SMALL,
        "
        0   1 fail    = closed
        0   9 ok      = closed
        0   4 fail    = closed
        0   1 fail    = open until 10 s
        ",
    );
    // Of the last ten: the first failure is out, so five of ten are failures only now.
}

#[test]
fn the_minimum_is_the_window_if_that_is_smaller() {
    let settings = Settings { minimum_calls: 100, window: Window::Calls(3), ..SMALL };
    check(
        settings,
        "
        0   2 fail    = closed
        0   1 fail    = open until 10 s
        ",
    );
}

#[test]
fn it_turns_half_open_at_the_first_call_strictly_after_the_wait() {
    check(
        SMALL,
        "
        0   4 fail    = open until 10 s
        9   1 call    = 0 permitted, open until 10 s
        10  1 call    = 0 permitted, open until 10 s
        30  0 advance = open until 10 s
        10.000001 1 call = 1 permitted, half open, 2 left
        ",
    );
}

#[test]
fn half_open_lets_so_many_through_and_decides_when_they_are_back() {
    check(
        SMALL,
        "
        0   4 fail    = open until 10 s
        11  5 call    = 3 permitted, half open, 0 left
        11  2 ok      = half open, 0 left
        11  1 call    = 0 permitted, half open, 0 left
        11  1 fail    = closed
        11  3 fail    = closed
        11  1 fail    = open until 21 s
        ",
    );
    check(
        SMALL,
        "
        0   4 fail    = open until 10 s
        11  3 call    = 3 permitted, half open, 0 left
        12  1 ok      = half open, 0 left
        12  2 fail    = open until 22 s
        ",
    );
}

#[test]
fn a_trial_that_is_given_up_makes_room_for_another() {
    check(
        SMALL,
        "
        0   4 fail    = open until 10 s
        11  3 call    = 3 permitted, half open, 0 left
        12  1 release = half open, 1 left
        12  2 call    = 1 permitted, half open, 0 left
        ",
    );
}

#[test]
fn what_comes_back_while_it_is_open_changes_nothing() {
    check(
        SMALL,
        "
        0   4 fail    = open until 10 s
        5   9 fail    = open until 10 s
        5   9 ok      = open until 10 s
        ",
    );
}

#[test]
fn slow_calls_count_and_a_call_at_the_limit_is_not_slow() {
    check(
        SMALL,
        "
        0   4 slow    = open until 10 s
        ",
    );
    check(
        SMALL,
        "
        0   4 edge    = closed
        ",
    );
    check(
        Settings { slow_call_rate_percent: 50, ..SMALL },
        "
        0   2 ok      = closed
        0   2 slow    = open until 10 s
        ",
    );
}

#[test]
fn a_timer_can_turn_it_half_open() {
    let settings = Settings { half_opening: HalfOpening::ByTimer, ..SMALL };
    check(
        settings,
        "
        0   4 fail    = open until 10 s
        9   1 advance = open until 10 s
        10  1 advance = half open, 3 left
        ",
    );
    let mut breaker = Breaker::new(settings);
    assert_eq!(breaker.next_deadline(), None);
    for _ in 0..4 {
        breaker.record(SimTime::ZERO, Outcome::Failure, SimDuration::ZERO);
    }
    assert_eq!(breaker.next_deadline(), Some(SimTime::from_secs(10)));
}

#[test]
fn a_window_of_time_forgets_by_the_second() {
    let settings = Settings { window: Window::Time(10), ..SMALL };
    check(
        settings,
        "
        0   3 fail    = closed
        9   1 ok      = open until 19 s
        ",
    );
    check(
        settings,
        "
        0   3 fail    = closed
        10  1 ok      = closed
        10  3 ok      = closed
        ",
    );
}

#[test]
fn the_defaults_are_the_products() {
    let settings = Settings::resilience4j();
    check(
        settings,
        "
        0   99 fail   = closed
        0   1 ok      = open until 60 s
        61  11 call   = 10 permitted, half open, 0 left
        61  9 ok      = half open, 0 left
        61  1 ok      = closed
        ",
    );
}

#[test]
fn refusals_are_counted() {
    let mut breaker = Breaker::new(SMALL);
    for _ in 0..4 {
        breaker.record(SimTime::ZERO, Outcome::Failure, SimDuration::ZERO);
    }
    for _ in 0..7 {
        breaker.acquire(SimTime::from_secs(1));
    }
    assert_eq!(breaker.refused(), 7);
}
