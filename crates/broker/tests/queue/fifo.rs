//! The rules of a FIFO queue, one diary a rule.

use broker::queue::{Deduplicate, Fifo, Kind, Scope, Settings};
use sim::SimDuration;

use crate::diary::check;

const FIFO: Settings = Settings::sqs_fifo();
/// Each message its own id: diaries about order need not give any.
const BY_CONTENT: Settings = Settings {
    kind: Kind::Fifo(Fifo { scope: Scope::Queue, deduplicate: Deduplicate::ByContent }),
    ..FIFO
};

#[test]
fn a_receive_takes_as_many_of_one_group_as_it_can_then_of_the_next() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 2 id 2 = s2 on offer at 0
        0    send 3 group 1 id 3 = s3 on offer at 0
        0    send 4 group 1 id 4 = s4 on offer at 0
        0    available          = 1, 3, 4, 2
        0    receive 2          = 1:r1#1 until 30, 3:r2#1 until 30
        0    receive 10         = 2:r3#1 until 30
        0    available          = 4
        ",
    );
}

#[test]
fn a_group_stands_still_behind_its_first_hidden_message() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 1 id 2 = s2 on offer at 0
        0    send 3 group 1 id 3 = s3 on offer at 0
        0    send 4 group 2 id 4 = s4 on offer at 0
        0    receive 3          = 1:r1#1 until 30, 2:r2#1 until 30, 3:r3#1 until 30
        10   change r2 60       = on offer at 70
        30   receive 10         = 4:r4#1 until 60, 1:r5#2 until 60
        30   blocked            = 3
        30   counts             = 1 available, 0 delayed, 3 in flight
        60   advance            = visible 1#1, visible 3#1, visible 1#2, visible 4#1; next at 70
        60   available          = 1, 4, 3
        70   advance            = visible 2#1; next at 345600
        70   available          = 1, 2, 3, 4
        ",
    );
}

#[test]
fn a_message_that_is_shown_again_does_not_show_its_siblings() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 1 id 2 = s2 on offer at 0
        0    send 3 group 2 id 3 = s3 on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        1    change r1 0        = on offer at 1
        1    receive 10         = 3:r3#1 until 31, 1:r4#2 until 31
        ",
    );
}

#[test]
fn a_new_message_does_not_show_what_is_hidden_and_a_delete_of_all_that_is_does() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 1 id 2 = s2 on offer at 0
        0    receive 2          = 1:r1#1 until 30, 2:r2#1 until 30
        1    send 3 group 1 id 3 = s3 on offer at 1
        1    receive 10         = nothing
        1    counts             = 1 available, 0 delayed, 2 in flight
        2    delete r2          = deleted 2
        2    receive 10         = nothing
        2    delete r1          = deleted 1
        2    receive 10         = 3:r3#1 until 32
        ",
    );
}

#[test]
fn the_group_comes_first_whose_first_message_has_been_on_offer_for_longest() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 2 id 2 = s2 on offer at 0
        0    send 3 group 2 id 3 = s3 on offer at 0
        0    send 4 group 3 id 4 = s4 on offer at 0
        0    send 5 group 1 id 5 = s5 on offer at 0
        0    receive 3 visibility 0 = 1:r1#1 until 0, 5:r2#1 until 0, 2:r3#1 until 0
        0    receive 10 visibility 0 = 4:r4#1 until 0, 1:r5#2 until 0, 5:r6#2 until 0, 2:r7#2 until 0, 3:r8#1 until 0
        0    available          = 4, 1, 5, 2, 3
        ",
    );
    // Served and deleted: the next message keeps the place that its age gives it.
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 2 id 2 = s2 on offer at 0
        0    send 3 group 1 id 3 = s3 on offer at 0
        0    send 4 group 3 id 4 = s4 on offer at 0
        0    receive 1          = 1:r1#1 until 30
        1    delete r1          = deleted 1
        1    receive 10         = 2:r2#1 until 31, 3:r3#1 until 31, 4:r4#1 until 31
        ",
    );
}

#[test]
fn a_duplicate_is_dropped_and_told_the_originals_identity_and_sequence_number() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 7 = s1 on offer at 0
        0    send 2 group 1 id 8 = s2 on offer at 0
        2    send 3 group 1 id 7 = s1 duplicate of 1
        2    send 4 group 2 id 7 = s1 duplicate of 1
        2    receive 10         = 1:r1#1 until 32, 2:r2#1 until 32
        3    delete r1          = deleted 1
        299.999999 send 5 group 1 id 7 = s1 duplicate of 1
        300  send 6 group 1 id 7 = s3 on offer at 300
        599  send 7 group 1 id 7 = s3 duplicate of 6
        ",
    );
}

