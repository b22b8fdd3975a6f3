//! The rules of the queue, one diary a rule.

mod batch;
mod claim_check;
mod diary;
mod fair;
mod fifo;
mod fifo_model;
mod fifo_properties;
mod model;
mod properties;
mod redrive;
mod sample;

use broker::queue::{Receipts, Settings};
use diary::check;
use sim::SimDuration;

const STANDARD: Settings = Settings::sqs_standard();

#[test]
fn a_receive_hides_the_message_until_its_timeout_runs_out() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        1    receive 1          = 1:r1#1 until 31
        1    receive 10         = 2:r2#1 until 31
        1    receive 10         = nothing
        30   advance            = nothing; next at 31
        31   advance            = visible 1#1, visible 2#1; next at 345600
        31   receive 10         = 1:r3#2 until 61, 2:r4#2 until 61
        ",
    );
}

#[test]
fn messages_are_served_in_the_order_of_their_first_send() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        1    send 2             = on offer at 1
        1    receive 10         = 1:r1#1 until 31, 2:r2#1 until 31
        2    send 3             = on offer at 2
        2    send 4             = on offer at 2
        2    change r2 0        = on offer at 2
        2    change r1 0        = on offer at 2
        2    receive 3          = 1:r3#2 until 32, 2:r4#2 until 32, 3:r5#1 until 32
        2    receive 3          = 4:r6#1 until 32
        ",
    );
}

#[test]
fn a_visibility_of_zero_leaves_the_message_on_offer() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    receive 10 visibility 0 = 1:r1#1 until 0
        0    receive 10 visibility 0 = 1:r2#2 until 0
        0    counts             = 1 available, 0 delayed, 0 in flight
        0    delete r2          = deleted 1
        ",
    );
}

#[test]
fn a_change_of_visibility_counts_from_now_and_for_this_receive_only() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        10   change r1 5        = on offer at 15
        15   advance            = visible 1#1; next at 345600
        15   receive 1          = 1:r2#2 until 45
        20   change r2 100      = on offer at 120
        50   advance            = nothing; next at 120
        50   change r2 0        = on offer at 50
        50   receive 1          = 1:r3#3 until 80
        ",
    );
}

#[test]
fn what_is_hidden_is_told_in_the_order_of_hiding() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        1    receive 1          = 1:r1#1 until 31
        2    receive 1          = 2:r2#1 until 32
        2    hidden             = 1 since 1 until 31, 2 since 2 until 32
        5    change r1 60       = on offer at 65
        5    hidden             = 2 since 2 until 32, 1 since 5 until 65
        ",
    );
}

#[test]
fn a_message_can_be_shown_at_once_however_long_ago_it_was_received() {
    check(
        STANDARD,
        "
        0     send 1            = on offer at 0
        0     receive 1         = 1:r1#1 until 30
        43201 change r1 0       = on offer at 43201
        43201 change r1 1       = refused: the message would be hidden for 43202 s since its receive: at most 43200 s are allowed
        ",
    );
}

#[test]
fn a_change_works_after_expiry_and_with_an_old_receipt() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        31   change r1 10       = on offer at 41
        31   receive 1          = nothing
        41   receive 1          = 1:r2#2 until 71
        42   change r1 0        = on offer at 42
        42   receive 1          = 1:r3#3 until 72
        43   change r1 60       = on offer at 103
        72   advance            = visible 1#1, visible 1#1; next at 103
        ",
    );
}

#[test]
fn a_change_is_refused_where_it_makes_no_sense() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    change garbage 1   = refused: this queue never gave out such a receipt
        0    receive 1          = 1:r1#1 until 30
        0    change r1 43200.1  = refused: the visibility timeout is 43200.1 s: it must be from 0 s to 43200 s
        0    change r1 43200    = on offer at 43200
        1    change r1 43199    = on offer at 43200
        1    change r1 43199.1  = refused: the message would be hidden for 43200.1 s since its receive: at most 43200 s are allowed
        1    advance            = nothing; next at 43200
        1    delete r1          = deleted 1
        1    change r1 0        = refused: the message has left the queue
        ",
    );
}

