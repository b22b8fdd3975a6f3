//! The rules of a fair queue, one diary a rule.

use broker::MessageId;
use broker::queue::{
    BodyId, Entry, FAIR_IN_FLIGHT, Fairness, GroupId, Kind, Queue, Received, Settings,
};
use proptest::prelude::*;
use sim::{SimDuration, SimTime};

use crate::diary::check;

const STANDARD: Settings = Settings::sqs_standard();
/// Noisy with more than half of what is in flight, and two messages.
const FAIR: Settings = Settings {
    kind: Kind::Fair(Fairness {
        share_percent: 50,
        in_flight: 2,
        calm: SimDuration::from_secs(300),
    }),
    ..STANDARD
};

#[test]
fn quiet_tenants_come_before_noisy_ones() {
    check(
        FAIR,
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    send 3 group 1     = on offer at 0
        0    send 4 group 1     = on offer at 0
        0    send 5 group 2     = on offer at 0
        0    send 6             = on offer at 0
        0    available          = 1, 2, 3, 4, 5, 6
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        0    noisy              = nothing
        0    receive 1          = 5:r3#1 until 30
        0    noisy              = g1
        0    available          = 6, 3, 4
        0    receive 2          = 6:r4#1 until 30, 3:r5#1 until 30
        0    receive 10         = 4:r6#1 until 30
        ",
    );
    // The same in a standard queue.
    check(
        STANDARD,
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    send 3 group 1     = on offer at 0
        0    send 4 group 2     = on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        0    receive 1          = 3:r3#1 until 30
        ",
    );
}

#[test]
fn a_tenant_needs_more_than_its_share_and_what_is_in_flight_counts() {
    check(
        FAIR,
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    send 3 group 2     = on offer at 0
        0    send 4 group 2     = on offer at 0
        0    send 5 group 1     = on offer at 0
        0    send 6 group 1     = on offer at 0
        0    send 7 group 2     = on offer at 0
        0    receive 4          = 1:r1#1 until 30, 2:r2#1 until 30, 3:r3#1 until 30, 4:r4#1 until 30
        0    receive 1          = 5:r5#1 until 30
        0    receive 1          = 7:r6#1 until 30
        0    noisy              = g1
        1    change r1 0        = on offer at 1
        1    change r2 0        = on offer at 1
        1    change r5 0        = on offer at 1
        1    purge              = purged 7
        1    noisy              = nothing
        ",
    );
    // What has lapsed is in flight no more.
    check(
        FAIR,
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        30   send 3 group 2     = on offer at 30
        30   receive 1          = 1:r3#2 until 60
        30   noisy              = nothing
        ",
    );
}

#[test]
fn thresholds_are_held_to_their_ranges_and_can_change() {
    let fair = |share_percent, in_flight, calm| {
        let calm = SimDuration::from_micros(calm);
        let kind = Kind::Fair(Fairness { share_percent, in_flight, calm });
        Settings { kind, ..STANDARD }
    };
    let told = |settings: Settings| settings.validate().map_err(|error| error.to_string());
    assert_eq!(told(fair(1, 1, 1)), Ok(()));
    assert_eq!(told(fair(100, 120_000, 1_209_600_000_000)), Ok(()));
    for (settings, field) in [
        (fair(0, 1, 1), "share_percent is 0"),
        (fair(101, 1, 1), "share_percent is 101"),
        (fair(1, 0, 1), "in_flight is 0"),
        (fair(1, 120_001, 1), "in_flight is 120001"),
        (fair(1, 1, 0), "calm is 0 s"),
    ] {
        assert!(told(settings).expect_err("out of range").starts_with(field), "{field}");
    }
    let mut queue = Queue::new(FAIR);
    queue.set_settings(fair(7, 7, 7));
    assert_eq!(queue.settings(), &fair(7, 7, 7));
}

#[test]
fn the_kind_of_a_queue_stays() {
    let kinds = [STANDARD, FAIR, Settings::sqs_fifo()];
    for made in kinds {
        for other in kinds {
            let mut queue = Queue::new(made);
            queue.set_settings(Settings { delay: SimDuration::from_secs(7), ..other });
            assert_eq!(queue.settings().kind, made.kind);
            assert_eq!(queue.settings().delay, SimDuration::from_secs(7));
        }
    }
}

#[test]
fn of_noisy_tenants_the_one_with_the_fewest_in_flight_comes_first() {
    let fairness = Fairness { share_percent: 10, in_flight: 2, calm: SimDuration::from_secs(300) };
    check(
        Settings { kind: Kind::Fair(fairness), ..STANDARD },
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    send 3 group 1     = on offer at 0
        0    send 4 group 2     = on offer at 0
        0    send 5 group 2     = on offer at 0
        0    send 6 group 1     = on offer at 0
        0    send 7 group 2     = on offer at 0
        0    receive 5          = 1:r1#1 until 30, 2:r2#1 until 30, 3:r3#1 until 30, 4:r4#1 until 30, 5:r5#1 until 30
        0    receive 1          = 7:r6#1 until 30
        0    noisy              = g1, g2
        0    receive 1          = 6:r7#1 until 30
        ",
    );
}

