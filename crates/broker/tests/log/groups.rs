//! Consumer groups, one diary a rule.

use broker::log::consumer::{self, AutoCommit, Reset};
use broker::log::group::assignor::Assignor;
use broker::log::group::{self, Group, GroupError, Heartbeat, Protocol};
use broker::log::{MemberEpoch, MemberId, PartitionId, TopicId, TopicPartition};
use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

use crate::diary::{Stage, check};

/// Reads from the start, commits only when told to.
pub const READER: consumer::Settings = consumer::Settings {
    reset: Reset::Earliest,
    auto_commit: AutoCommit::Off,
    ..consumer::Settings::kafka()
};
/// An eager group that does not wait for more members.
pub const EAGER: group::Settings =
    group::Settings { initial_delay: SimDuration::ZERO, ..group::Settings::classic() };
pub const COOPERATIVE: group::Settings =
    group::Settings { initial_delay: SimDuration::ZERO, ..group::Settings::cooperative() };
pub const INCREMENTAL: group::Settings = group::Settings::incremental();

pub const fn stage(group: group::Settings, partitions: u32) -> Stage {
    Stage { group, consumer: READER, partitions }
}

#[test]
fn a_new_group_waits_for_members_as_long_as_they_come() {
    check(
        stage(group::Settings::classic(), 4),
        "
        0 a poll                = joined
        2 b poll                = joined
        3 group                 = rebalance, a joined
        5 c poll                = joined
        6 group                 = nothing
        9 group                 = generation 1 of 3 after 9
        9 a poll                = +0@~0; +1@~0
        9 b poll                = +2@~0
        9 c poll                = +3@~0
        ",
    );
}

#[test]
fn members_beyond_the_partitions_idle() {
    check(
        stage(EAGER, 1),
        "
        0 send 0 1              = 0..0
        0 a poll                = joined; +0@~0; 0: 0
        1 b poll                = joined
        1 a poll                = -0 eager, 1 open, 1 again; joined; +0@~0; 0: 0
        1 b poll                = nothing
        1 b owns                = nothing
        ",
    );
}

#[test]
fn an_eager_rebalance_stops_everybody_until_the_slowest_has_joined() {
    check(
        stage(EAGER, 2),
        "
        0 send 0 4              = 0..3
        0 send 1 4              = 0..3
        0 a poll                = joined; +0@~0; +1@~0; 0: 0 1 2 3; 1: 0 1 2 3
        1 b poll                = joined
        1 b poll                = nothing
        9 a done                = 8 of 8
        9 a commit              = committed
        9 a poll                = -0 eager; -1 eager; joined; +0@4
        9 group                 = rebalance, a joined; generation 1 of 1 after 0; rebalance, b joined; generation 2 of 2 after 8
        9 b poll                = +1@4
        9 a poll                = nothing
        ",
    );
}

#[test]
fn what_is_open_and_not_committed_in_an_eager_rebalance_is_done_again() {
    check(
        stage(EAGER, 2),
        "
        0 send 0 4              = 0..3
        0 a poll                = joined; +0@~0; +1@~0; 0: 0 1 2 3
        0 a finish 0 0          = Ours
        0 a finish 0 1          = Ours
        0 a commit              = committed
        0 a finish 0 2          = Ours
        1 b poll                = joined
        1 a poll                = -0 eager, 1 open, 2 again; -1 eager; joined; +0@2; 0: 2 3
        1 a poll                = nothing
        2 a finish 0 3          = Ours
        ",
    );
}

#[test]
fn a_cooperative_rebalance_takes_two_rounds_and_stops_nobody() {
    check(
        stage(COOPERATIVE, 4),
        "
        0 send 0 2              = 0..1
        0 send 3 2              = 0..1
        0 a poll                = joined; +0@~0; +1@~0; +2@~0; +3@~0; 0: 0 1; 3: 0 1
        1 b poll                = joined
        1 send 0 1              = 2..2
        1 send 3 1              = 2..2
        1 a poll                = joined; -2 moved; -3 moved, 2 open, 2 again; =0; =1; joined; 0: 2
        1 a poll                = nothing
        1 group                 = rebalance, a joined; generation 1 of 1 after 0; rebalance, b joined; generation 2 of 2 after 0; rebalance, a is back
        1 b poll                = joined
        1 group                 = generation 3 of 2 after 0
        1 a poll                = =0; =1
        1 b poll                = +2@~0; +3@~0; 3: 0 1 2
        ",
    );
}

