//! The rules of leases, elections and fences.

use patterns::lease::election::{Settings, SettingsError, Store, Tried};
use patterns::lease::grant::LeaseError;
use patterns::lease::{
    ElectionRecord, Elector, Fence, FencedResource, FencingToken, LeaseServer, Role, WriteAnswer,
};
use sim::{SimDuration, SimTime, Stream};

const fn at(secs: u64) -> SimTime {
    SimTime::from_secs(secs)
}

const fn secs(secs: u64) -> SimDuration {
    SimDuration::from_secs(secs)
}

#[test]
fn a_lease_is_one_holders_until_its_very_end() {
    let mut server = LeaseServer::new(secs(15));
    let a = server.acquire(at(0), 1).expect("free");
    assert_eq!(server.acquire(at(14), 2), Err(LeaseError::Held(a)));
    assert_eq!(server.next_deadline(), Some(at(15)));
    let b = server.acquire(at(15), 2).expect("lapsed");
    assert!(b.token > a.token);
    assert_eq!(server.renew(at(16), a.token), Err(LeaseError::Lost));
    assert!(!server.release(at(16), a.token), "it is not its own any more");
    assert!(server.release(at(16), b.token));
    assert_eq!(server.holder(at(16)), None);
    assert!(!server.release(at(16), b.token), "nobody has it any more");
    let c = server.acquire(at(16), 1).expect("given back");
    assert!(c.token > b.token, "every grant has a higher token");
}

#[test]
fn a_renewal_prolongs_and_keeps_the_token() {
    let mut server = LeaseServer::new(secs(15));
    let a = server.acquire(at(0), 1).expect("free");
    let renewed = server.renew(at(10), a.token).expect("held");
    assert_eq!((renewed.token, renewed.until), (a.token, at(25)));
    let again = server.acquire(at(20), 1).expect("its own");
    assert_eq!((again.token, again.until), (a.token, at(35)));
}

#[test]
fn a_renewal_after_the_end_fails_even_if_nobody_took_it() {
    let mut server = LeaseServer::new(secs(15));
    let a = server.acquire(at(0), 1).expect("free");
    assert_eq!(server.renew(at(15), a.token), Err(LeaseError::Lost));
}

/// The course's sleeping leader: a lease of 15 s, renewed each 5 s, a pause from 10 s to 30 s.
#[test]
fn only_a_fence_keeps_a_sleeper_from_writing() {
    for (fence, written) in [(Fence::None, 2), (Fence::Checked, 1)] {
        let mut server = LeaseServer::new(secs(15)).after(FencingToken::from_number(32));
        let mut store = FencedResource::new(fence);
        let a = server.acquire(at(0), 1).expect("free");
        assert_eq!(a.token.number(), 33);
        for renewal in [5, 10] {
            server.renew(at(renewal), a.token).expect("held");
        }
        assert!(server.acquire(at(24), 2).is_err());
        let b = server.acquire(at(25), 2).expect("lapsed at 25");
        assert_eq!(b.token.number(), 34);
        assert_eq!(store.write(b.token), WriteAnswer::Written);
        let late = store.write(a.token);
        match fence {
            Fence::None => assert_eq!(late, WriteAnswer::Written),
            Fence::Checked => assert_eq!(late, WriteAnswer::Stale { highest: b.token }),
        }
        assert_eq!((store.written(), store.stale()), (written, 1));
        assert_eq!(store.write(b.token), WriteAnswer::Written, "the same token may write again");
    }
}

#[test]
fn lengths_must_fit_together() {
    let settings = Settings::kubernetes();
    assert_eq!(settings.validate(), Ok(()));
    let rows = [
        (Settings { lease: secs(10), ..settings }, SettingsError::LeaseTooShort),
        (
            Settings { renew_deadline: SimDuration::from_millis(2_400), ..settings },
            SettingsError::RenewDeadlineTooShort,
        ),
        (Settings { retry_period: SimDuration::ZERO, ..settings }, SettingsError::Zero),
    ];
    for (settings, error) in rows {
        assert_eq!(settings.validate(), Err(error), "{settings:?}");
    }
}

struct Election {
    record: ElectionRecord,
    stream: Stream,
}

impl Election {
    fn new() -> Self {
        Self { record: ElectionRecord::default(), stream: Stream::new(3, "election", 0) }
    }

    fn try_at(&mut self, seconds: u64, elector: &mut Elector, store: Store) -> Tried {
        elector.try_now(at(seconds), &mut self.record, store, &mut self.stream)
    }

