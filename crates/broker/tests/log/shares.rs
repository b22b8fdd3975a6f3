//! Share groups.

use broker::MessageId;
use broker::log::share::{
    AcknowledgeError, Acknowledgement, Acquired, Lapse, Settings, SharePartition, ShareState,
};
use broker::log::{self, Batch, Body, MemberId, Offset, Partition, Record};
use sim::{SimDuration, SimTime};

const A: MemberId = MemberId::from_index(0);
const B: MemberId = MemberId::from_index(1);

fn at(seconds: u64) -> SimTime {
    SimTime::ZERO + SimDuration::from_secs(seconds)
}

fn log_of(records: u32) -> Partition {
    let mut log = Partition::new(log::Settings::kafka());
    for number in 0..records {
        let record = Record {
            message: MessageId::from_index(number),
            key: None,
            body: Body::Value,
            bytes: 1,
            timestamp: SimTime::ZERO,
        };
        log.append(SimTime::ZERO, &Batch { records: &[record], stamp: None }).expect("it fits");
    }
    log
}

/// A share group over a log, and who took what: offset and count.
struct Sharing {
    share: SharePartition,
    log: Partition,
}

impl Sharing {
    fn new(records: u32, settings: Settings) -> Self {
        Self { share: SharePartition::new(settings, Offset::ZERO), log: log_of(records) }
    }

    fn take(&mut self, now: SimTime, member: MemberId, max: usize) -> Vec<(u64, u32)> {
        let mut acquired: Vec<Acquired> = Vec::new();
        self.share.acquire(now, member, max, &self.log, &mut acquired);
        acquired.iter().map(|taken| (taken.fetched.offset.value(), taken.count)).collect()
    }

    fn say(
        &mut self,
        now: SimTime,
        member: MemberId,
        offset: u64,
        how: Acknowledgement,
    ) -> Result<ShareState, AcknowledgeError> {
        self.share.acknowledge(now, member, Offset::new(offset), how)
    }
}

#[test]
fn members_share_a_partition_record_by_record() {
    let mut sharing = Sharing::new(5, Settings::kafka());
    assert_eq!(sharing.take(at(0), A, 2), [(0, 1), (1, 1)]);
    assert_eq!(sharing.take(at(0), B, 2), [(2, 1), (3, 1)]);
    assert_eq!(sharing.take(at(0), A, 2), [(4, 1)]);
    assert_eq!(sharing.take(at(0), B, 2), []);
}

#[test]
fn the_start_moves_over_what_is_final() {
    let mut sharing = Sharing::new(4, Settings::kafka());
    sharing.take(at(0), A, 3);
    let rows = [
        (1, Acknowledgement::Accept, ShareState::Acknowledged, 0),
        (0, Acknowledgement::Reject, ShareState::Archived, 2),
        (2, Acknowledgement::Release, ShareState::Available, 2),
    ];
    for (offset, how, state, start) in rows {
        assert_eq!(sharing.say(at(1), A, offset, how), Ok(state), "record {offset}");
        assert_eq!(sharing.share.start().value(), start, "after record {offset}");
    }
    // What came back goes before what is new, and its order is gone.
    assert_eq!(sharing.take(at(2), B, 9), [(2, 2), (3, 1)]);
}

#[test]
fn a_lock_runs_out() {
    let mut sharing = Sharing::new(1, Settings::kafka());
    sharing.take(at(0), A, 1);
    assert_eq!(sharing.share.next_deadline(), Some(at(30)));
    assert_eq!(sharing.take(at(29), B, 1), []);
    let mut lapses = Vec::new();
    sharing.share.advance(at(30), &mut lapses);
    assert_eq!(lapses, [Lapse::Released(Offset::ZERO)]);
    let late = sharing.say(at(31), A, 0, Acknowledgement::Accept);
    assert_eq!(late, Err(AcknowledgeError::NotAcquired));
    assert_eq!(sharing.take(at(31), B, 1), [(0, 2)]);
    let later = sharing.say(at(32), A, 0, Acknowledgement::Accept);
    assert_eq!(later, Err(AcknowledgeError::AnothersLock { by: B }));
    // At the very end of its lock, it is in time.
    let last = sharing.say(at(61), B, 0, Acknowledgement::Accept);
    assert_eq!(last, Ok(ShareState::Acknowledged));
}

#[test]
fn a_record_is_archived_at_the_delivery_limit() {
    let mut sharing = Sharing::new(1, Settings { delivery_count_limit: 2, ..Settings::kafka() });
    assert_eq!(sharing.take(at(0), A, 1), [(0, 1)]);
    assert_eq!(sharing.take(at(30), B, 1), [(0, 2)]);
    let mut lapses = Vec::new();
    sharing.share.advance(at(60), &mut lapses);
    assert_eq!(lapses, [Lapse::Released(Offset::ZERO), Lapse::Archived(Offset::ZERO)]);
    assert_eq!((sharing.take(at(60), A, 1), sharing.share.start().value()), (vec![], 1));
}

#[test]
fn one_open_record_holds_up_the_partition_in_time() {
    let settings = Settings { max_record_locks: 3, ..Settings::kafka() };
    let mut sharing = Sharing::new(9, settings);
    assert_eq!(sharing.take(at(0), A, 1), [(0, 1)]);
    assert_eq!(sharing.take(at(0), B, 9), [(1, 1), (2, 1)]);
    for offset in [1, 2] {
        sharing.say(at(1), B, offset, Acknowledgement::Accept).expect("it is theirs");
    }
    assert_eq!(sharing.take(at(1), B, 9), []);
    sharing.say(at(2), A, 0, Acknowledgement::Accept).expect("it is theirs");
    assert_eq!(sharing.take(at(2), B, 9), [(3, 1), (4, 1), (5, 1)]);
}

#[test]
fn a_member_that_leaves_lets_go() {
    let mut sharing = Sharing::new(3, Settings::kafka());
    sharing.take(at(0), A, 2);
    sharing.take(at(0), B, 1);
    assert_eq!(sharing.share.release_all(at(1), A), [Offset::new(0), Offset::new(1)]);
    assert_eq!(sharing.take(at(1), B, 9), [(0, 2), (1, 2)]);
}

#[test]
fn what_the_log_deletes_is_archived() {
    let mut sharing = Sharing::new(4, Settings::kafka());
    sharing.take(at(0), A, 2);
    sharing.say(at(0), A, 0, Acknowledgement::Release).expect("it is theirs");
    sharing.log.delete_below(Offset::new(3));
    assert_eq!(sharing.take(at(1), B, 9), [(3, 1)]);
    // What is being worked on may still be acknowledged.
    let accepted = sharing.say(at(1), A, 1, Acknowledgement::Accept);
    assert_eq!(accepted, Ok(ShareState::Acknowledged));
    assert_eq!(sharing.share.start().value(), 3);
}