#[test]
fn the_twelve_hours_start_anew_with_each_receive() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        30   receive 1          = 1:r2#2 until 60
        40   change r2 43190    = on offer at 43230
        50   change r1 43180.1  = refused: the message would be hidden for 43200.1 s since its receive: at most 43200 s are allowed
        ",
    );
}

#[test]
fn a_delete_needs_the_latest_receipt_if_receipts_are_strict() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        30   receive 1          = 1:r2#2 until 60
        31   delete r1          = refused: message 1 has been received again: its receipt is outdated
        31   counts             = 0 available, 0 delayed, 1 in flight
        31   delete r2          = deleted 1
        31   delete r1          = gone before
        ",
    );
}

#[test]
fn a_delete_takes_any_receipt_if_receipts_are_lenient() {
    check(
        Settings { receipts: Receipts::Lenient, ..STANDARD },
        "
        0    send 1             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        30   receive 1          = 1:r2#2 until 60
        31   delete r1          = deleted 1
        31   delete r2          = gone before
        60   advance            = visible 1#1; next at never
        ",
    );
}

#[test]
fn a_delete_works_after_the_timeout_unless_received_again_and_is_idempotent() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    delete garbage     = refused: this queue never gave out such a receipt
        0    receive 1          = 1:r1#1 until 30
        31   delete r1          = deleted 1
        31   delete r1          = gone before
        31   receive 1          = nothing
        ",
    );
}

#[test]
fn a_receipt_does_not_outlive_its_message_in_the_same_slot() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        0    delete r1          = deleted 1
        0    send 2             = on offer at 0
        0    delete r1          = gone before
        0    change r1 0        = refused: the message has left the queue
        0    receive 1          = 2:r2#1 until 30
        0    delete r1          = gone before
        0    change r1 0        = refused: the message has left the queue
        0    delete r2          = deleted 2
        ",
    );
}

#[test]
fn a_request_at_the_deadline_is_in_time() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        30   delete r1          = deleted 1
        30   change r2 30       = on offer at 60
        30   advance            = nothing; next at 60
        ",
    );
}

#[test]
fn a_caller_that_is_late_hears_of_every_lapse() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    send 2 delay 5     = on offer at 5
        0    receive 1          = 1:r1#1 until 30
        40   delete r1          = deleted 1
        40   receive 10         = 2:r2#1 until 70
        50   advance            = delay over 2, visible 1#1; next at 70
        ",
    );
}

#[test]
fn a_delay_keeps_a_message_back_and_its_own_delay_replaces_the_queues() {
    check(
        Settings { delay: SimDuration::from_secs(10), ..STANDARD },
        "
        0    send 1             = on offer at 10
        0    send 2 delay 0     = on offer at 0
        0    send 3 delay 900   = on offer at 900
        0    send 4 delay 900.1 = refused: the delay is 900.1 s: it must be from 0 s to 900 s
        0    receive 10         = 2:r1#1 until 30
        5    counts             = 0 available, 2 delayed, 1 in flight
        9    advance            = nothing; next at 10
        10   advance            = delay over 1; next at 30
        10   receive 10         = 1:r2#1 until 40
        20   set delay 0        = set
        20   send 5             = on offer at 20
        20   receive 10         = 5:r3#1 until 50
        ",
    );
}

#[test]
fn a_receive_beyond_the_limit_moves_the_message_and_does_not_return_it() {
    check(
        Settings { max_receive_count: Some(2), ..STANDARD },
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        0    receive 1          = 1:r1#1 until 30
        30   receive 1          = 1:r2#2 until 60
        60   advance            = visible 1#1, visible 1#2; next at 345600
        90   counts             = 2 available, 0 delayed, 0 in flight
        90   receive 1          = 2:r3#1 until 120, →1#2
        90   change r2 0        = refused: the message has left the queue
        90   delete r2          = gone before
        ",
    );
}

#[test]
fn what_is_moved_does_not_use_up_the_receive() {
    check(
        Settings { max_receive_count: Some(1), ..STANDARD },
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        0    receive 2 visibility 0 = 1:r1#1 until 0, 2:r2#1 until 0
        1    send 3             = on offer at 1
        1    send 4             = on offer at 1
        1    receive 2          = 3:r3#1 until 31, 4:r4#1 until 31, →1#1, →2#1
        ",
    );
}