#[test]
fn within_a_group_an_id_counts_for_the_group_alone() {
    let scope = Scope::MessageGroup;
    check(
        Settings { kind: Kind::Fifo(Fifo { scope, deduplicate: Deduplicate::ById }), ..FIFO },
        "
        0    send 1 group 1 id 7 = s1 on offer at 0
        0    send 2 group 2 id 7 = s2 on offer at 0
        0    send 3 group 2 id 7 = s2 duplicate of 2
        ",
    );
    check(
        FIFO,
        "
        0    send 1 group 1 id 7 = s1 on offer at 0
        0    set scope           = set
        0    send 2 group 2 id 7 = s1 duplicate of 1
        0    send 3 group 2 id 8 = s2 on offer at 0
        0    send 4 group 3 id 8 = s2 duplicate of 3
        ",
    );
}

#[test]
fn the_body_stands_in_for_an_id_where_the_queue_allows_it() {
    check(
        BY_CONTENT,
        "
        0    send 1 group 1 body 5 = s1 on offer at 0
        0    send 2 group 2 body 5 = s1 duplicate of 1
        0    send 3 group 1 body 5 id 9 = s2 on offer at 0
        0    send 4 group 1 body 6 id 9 = s2 duplicate of 3
        0    send 5 group 1 body 6 hash 5 = s1 duplicate of 1
        ",
    );
    check(
        FIFO,
        "
        0    send 1 group 1 body 5 = refused: a message of this FIFO queue needs a deduplication id
        0    set by-content      = set
        0    send 1 group 1 body 5 = s1 on offer at 0
        ",
    );
}

#[test]
fn requests_are_held_to_what_the_kind_of_queue_asks_for() {
    check(
        FIFO,
        "
        0    send 1 id 1         = refused: a message of a FIFO queue needs a group
        0    send 1 group 1 id 1 delay 2 = refused: the delay is 2 s: in a FIFO queue, only the queue has one
        0    send 1 group 1 id 1 bytes 0 = refused: a message needs at least one byte
        0    receive 11          = refused: a receive of 11 messages: it must be from 1 to 10
        0    counts              = 0 available, 0 delayed, 0 in flight
        ",
    );
    check(
        Settings::sqs_standard(),
        "
        0    send 1 id 1         = refused: a standard queue takes no deduplication id
        0    send 1 group 1      = on offer at 0
        ",
    );
}

#[test]
fn only_the_queue_has_a_delay_and_a_new_one_holds_for_what_is_delayed() {
    check(
        Settings { delay: SimDuration::from_secs(10), ..FIFO },
        "
        0    send 1 group 1 id 1 delay 0 = s1 on offer at 10
        1    send 2 group 1 id 2 = s2 on offer at 11
        2    send 3 group 1 id 1 = s1 duplicate of 1
        5    receive 10          = nothing
        5    counts              = 0 available, 2 delayed, 0 in flight
        6    set delay 4         = set
        6    advance             = delay over 1, delay over 2; next at 345600
        6    receive 10          = 1:r1#1 until 36, 2:r2#1 until 36
        6    send 4 group 1 id 4 = s3 on offer at 10
        6    set delay 20        = set
        7    advance             = nothing; next at 26
        ",
    );
}

#[test]
fn a_receipt_is_good_until_its_timeout_runs_out() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    receive 1          = 1:r1#1 until 30
        10   change r1 30       = on offer at 40
        39.999999 change r1 0.000001 = on offer at 40
        40   delete r1          = refused: the receipt of message 1 has expired
        40   change r1 10       = refused: message 1 is not in flight any more: its receipt has expired
        40   receive 1          = 1:r2#2 until 70
        41   delete r1          = refused: the receipt of message 1 has expired
        41   change r1 0        = refused: message 1 is not in flight any more: its receipt has expired
        41   delete r2          = deleted 1
        41   delete r1          = gone before
        41   change r2 0        = refused: the message has left the queue
        41   delete garbage     = refused: this queue never gave out such a receipt
        ",
    );
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    receive 1 visibility 0 = 1:r1#1 until 0
        0    delete r1          = refused: the receipt of message 1 has expired
        ",
    );
}

#[test]
fn a_move_to_the_dead_letter_queue_frees_the_group() {
    check(
        Settings { max_receive_count: Some(1), ..FIFO },
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 1 id 2 = s2 on offer at 0
        0    receive 1          = 1:r1#1 until 30
        30   receive 1          = 2:r2#1 until 60, →1#1
        30   delete r1          = gone before
        31   send 3 group 1 id 1 = s1 duplicate of 1
        ",
    );
    // Moves do not use up the receive.
    check(
        Settings { max_receive_count: Some(1), ..FIFO },
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 1 id 2 = s2 on offer at 0
        0    send 3 group 2 id 3 = s3 on offer at 0
        0    receive 2 visibility 0 = 1:r1#1 until 0, 2:r2#1 until 0
        0    receive 1          = 3:r3#1 until 30
        0    receive 1          = →1#1, →2#1
        ",
    );
}

