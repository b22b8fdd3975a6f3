//! What a crash or a rebalance did to the work in flight: which records a worker had read and not
//! committed, and what became of each.

use scenario::Scenario;
use sim::SimTime;
use world::{Cause, GroupId, Place, TraceEvent, What, WorkerId};

use crate::Player;

/// A moment at which a worker's uncommitted work went from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upset {
    /// The position of its event in the trace.
    pub event: usize,
    /// When.
    pub at: SimTime,
    /// The group.
    pub group: GroupId,
    /// Whose work it was.
    pub worker: WorkerId,
    /// What happened.
    pub cause: UpsetCause,
    /// The records that it had read and its group had not committed.
    pub records: Vec<Place>,
    /// How many of them were read again later.
    pub again: u32,
    /// How many were lost: the group went past them, and their work was not done.
    pub lost: u32,
}

/// Why a worker's work went from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsetCause {
    /// It died.
    Crash,
    /// A partition was taken from it.
    Revoked(Cause),
}

impl Player {
    /// Every crash of a group's member and every revocation that met work in flight, or that lost
    /// some, in order.
    #[must_use]
    pub fn upsets(&self) -> Vec<Upset> {
        let mut ledger = Ledger { upsets: Vec::new(), open: Vec::new() };
        for (position, event) in self.trace().iter().enumerate() {
            ledger.follow(self.scenario(), position, event);
        }
        ledger.upsets.retain(|upset| !upset.records.is_empty() || upset.lost > 0);
        ledger.upsets
    }
}

struct Ledger {
    upsets: Vec<Upset>,
    /// What each worker has read and its group has not committed.
    open: Vec<(GroupId, WorkerId, Place)>,
}

impl Ledger {
    fn follow(&mut self, scenario: &Scenario, event: usize, told: &TraceEvent) {
        match told.what {
            What::Fetched { group, worker, place, count, .. } => {
                if count > 1 {
                    self.judge(group, place, Fate::ReadAgain);
                }
                self.open.push((group, worker, place));
            }
            What::Committed { group, partition, offset, .. } => {
                self.open.retain(|(of, _, place)| {
                    *of != group || place.partition != partition || place.offset >= offset
                });
            }
            What::LostToGroup { group, partition, offset, .. } => {
                self.judge(group, Place { partition, offset }, Fate::Lost);
            }
            What::Crashed { worker, .. } => {
                let Some((log, reader)) = scenario.group_of(worker.component) else { return };
                let group = GroupId { log, reader };
                let records = self.take(group, worker, |_| true);
                self.note(event, told.at, group, worker, UpsetCause::Crash, records);
            }
            What::Revoked { group, worker, partition, cause, .. } => {
                let records = self.take(group, worker, |place| place.partition == partition);
                self.note(event, told.at, group, worker, UpsetCause::Revoked(cause), records);
            }
            _ => {}
        }
    }

    fn take(
        &mut self,
        group: GroupId,
        worker: WorkerId,
        goes: impl Fn(Place) -> bool,
    ) -> Vec<Place> {
        let mut taken = Vec::new();
        self.open.retain(|(of, by, place)| {
            let goes = *of == group && *by == worker && goes(*place);
            if goes {
                taken.push(*place);
            }
            !goes
        });
        taken
    }

    fn note(
        &mut self,
        event: usize,
        at: SimTime,
        group: GroupId,
        worker: WorkerId,
        cause: UpsetCause,
        records: Vec<Place>,
    ) {
        self.upsets.push(Upset { event, at, group, worker, cause, records, again: 0, lost: 0 });
    }

    /// What becomes of a record is put down to what last upset the work on it; the loss of one that
    /// was committed before, to the last upset of its group.
    fn judge(&mut self, group: GroupId, place: Place, fate: Fate) {
        let known = |upset: &Upset| upset.group == group && upset.records.contains(&place);
        let known = self.upsets.iter().rposition(known);
        match fate {
            Fate::ReadAgain => known.into_iter().for_each(|at| self.upsets[at].again += 1),
            Fate::Lost => {
                let last = self.upsets.iter().rposition(|upset| upset.group == group);
                if let Some(at) = known.or(last) {
                    self.upsets[at].lost += 1;
                }
            }
        }
    }
}

/// What becomes of a record whose work was upset.
#[derive(Clone, Copy)]
enum Fate {
    ReadAgain,
    Lost,
}