#[test]
fn the_dead_letter_queue_goes_on_counting_and_keeps_the_first_send() {
    check(
        Settings { max_receive_count: Some(1), retention: SimDuration::from_secs(100), ..STANDARD },
        "
        0    send 1             = on offer at 0
        10   receive 1          = 1:r1#1 until 40
        40   receive 1          = →1#1
        40   aside:advance      = nothing; next at 100
        100  aside:advance      = expired 1; next at never
        ",
    );
    check(
        Settings { max_receive_count: Some(2), ..STANDARD },
        "
        0    send 1             = on offer at 0
        0    receive 1 visibility 0 = 1:r1#1 until 0
        0    receive 1 visibility 0 = 1:r2#2 until 0
        0    receive 1          = →1#2
        0    aside:receive      = →1#2
        ",
    );
}

#[test]
fn retention_runs_from_the_first_send_wherever_the_message_is() {
    check(
        Settings { retention: SimDuration::from_secs(60), ..STANDARD },
        "
        0    send 1             = on offer at 0
        1    send 2             = on offer at 1
        2    send 3 delay 100   = on offer at 102
        40   receive 1          = 1:r1#1 until 70
        60   advance            = expired 1; next at 61
        60   delete r1          = gone before
        60   change r1 1        = refused: the message has left the queue
        62   advance            = expired 2, expired 3; next at never
        62   receive 10         = nothing
        ",
    );
}

#[test]
fn a_new_retention_holds_for_what_is_stored() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        1    set retention 60   = set
        1    advance            = nothing; next at 60
        60   advance            = expired 1; next at never
        ",
    );
}

#[test]
fn what_expires_comes_before_what_comes_on_offer() {
    check(
        Settings { retention: SimDuration::from_secs(60), ..STANDARD },
        "
        0    send 1             = on offer at 0
        30   receive 1          = 1:r1#1 until 60
        40   send 2 delay 20    = on offer at 60
        60   advance            = expired 1, delay over 2; next at 100
        ",
    );
}

#[test]
fn a_purge_takes_everything_once_a_minute() {
    check(
        STANDARD,
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        0    send 3 delay 2     = on offer at 2
        0    receive 1          = 1:r1#1 until 30
        1    purge              = purged 3
        1    counts             = 0 available, 0 delayed, 0 in flight
        1    delete r1          = gone before
        1    change r1 0        = refused: the message has left the queue
        40   advance            = nothing; next at never
        40   send 4             = on offer at 40
        60   purge              = refused: one purge in 60 s: the next is possible at 61 s
        60   receive 10         = 4:r2#1 until 90
        61   purge              = purged 1
        ",
    );
}

#[test]
fn at_the_cap_a_short_poll_is_an_error_and_a_long_poll_empty() {
    check(
        Settings { max_in_flight: 3, ..STANDARD },
        "
        0    send 1             = on offer at 0
        0    send 2             = on offer at 0
        0    send 3             = on offer at 0
        0    send 4             = on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        0    receive 2          = 3:r3#1 until 30
        0    receive 1          = refused: 3 messages are in flight, as many as may be: ack some first
        0    receive 1 wait 20  = nothing
        1    delete r2          = deleted 2
        1    receive 1          = 4:r4#1 until 31
        ",
    );
}

#[test]
fn requests_are_held_to_their_ranges() {
    check(
        STANDARD,
        "
        0    send 1 bytes 0       = refused: a message needs at least one byte
        0    send 1 bytes 1048577 = refused: the message has 1048577 bytes, and the queue takes 1048576
        0    send 1 bytes 1048576 = on offer at 0
        0    receive 0            = refused: a receive of 0 messages: it must be from 1 to 10
        0    receive 11           = refused: a receive of 11 messages: it must be from 1 to 10
        0    receive 1 visibility 43200.1 = refused: the visibility timeout is 43200.1 s: it must be from 0 s to 43200 s
        0    receive 1 wait 20.1  = refused: the wait is 20.1 s: it must be from 0 s to 20 s
        0    receive 1 visibility 43200 wait 20 = 1:r1#1 until 43200
        ",
    );
}
