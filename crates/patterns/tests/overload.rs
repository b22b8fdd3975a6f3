//! The rules of overload and fairness.

use patterns::fairness::{Lanes, Priority, Shards};
use patterns::overload::shedding::Verdict;
use patterns::overload::{
    Admission, BoundedBuffer, Class, Load, Rate, Saturation, Shedding, Throttled, TokenBucket,
    WhenFull,
};
use sim::{SimDuration, SimTime};

const fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// F-STORM-2: the rows up to 35 are the course’s own.
#[test]
fn goodput_falls_past_saturation_down_to_its_floor() {
    let course = Saturation { capacity: 20, waste_percent: 100, floor_percent: 25 };
    let half = Saturation { waste_percent: 50, ..course };
    let free = Saturation { waste_percent: 0, ..course };
    let rows = [
        (course, 0, 0),
        (course, 20, 20),
        (course, 21, 19),
        (course, 30, 10),
        (course, 35, 5),
        (course, 300, 5),
        (course, u32::MAX, 5),
        (half, 30, 15),
        (half, 40, 10),
        (free, 300, 20),
        (course.at_percent(40), 8, 8),
        (course.at_percent(40), 9, 7),
    ];
    for (server, offered, served) in rows {
        assert_eq!(server.served(offered), served, "{server:?} offered {offered}");
    }
}

#[test]
fn a_full_buffer_blocks_refuses_or_drops() {
    let rows = [
        (WhenFull::Block, Admission::Blocked, vec![1, 2, 3], (0, 0)),
        (WhenFull::Refuse, Admission::Refused, vec![1, 2], (1, 0)),
        (WhenFull::DropNewest, Admission::Dropped, vec![1, 2], (0, 1)),
        (WhenFull::DropOldest, Admission::Replaced(1), vec![2, 3], (0, 1)),
    ];
    for (when_full, third, taken, (refused, dropped)) in rows {
        let mut buffer = BoundedBuffer::new(2, when_full);
        let admissions = [1, 2, 3].map(|item| buffer.offer(item));
        assert_eq!(admissions, [Admission::Accepted, Admission::Accepted, third], "{when_full:?}");
        assert_eq!(buffer.len(), 2);
        assert_eq!(buffer.blocked(), usize::from(when_full == WhenFull::Block));
        let mut left = Vec::new();
        while let Some(item) = buffer.take() {
            left.push(item);
        }
        assert_eq!(left, taken, "{when_full:?}");
        assert_eq!((buffer.refused(), buffer.dropped()), (refused, dropped), "{when_full:?}");
        assert!(buffer.is_empty());
    }
}

/// 1,000 come and 800 leave each second: full at 500 s, then 200 a second are refused.
#[test]
fn a_bound_turns_growth_into_refusals() {
    let mut buffer = BoundedBuffer::new(100_000, WhenFull::Refuse);
    let mut full_at = None;
    for second in 1..=600_u64 {
        for _ in 0..800.min(buffer.len()) {
            buffer.take();
        }
        for item in 0..1_000_u32 {
            buffer.offer(item);
        }
        if buffer.len() == 100_000 && full_at.is_none() {
            full_at = Some(second);
        }
    }
    assert_eq!(full_at, Some(496), "800 are always on their way out: 500 s, less what is at work");
    assert_eq!(buffer.refused(), (600 - 496) * 200);
    assert_eq!(buffer.len() / 800, 125, "seconds of wait, at the most");
}

#[test]
fn a_bucket_gives_its_burst_then_its_rate() {
    let rate = Rate { tokens: 2, per: SimDuration::from_secs(1) };
    let mut bucket = TokenBucket::new(rate, 3);
    assert_eq!([(); 3].map(|()| bucket.take(at(0))), [Ok(()); 3]);
    let refused = Throttled { retry_at: at(500), retry_after_secs: 1 };
    assert_eq!(bucket.take(at(0)), Err(refused));
    assert_eq!(bucket.take(at(499)), Err(Throttled { retry_at: at(500), ..refused }));
    assert_eq!(bucket.take(at(500)), Ok(()));
    assert_eq!(bucket.tokens(at(60_000)), 3, "never more than the burst");
    assert_eq!(bucket.refused(), 2);
}

#[test]
fn a_slow_bucket_says_in_whole_seconds_when_to_come_again() {
    let rate = Rate { tokens: 2, per: SimDuration::from_secs(5) };
    let mut bucket = TokenBucket::new(rate, 1);
    bucket.take(at(0)).expect("it is full");
    let refused = bucket.take(at(100)).expect_err("it is empty");
    assert_eq!((refused.retry_at, refused.retry_after_secs), (at(2_500), 3));
    assert_eq!(bucket.take(refused.retry_at), Ok(()));
}