#[test]
fn a_cooperative_rebalance_after_a_leave_takes_one_round() {
    check(
        stage(COOPERATIVE, 4),
        "
        0 a poll                = joined; +0@~0; +1@~0; +2@~0; +3@~0
        0 b poll                = joined
        0 a poll                = joined; -2 moved; -3 moved; =0; =1; joined
        0 b poll                = joined
        0 a poll                = =0; =1
        0 b poll                = +2@~0; +3@~0
        0 group                 = rebalance, a joined; generation 1 of 1 after 0; rebalance, b joined; generation 2 of 2 after 0; rebalance, a is back; generation 3 of 2 after 0
        5 b close               = closed
        5 a poll                = joined; =0; =1; +2@~0; +3@~0
        5 group                 = rebalance, b left; generation 4 of 1 after 0
        ",
    );
}

#[test]
fn a_member_that_works_on_commits_through_a_cooperative_rebalance() {
    check(
        stage(COOPERATIVE, 2),
        "
        0 send 0 2              = 0..1
        0 a poll                = joined; +0@~0; +1@~0; 0: 0 1
        1 b poll                = joined
        1 a poll                = joined; -1 moved; =0; joined
        1 a done                = 2 of 2
        1 a commit              = committed
        1 offsets               = 0@2
        ",
    );
}

#[test]
fn an_incremental_rebalance_goes_member_by_member() {
    check(
        stage(INCREMENTAL, 4),
        "
        0 send 0 2              = 0..1
        0 send 3 2              = 0..1
        0 a poll                = joined; +0@~0; +1@~0; +2@~0; +3@~0; 0: 0 1; 3: 0 1
        0 group                 = epoch 1, a joined; settled
        1 b poll                = joined
        1 group                 = epoch 2, b joined
        1 a poll                = nothing
        5 a poll                = -2 moved; -3 moved, 2 open, 2 again
        5 group                 = nothing
        6 b poll                = +2@~0; +3@~0; 3: 0 1
        6 group                 = nothing; settled
        ",
    );
}

#[test]
fn an_incremental_member_that_holds_on_is_expelled_in_the_end() {
    let at = |seconds| SimTime::ZERO + SimDuration::from_secs(seconds);
    let both: Vec<TopicPartition> = (0..2)
        .map(|index| TopicPartition::new(TopicId::default(), PartitionId::from_index(index)))
        .collect();
    let say = |member, epoch, owned: &[TopicPartition]| Heartbeat {
        member: MemberId::from_index(member),
        instance: None,
        epoch,
        topics: vec![TopicId::default()],
        owned: owned.to_vec(),
    };
    let mut group = Group::new(at(0), INCREMENTAL, OrderedMap::from([(TopicId::default(), 2)]));
    let held = group.heartbeat(at(0), &say(0, MemberEpoch::JOINING, &[])).expect("it joins");
    let waiting = group.heartbeat(at(1), &say(1, MemberEpoch::JOINING, &[])).expect("it joins");
    assert_eq!((held.assigned.len(), waiting.assigned.len()), (2, 0));
    // It is told to give one up at 2 s, and has the max poll interval for that.
    for second in (2..302).step_by(10) {
        let told = group.heartbeat(at(second), &say(0, held.epoch, &both)).expect("it is alive");
        assert_eq!((told.epoch, told.assigned.len()), (held.epoch, 1), "at {second} s");
        let still = group.heartbeat(at(second), &say(1, waiting.epoch, &[])).expect("alive");
        assert_eq!(still.assigned, [], "at {second} s");
    }
    let expelled = group.heartbeat(at(302), &say(0, held.epoch, &both));
    assert_eq!(expelled, Err(GroupError::UnknownMember { member: MemberId::from_index(0) }));
    let given = group.heartbeat(at(302), &say(1, waiting.epoch, &[])).expect("it is alive");
    assert_eq!(given.assigned, both);
}