#[test]
fn in_the_dead_letter_queue_a_message_has_its_own_id_and_the_age_of_the_move() {
    check(
        Settings { max_receive_count: Some(1), retention: SimDuration::from_secs(100), ..FIFO },
        "
        0    send 1 group 1 id 7 = s1 on offer at 0
        10   receive 1          = 1:r1#1 until 40
        40   receive 1          = →1#1
        41   aside:send 2 group 1 id 7 = s2 on offer at 41
        41   aside:send 3 group 1 own-id 1 = s1 duplicate of 1
        100  aside:advance      = nothing; next at 140
        140  aside:advance      = expired 1; next at 141
        ",
    );
}

#[test]
fn two_messages_of_one_id_both_find_room_in_the_dead_letter_queue() {
    check(
        Settings { max_receive_count: Some(1), ..FIFO },
        "
        0    send 1 group 1 id 7 = s1 on offer at 0
        300  send 2 group 1 id 7 = s2 on offer at 300
        300  receive 2 visibility 0 = 1:r1#1 until 300, 2:r2#1 until 300
        300  receive 1          = →1#1, →2#1
        300  aside:send 3 group 1 own-id 2 = s2 duplicate of 2
        ",
    );
}

#[test]
fn a_purge_forgets_the_ids() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 7 = s1 on offer at 0
        0    send 2 group 1 id 8 = s2 on offer at 0
        0    receive 1          = 1:r1#1 until 30
        0    purge              = purged 2
        0    send 3 group 1 id 7 = s3 on offer at 0
        0    receive 1          = 3:r2#1 until 30
        ",
    );
}

#[test]
fn retention_runs_from_the_send_and_what_expires_in_flight_frees_its_group() {
    check(
        Settings { retention: SimDuration::from_secs(60), ..FIFO },
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        5    send 2 group 1 id 2 = s2 on offer at 5
        40   receive 1          = 1:r1#1 until 70
        60   receive 10         = 2:r2#1 until 90
        60   delete r1          = gone before
        65   advance            = expired 1, expired 2; next at never
        ",
    );
}

#[test]
fn at_the_cap_every_receive_is_empty() {
    check(
        Settings { max_in_flight: 2, ..FIFO },
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 2 id 2 = s2 on offer at 0
        0    send 3 group 3 id 3 = s3 on offer at 0
        0    receive 10         = 1:r1#1 until 30, 2:r2#1 until 30
        0    receive 1          = nothing
        0    receive 1 wait 20  = nothing
        0    delete r1          = deleted 1
        0    receive 10         = 3:r3#1 until 30
        ",
    );
}

#[test]
fn a_receive_can_be_repeated_while_its_messages_are_as_it_left_them() {
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 1 id 2 = s2 on offer at 0
        0    receive 10 attempt 1 = 1:r1#1 until 30, 2:r2#1 until 30
        10   receive 10 attempt 2 = nothing
        20   receive 10 attempt 1 = 1:r3#1 until 50, 2:r4#1 until 50
        49   delete r1          = deleted 1
        49   receive 10 attempt 1 = refused: receive 1 was answered, and the answer is outdated
        49   receive 10 attempt 1 = refused: receive 1 was answered, and the answer is outdated
        49   receive 10         = nothing
        49   delete r4          = deleted 2
        ",
    );
    // Once the messages have lapsed, or after five minutes, it is a receive like any other.
    check(
        Settings { visibility_timeout: SimDuration::from_secs(200), ..FIFO },
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    receive 1 attempt 1 = 1:r1#1 until 200
        200  receive 1 attempt 1 = 1:r2#2 until 400
        399  receive 1 attempt 1 = 1:r3#2 until 599
        499.999999 receive 1 attempt 1 = 1:r4#2 until 699.999999
        500  receive 1 attempt 1 = nothing
        500  change r4 0        = on offer at 500
        500  receive 1 attempt 1 = 1:r5#3 until 700
        501  change r5 0        = on offer at 501
        501  receive 1 attempt 1 = refused: receive 1 was answered, and the answer is outdated
        501  receive 1 attempt 2 = 1:r6#4 until 701
        ",
    );
    // Its twelve hours begin anew, too; a changed timeout spends it.
    check(
        FIFO,
        "
        0    send 1 group 1 id 1 = s1 on offer at 0
        0    send 2 group 2 id 2 = s2 on offer at 0
        0    receive 10 attempt 1 = 1:r1#1 until 30, 2:r2#1 until 30
        20   receive 10 attempt 1 = 1:r3#1 until 50, 2:r4#1 until 50
        20   hidden             = 1 since 20 until 50, 2 since 20 until 50
        20   change r1 43200    = on offer at 43220
        20   receive 10 attempt 1 = refused: receive 1 was answered, and the answer is outdated
        ",
    );
    // Another queue takes no notice.
    check(
        Settings::sqs_standard(),
        "
        0    send 1             = on offer at 0
        0    receive 1 attempt 1 = 1:r1#1 until 30
        0    receive 1 attempt 1 = nothing
        ",
    );
}