#[test]
fn a_tenant_is_quiet_again_when_its_backlog_is_gone() {
    check(
        FAIR,
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    send 3 group 1     = on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        0    receive 1          = 3:r3#1 until 30
        0    noisy              = g1
        1    delete r1          = deleted 1
        1    delete r2          = deleted 2
        1    receive 1          = nothing
        1    noisy              = nothing
        1    send 4 group 1     = on offer at 1
        1    send 5 group 2     = on offer at 1
        1    receive 1          = 4:r4#1 until 31
        ",
    );
}

#[test]
fn a_tenant_is_quiet_again_when_it_has_sent_nothing_for_five_minutes() {
    check(
        Settings { visibility_timeout: SimDuration::from_secs(1_000), ..FAIR },
        "
        0    send 1 group 1     = on offer at 0
        0    send 2 group 1     = on offer at 0
        0    send 3 group 1     = on offer at 0
        0    send 4 group 1     = on offer at 0
        0    receive 2          = 1:r1#1 until 1000, 2:r2#1 until 1000
        1    send 5 group 2     = on offer at 1
        1    send 6 group 2     = on offer at 1
        1    receive 1          = 5:r3#1 until 1001
        299  noisy              = g1
        300  receive 1          = 3:r4#1 until 1300
        300  noisy              = nothing
        301  send 7 group 1     = on offer at 301
        301  receive 1          = 6:r5#1 until 1301
        301  noisy              = g1
        ",
    );
}

#[test]
fn what_is_not_hidden_is_not_served_twice_by_one_receive() {
    check(
        Settings { max_receive_count: Some(2), ..FAIR },
        "
        0    send 1 group 1     = on offer at 0
        0    send 2             = on offer at 0
        0    receive 10 visibility 0 = 1:r1#1 until 0, 2:r2#1 until 0
        0    receive 1          = 1:r3#2 until 30
        1    change r3 0        = on offer at 1
        1    receive 10         = 2:r4#2 until 31, →1#2
        1    purge              = purged 1
        1    available          = nothing
        ",
    );
}

#[test]
fn thirty_in_flight_and_a_tenth_of_all_make_a_tenant_noisy() {
    let mut queue = Queue::new(Settings { kind: Kind::Fair(Fairness::sqs()), ..STANDARD });
    let now = SimTime::ZERO;
    let mut send = |group, count: u32| {
        for index in 0..count {
            let (delay, group) = (None, Some(GroupId(group)));
            let message = MessageId::from_index(index);
            let body = BodyId(0);
            let entry = Entry { message, bytes: 1, delay, group, deduplication: None, body };
            queue.send(now, entry).expect("sent");
        }
    };
    send(1, 300);
    send(2, 1);
    let receive = |queue: &mut Queue| {
        let mut received = Received::default();
        queue.receive(now, 1, None, &mut received).expect("received");
        received.deliveries[0].group
    };
    for _ in 0..FAIR_IN_FLIGHT {
        assert_eq!(receive(&mut queue), Some(GroupId(1)));
    }
    assert_eq!(receive(&mut queue), Some(GroupId(2)));
    assert_eq!(queue.noisy().collect::<Vec<_>>(), [GroupId(1)]);
}

proptest! {
    /// Whatever is sent and received: while a noisy tenant is served, no quiet one waits, and every
    /// message is served once.
    #[test]
    fn no_quiet_tenant_waits_while_a_noisy_one_is_served(
        tenants in prop::collection::vec(prop::option::of(0..4_u32), 1..60),
        sizes in prop::collection::vec(1..=10_u32, 1..40),
        percent in 1..=100_u32,
    ) {
        let fairness = Fairness { share_percent: percent, in_flight: 2, ..Fairness::sqs() };
        let mut queue = Queue::new(Settings { kind: Kind::Fair(fairness), ..STANDARD });
        let now = SimTime::ZERO;
        for (index, tenant) in tenants.iter().enumerate() {
            let message = MessageId::from_index(index as u32);
            let (deduplication, body) = (None, BodyId(0));
            let group = tenant.map(GroupId);
            let entry = Entry { message, bytes: 1, delay: None, group, deduplication, body };
            queue.send(now, entry).expect("sent");
        }
        let mut served = vec![false; tenants.len()];
        for max in sizes {
            let mut received = Received::default();
            queue.receive(now, max, None, &mut received).expect("received");
            let noisy: Vec<GroupId> = queue.noisy().collect();
            let is_noisy = |group: Option<GroupId>| group.is_some_and(|it| noisy.contains(&it));
            for delivery in &received.deliveries {
                let index = delivery.message.index();
                prop_assert!(!std::mem::replace(&mut served[index], true));
                if is_noisy(delivery.group) {
                    let waits = served.iter().zip(&tenants);
                    let mut waits = waits.filter(|(served, _)| !**served);
                    prop_assert!(waits.all(|(_, tenant)| is_noisy(tenant.map(GroupId))));
                }
            }
            let left = served.iter().filter(|served| !**served).count();
            prop_assert_eq!(queue.counts().available as usize, left);
            prop_assert_eq!(queue.available().count(), left);
        }
    }
}