#[test]
fn no_fraction_of_a_token_is_lost() {
    let rate = Rate { tokens: 3, per: SimDuration::from_secs(1) };
    let mut bucket = TokenBucket::new(rate, 1);
    let served = (0..100_000_u64)
        .filter(|millis| bucket.take(SimTime::from_micros(millis * 1_001)).is_ok())
        .count();
    // One to begin with, then three a second, each at the next millisecond and a bit.
    assert!((299..=301).contains(&served), "{served}");
}

#[test]
fn lower_classes_are_shed_first() {
    let (promo, order, reset) = (Class(0), Class(1), Class(2));
    let mut shedding = Shedding::new(&[50, 80]);
    let rows = [
        (promo, 49, Verdict::Admit),
        (promo, 50, Verdict::Shed),
        (order, 79, Verdict::Admit),
        (order, 80, Verdict::Shed),
        (reset, 99, Verdict::Admit),
        (reset, 100, Verdict::Shed),
        (Class(9), 99, Verdict::Admit),
    ];
    for (class, depth, expected) in rows {
        let load = Load { taken: depth, room: 100 };
        assert_eq!(shedding.admit(class, load), expected, "{class:?} at {depth}");
    }
    assert_eq!([promo, order, reset].map(|class| shedding.shed(class)), [1, 1, 1]);
    let halved = Load { taken: 49, room: 50 };
    assert_eq!(shedding.admit(order, halved), Verdict::Shed, "half of the servers are gone");
    assert_eq!(shedding.admit(promo, Load { taken: 1, room: 3 }), Verdict::Admit, "one of 1.5");
}

/// How often each of two lanes is served in 100 turns.
fn turns(priority: Priority, has_work: [bool; 2]) -> [usize; 2] {
    let mut lanes = Lanes::new(priority, &[4, 1]);
    let mut served = [0; 2];
    for _ in 0..100 {
        if let Some(lane) = lanes.next(|lane| has_work[lane]) {
            served[lane] += 1;
        }
    }
    served
}

#[test]
fn strict_lanes_starve_and_weighted_lanes_share() {
    let rows = [
        (Priority::Strict, [true, true], [100, 0]),
        (Priority::Strict, [false, true], [0, 100]),
        (Priority::Weighted, [true, true], [80, 20]),
        (Priority::Weighted, [false, true], [0, 100]),
        (Priority::Weighted, [false, false], [0, 0]),
    ];
    for (priority, has_work, expected) in rows {
        assert_eq!(turns(priority, has_work), expected, "{priority:?} {has_work:?}");
    }
}

#[test]
fn weighted_turns_are_spread_out() {
    let mut lanes = Lanes::new(Priority::Weighted, &[5, 1, 1]);
    let order: Vec<_> = (0..7).filter_map(|_| lanes.next(|_| true)).collect();
    assert_eq!(order, [0, 0, 1, 0, 2, 0, 0]);
    // A lane that comes back has saved nothing up.
    let mut lanes = Lanes::new(Priority::Weighted, &[1, 1]);
    for _ in 0..50 {
        lanes.next(|lane| lane == 0);
    }
    let order: Vec<_> = (0..4).filter_map(|_| lanes.next(|_| true)).collect();
    assert_eq!(order.iter().filter(|lane| **lane == 1).count(), 2, "{order:?}");
}

#[test]
fn tenants_are_dealt_hands_that_seldom_meet() {
    let shards = Shards::new(8, 2);
    assert_eq!(shards.hands(), 28);
    assert!((shards.odds_of_sharing(2) - 0.036).abs() < 5e-4);
    assert!((shards.odds_of_sharing(0) - 0.536).abs() < 5e-4);
    let all: f64 = (0..=2).map(|shared| shards.odds_of_sharing(shared)).sum();
    assert!((all - 1.0).abs() < 1e-12);
    assert_eq!(shards.of(7, 3), shards.of(7, 3));
    let mut dealt = [0_u32; 8];
    let mut same = 0;
    for tenant in 0..8_000 {
        let hand = shards.of(1, tenant);
        assert!(hand.len() == 2 && hand[0] < hand[1] && hand[1] < 8, "{hand:?}");
        hand.iter().for_each(|queue| dealt[*queue as usize] += 1);
        same += u32::from(hand == shards.of(1, 9_999));
    }
    assert!(dealt.iter().all(|count| (1_850..2_150).contains(count)), "{dealt:?}");
    assert!((230..345).contains(&same), "one in 28 of 8,000: {same}");
    assert_eq!(Shards::new(3, 9).of(1, 1), [0, 1, 2]);
}