#[test]
fn an_incremental_member_speaks_of_its_own_epoch() {
    let mut group =
        Group::new(SimTime::ZERO, INCREMENTAL, OrderedMap::from([(TopicId::default(), 1)]));
    let mut say = |epoch, owned: &[TopicPartition]| {
        let beat = Heartbeat {
            member: MemberId::from_index(0),
            instance: None,
            epoch,
            topics: vec![TopicId::default()],
            owned: owned.to_vec(),
        };
        group.heartbeat(SimTime::ZERO, &beat).map(|answer| answer.epoch)
    };
    let one = MemberEpoch::from_index(1);
    let unknown = Err(GroupError::UnknownMember { member: MemberId::from_index(0) });
    assert_eq!(say(one, &[]), unknown);
    assert_eq!(say(MemberEpoch::JOINING, &[]), Ok(one));
    assert_eq!(say(one, &[]), Ok(one));
    let two = MemberEpoch::from_index(2);
    assert_eq!(say(two, &[]), Err(GroupError::FencedEpoch { current: one, given: two }));
}

#[test]
fn a_silent_member_is_expelled_and_its_work_done_again() {
    check(
        stage(EAGER, 2),
        "
        0 a poll                = joined; +0@~0; +1@~0
        0 b poll                = joined
        0 a poll                = -0 eager; -1 eager; joined; +0@~0
        0 b poll                = +1@~0
        1 send 0 3              = 0..2
        1 a poll                = 0: 0 1 2
        1 a done                = 3 of 3
        30 b lives              = next at 33
        44 group                = rebalance, a joined; generation 1 of 1 after 0; rebalance, b joined; generation 2 of 2 after 0
        45 group                = nothing
        46 b poll               = -1 eager; joined; +0@~0; +1@~0; 0: 0 1 2
        46 group                = a silent; rebalance, a expelled; generation 3 of 1 after 0
        46 b poll               = nothing
        47 a commit             = refused: member 0 is not in the group: join again
        47 a poll               = -0 lost, 3 again; joined
        ",
    );
}

#[test]
fn a_member_that_works_for_too_long_leaves_and_cannot_commit() {
    check(
        stage(EAGER, 1),
        "
        0 send 0 2              = 0..1
        0 a poll                = joined; +0@~0; 0: 0 1
        299 a lives             = next at 300
        300 a lives             = given up
        300 group               = rebalance, a joined; generation 1 of 1 after 0; a did not poll; empty
        301 a done              = 2 of 2
        301 a commit            = refused: member 0 is not in the group: join again
        301 a poll              = -0 lost, 2 again; joined; +0@~0; 0: 0 1
        301 a poll              = nothing
        ",
    );
}

#[test]
fn a_rebalance_waits_for_those_who_work() {
    check(
        stage(EAGER, 2),
        "
        0 a poll                = joined; +0@~0; +1@~0
        10 b poll               = joined
        250 a lives             = next at 252
        250 group               = rebalance, a joined; generation 1 of 1 after 0; rebalance, b joined
        299 a lives             = next at 300
        299 a poll              = -0 eager; -1 eager; joined; +0@~0
        299 b poll              = +1@~0
        ",
    );
}

#[test]
fn a_commit_of_an_old_generation_is_refused() {
    check(
        stage(group::Settings { max_poll_interval: SimDuration::from_secs(20), ..EAGER }, 1),
        "
        0 send 0 2              = 0..1
        0 a poll                = joined; +0@~0; 0: 0 1
        0 a done                = 2 of 2
        1 b poll                = joined
        21 group                = rebalance, a joined; generation 1 of 1 after 0; rebalance, b joined; a did not join; generation 2 of 1 after 20
        22 a commit             = refused: member 0 is not in the group: join again
        22 b poll               = +0@~0; 0: 0 1
        22 a poll               = -0 lost, 2 again; joined
        ",
    );
}

