//! The rules of offsets: who commits what, where a group goes on, and what a poll returns.

use broker::log::consumer::{self, OnRevoke, Reset};

use crate::diary::{Stage, check};
use crate::groups::{EAGER, READER, stage};

/// As the product does it by default, from the start.
const fn committing(partitions: u32) -> Stage {
    let consumer = consumer::Settings { reset: Reset::Earliest, ..consumer::Settings::kafka() };
    Stage { group: EAGER, consumer, partitions }
}

#[test]
fn auto_commit_is_of_what_was_returned_before() {
    check(
        committing(1),
        "
        0 send 0 3              = 0..2
        0 a poll                = joined; +0@~0; 0: 0 1 2
        1 send 0 1              = 3..3
        1 a poll                = 0: 3
        2 offsets               = nothing
        5 a poll                = committed
        5 offsets               = 0@4
        ",
    );
}

/// The commit runs ahead of work that goes on beside the polls.
#[test]
fn auto_commit_loses_what_is_not_finished_when_its_consumer_dies() {
    check(
        committing(1),
        "
        0 send 0 3              = 0..2
        0 a poll                = joined; +0@~0; 0: 0 1 2
        0 a finish 0 0          = Ours
        5 a poll                = committed
        50 group                = rebalance, a joined; generation 1 of 1 after 0; a silent; empty
        51 b poll               = joined; +0@3
        51 offsets              = 0@3
        ",
    );
}

#[test]
fn auto_commit_before_a_rebalance_skips_what_is_open() {
    check(
        committing(2),
        "
        0 send 1 3              = 0..2
        0 a poll                = joined; +0@~0; +1@~0; 1: 0 1 2
        0 a finish 1 0          = Ours
        1 b poll                = joined
        1 a poll                = committed; -0 eager; -1 eager, 2 open, 2 skipped; joined; +0@0
        1 b poll                = +1@3
        ",
    );
}

#[test]
fn a_listener_may_commit_what_is_finished() {
    check(
        Stage {
            group: EAGER,
            consumer: consumer::Settings { on_revoke: OnRevoke::CommitFinished, ..READER },
            partitions: 1,
        },
        "
        0 send 0 3              = 0..2
        0 a poll                = joined; +0@~0; 0: 0 1 2
        0 a finish 0 0          = Ours
        0 a finish 0 2          = Ours
        1 b poll                = joined
        1 a poll                = committed; -0 eager, 1 open, 2 again; joined; +0@1; 0: 1 2
        1 offsets               = 0@1
        1 a poll                = nothing
        ",
    );
}

#[test]
fn a_new_group_starts_where_its_policy_says() {
    let latest = consumer::Settings { reset: Reset::Latest, ..READER };
    check(
        Stage { group: EAGER, consumer: latest, partitions: 1 },
        "
        0 send 0 3              = 0..2
        0 a poll                = joined; +0@~3
        1 send 0 1              = 3..3
        1 a poll                = 0: 3
        ",
    );
    let none = consumer::Settings { reset: Reset::None, ..READER };
    check(
        Stage { group: EAGER, consumer: none, partitions: 1 },
        "
        0 send 0 3              = 0..2
        0 a poll                = joined; 0 has no offset
        ",
    );
}

#[test]
fn an_offset_out_of_range_is_reset() {
    check(
        stage(EAGER, 1),
        "
        0 send 0 3              = 0..2
        0 a poll                = joined; +0@~0; 0: 0 1 2
        0 a done                = 3 of 3
        0 a commit              = committed
        0 a close               = closed
        1 send 0 3              = 3..5
        1 delete 0 5            = starts at 5
        2 b poll                = joined; +0@3; 0 reset from 3 to 5
        ",
    );
}

#[test]
fn offsets_of_an_empty_group_expire() {
    check(
        stage(EAGER, 1),
        "
        0 send 0 1              = 0..0
        0 a poll                = joined; +0@~0; 0: 0
        0 a done                = 1 of 1
        0 a commit              = committed
        10 a close              = closed
        604809 group            = rebalance, a joined; generation 1 of 1 after 0; empty
        604809 offsets          = 0@1
        604810 group            = offsets expired
        604810 offsets          = nothing
        ",
    );
}

#[test]
fn a_poll_returns_so_many_and_no_partition_starves() {
    let two = consumer::Settings { max_poll_records: 2, ..READER };
    check(
        Stage { group: EAGER, consumer: two, partitions: 2 },
        "
        0 send 0 5              = 0..4
        0 send 1 1              = 0..0
        0 a poll                = joined; +0@~0; +1@~0; 0: 0 1
        0 a poll                = 0: 2; 1: 0
        0 a poll                = 0: 3 4
        ",
    );
}
