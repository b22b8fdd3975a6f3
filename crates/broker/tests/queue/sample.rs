//! What a short poll may miss.

use broker::queue::{Fairness, Kind, Sample, Settings};

use crate::diary::check;

const STANDARD: Settings = Settings::sqs_standard();

#[test]
fn a_short_poll_sees_what_lies_on_the_servers_that_it_asks() {
    let kind = Kind::Fair(Fairness::sqs());
    for settings in [STANDARD, Settings { kind, ..STANDARD }] {
        check(
            settings,
            "
            0    send 1             = on offer at 0
            0    send 2             = on offer at 0
            0    send 3             = on offer at 0
            0    send 4             = on offer at 0
            0    receive 10 asks 000 = nothing
            0    receive 10 asks 010 = 2:r1#1 until 30
            0    receive 10 asks 001 = 1:r2#1 until 30, 4:r3#1 until 30
            0    receive 10 wait 1 asks 010 = 3:r4#1 until 30
            ",
        );
    }
    check(
        Settings::sqs_fifo(),
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    receive 1 asks 00  = 1:r1#1 until 30
        ",
    );
}

#[test]
fn a_message_that_was_missed_keeps_its_place() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        0    send 3             = on offer at 0
        0    receive 1 asks 10  = 2:r1#1 until 30
        0    receive 2          = 1:r2#1 until 30, 3:r3#1 until 30
        ",
    );
}

#[test]
fn a_sample_is_of_1_to_64_servers() {
    assert_eq!(Sample::new(0, 1), None);
    assert!(Sample::new(64, 1).is_some());
    assert_eq!(Sample::new(65, 1), None);
}