#[test]
fn a_static_member_that_did_not_join_is_of_an_old_generation() {
    check(
        stage(group::Settings { max_poll_interval: SimDuration::from_secs(20), ..EAGER }, 1),
        "
        0 send 0 2              = 0..1
        0 a starts              = new
        0 a poll                = joined; +0@~0; 0: 0 1
        0 a done                = 2 of 2
        1 b poll                = joined
        21 group                = rebalance, a' joined; generation 1 of 1 after 0; rebalance, b joined; generation 2 of 2 after 20
        22 a commit             = refused: generation 1 is over, it is 2: join again
        22 a poll               = -0 lost, 2 again; joined
        ",
    );
}

#[test]
fn a_static_member_is_back_without_a_rebalance() {
    check(
        stage(EAGER, 2),
        "
        0 a starts              = new
        0 b starts              = new
        0 a poll                = joined; +0@~0; +1@~0
        0 b poll                = joined
        0 a poll                = -0 eager; -1 eager; joined; +0@~0
        0 b poll                = +1@~0
        0 group                 = rebalance, a' joined; generation 1 of 1 after 0; rebalance, b' joined; generation 2 of 2 after 0
        5 a close               = closed
        5 group                 = nothing
        20 a starts             = new
        20 a poll               = joined; +0@~0
        20 group                = nothing
        21 b poll               = nothing
        ",
    );
}

#[test]
fn a_static_member_that_stays_away_is_missed_after_its_session() {
    check(
        stage(EAGER, 2),
        "
        0 a starts              = new
        0 b starts              = new
        0 a poll                = joined; +0@~0; +1@~0
        0 b poll                = joined
        0 a poll                = -0 eager; -1 eager; joined; +0@~0
        0 b poll                = +1@~0
        0 group                 = rebalance, a' joined; generation 1 of 1 after 0; rebalance, b' joined; generation 2 of 2 after 0
        5 a close               = closed
        44 b lives              = next at 45
        44 group                = nothing
        45 group                = a' silent; rebalance, a' expelled
        46 b poll               = -1 eager; joined; +0@~0; +1@~0
        46 group                = generation 3 of 1 after 1
        ",
    );
}

#[test]
fn an_incremental_static_member_takes_its_place_again() {
    check(
        stage(INCREMENTAL, 2),
        "
        0 a starts              = new
        0 a poll                = joined; +0@~0; +1@~0
        0 b poll                = joined
        5 a poll                = -1 moved
        5 b poll                = +1@~0
        5 group                 = epoch 1, a' joined; epoch 2, b joined; settled
        6 a close               = closed
        6 a starts              = new
        7 a poll                = joined; +0@~0
        7 group                 = nothing; settled
        ",
    );
}

#[test]
fn added_partitions_are_divided_anew() {
    check(
        stage(EAGER, 1),
        "
        0 a poll                = joined; +0@~0
        1 grow 3                = grown
        1 a poll                = -0 eager; joined; +0@~0; +1@~0; +2@~0
        1 group                 = rebalance, a joined; generation 1 of 1 after 0; rebalance, more partitions; generation 2 of 1 after 0
        ",
    );
    check(
        stage(INCREMENTAL, 1),
        "
        0 a poll                = joined; +0@~0
        1 grow 3                = grown
        5 a poll                = +1@~0; +2@~0
        5 group                 = epoch 1, a joined; epoch 2, more partitions; settled
        ",
    );
}

#[test]
fn members_agree_on_what_all_can() {
    let rows = [
        (vec![Assignor::Range, Assignor::CooperativeSticky], Protocol::Eager(Assignor::Range)),
        (vec![Assignor::CooperativeSticky], Protocol::Cooperative(Assignor::CooperativeSticky)),
        (vec![Assignor::Sticky], Protocol::Eager(Assignor::Sticky)),
    ];
    for (listed, agreed) in rows {
        assert_eq!(Protocol::agreed(&listed), Some(agreed), "{listed:?}");
    }
    assert_eq!(Protocol::agreed(&[]), None);
}