    fn tries(&mut self, seconds: u64, elector: &mut Elector) -> Tried {
        self.try_at(seconds, elector, Store::Reachable)
    }
}

fn electors() -> [Elector; 2] {
    [1, 2].map(|identity| Elector::new(Settings::kubernetes(), identity, SimTime::ZERO))
}

#[test]
fn a_follower_counts_from_when_it_saw_the_record_change() {
    let mut election = Election::new();
    let [mut a, mut b] = electors();
    assert_eq!(election.tries(0, &mut a), Tried::Elected);
    // B sees the record for the first time at 10 s, and so believes it until 25 s.
    assert_eq!(election.tries(10, &mut b), Tried::Follows);
    assert_eq!(election.tries(24, &mut b), Tried::Follows);
    assert_eq!(election.tries(25, &mut b), Tried::Elected);
    assert_eq!((a.term(), b.term()), (0, 1));
    assert!(b.is_named() && a.is_named(), "A has not looked");
}

#[test]
fn renewals_keep_followers_away() {
    let mut election = Election::new();
    let [mut a, mut b] = electors();
    election.tries(0, &mut a);
    for seconds in (2..60).step_by(2) {
        assert_eq!(election.tries(seconds, &mut a), Tried::Renewed);
        assert_eq!(election.tries(seconds + 1, &mut b), Tried::Follows);
    }
    assert_eq!(election.record.transitions, 0);
}

#[test]
fn a_leader_that_cannot_renew_stops_before_another_takes_over() {
    let mut election = Election::new();
    let [mut a, mut b] = electors();
    election.tries(0, &mut a);
    election.tries(1, &mut b);
    for seconds in [2, 4, 6, 8, 10] {
        assert_eq!(election.try_at(seconds, &mut a, Store::Unreachable), Tried::InVain);
        assert_eq!(a.role(), Role::Leader);
    }
    assert_eq!(a.next_deadline(), Some(at(12)));
    assert_eq!(election.try_at(12, &mut a, Store::Unreachable), Tried::StoppedLeading);
    assert_eq!(a.next_deadline(), None);
    assert_eq!(election.tries(15, &mut b), Tried::Follows);
    assert_eq!(election.tries(16, &mut b), Tried::Elected);
}

#[test]
fn a_pause_longer_than_the_lease_makes_two_leaders() {
    let mut election = Election::new();
    let [mut a, mut b] = electors();
    election.tries(0, &mut a);
    election.tries(1, &mut b);
    // A sleeps from 0 to 40.
    assert_eq!(election.tries(16, &mut b), Tried::Elected);
    assert_eq!((a.role(), b.role()), (Role::Leader, Role::Leader));
    assert!(a.is_named(), "as far as A knows");
    for seconds in [18, 30, 38] {
        assert_eq!(election.tries(seconds, &mut b), Tried::Renewed);
    }
    // It wakes, sees the other's name, and goes on for another renew deadline.
    assert_eq!(election.tries(40, &mut a), Tried::InVain);
    assert!(!a.is_named());
    assert_eq!(a.role(), Role::Leader);
    assert_eq!(election.tries(49, &mut a), Tried::InVain);
    assert_eq!(election.tries(50, &mut a), Tried::StoppedLeading);
}

#[test]
fn a_record_that_is_given_back_is_taken_at_once() {
    let mut election = Election::new();
    let [mut a, mut b] = electors();
    election.tries(0, &mut a);
    election.tries(1, &mut b);
    a.release(at(2), &mut election.record);
    assert_eq!(election.tries(3, &mut b), Tried::Elected);
    assert_eq!(b.term(), 1);
}

#[test]
fn candidates_do_not_ask_in_step() {
    let mut waits = Vec::new();
    for seed in 0..200 {
        let mut record = ElectionRecord { holder: Some(9), transitions: 0, version: 1 };
        let mut stream = Stream::new(seed, "candidate", 0);
        let mut a = Elector::new(Settings::kubernetes(), 1, SimTime::ZERO);
        a.try_now(at(0), &mut record, Store::Reachable, &mut stream);
        waits.push(a.next_deadline().expect("it asks again") - at(0));
    }
    let (least, most) = (waits.iter().min(), waits.iter().max());
    assert!(
        *least.expect("some") >= secs(2) && *least.expect("some") < SimDuration::from_millis(2_100)
    );
    assert!(*most.expect("some") <= SimDuration::from_millis(4_400));
    assert!(*most.expect("some") > SimDuration::from_millis(4_300));
}
