//! A message's life in a log: one row a group, for each reads it on its own.

use broker::MessageId;
use scenario::Scenario;
use sim::SimTime;
use world::{GroupId, Place, TraceEvent, What, WorkerId};

/// The life of a message in one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupLife {
    /// Which group.
    pub group: GroupId,
    /// What it was to the group, one after another without gaps.
    pub stretches: Vec<GroupStretch>,
    /// Where its record stands.
    place: Place,
}

/// What a message was to a group, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupStretch {
    /// What.
    pub kind: GroupStretchKind,
    /// Since when.
    pub from: SimTime,
    /// Until when; the end of the run if nothing ended it.
    pub to: SimTime,
}

/// What a message can be to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupStretchKind {
    /// Not read, or to be read again.
    Unread,
    /// Read, and not committed.
    Read {
        /// By whom.
        worker: WorkerId,
        /// Which read of the group it is, from 1.
        nth: u32,
    },
    /// The group has committed past it.
    Committed,
    /// The group has gone past it, and nobody will do its work.
    Lost,
    /// It is not in the log any more.
    Gone,
}

/// Follows a message through the groups of the logs that it comes to.
pub(super) fn follow(
    lives: &mut Vec<GroupLife>,
    scenario: &Scenario,
    message: MessageId,
    event: &TraceEvent,
) {
    let at = event.at;
    match event.what {
        What::Appended { log, message: of, partition, offset, .. } if of == message => {
            for readers in scenario.groups_of(log) {
                let group = GroupId { log, reader: readers[0] };
                if lives.iter().all(|life| life.group != group) {
                    let place = Place { partition, offset };
                    let mut life = GroupLife { group, stretches: Vec::new(), place };
                    life.enter(at, GroupStretchKind::Unread);
                    lives.push(life);
                }
            }
        }
        What::Fetched { group, worker, message: of, place, count } if of == message => {
            for life in lives.iter_mut().filter(|life| life.group == group) {
                life.place = place;
                life.enter(at, GroupStretchKind::Read { worker, nth: count });
            }
        }
        What::Committed { group, partition, offset, .. }
        | What::Rewound { group, partition, to: offset } => {
            for life in lives.iter_mut() {
                if life.group == group && life.place.partition == partition {
                    life.moved(at, offset > life.place.offset);
                }
            }
        }
        What::Acked { queue, message: of, .. } if of == message => {
            for life in lives.iter_mut().filter(|life| life.group.log == queue) {
                life.moved(at, true);
            }
        }
        What::LostToGroup { group, message: of, .. } if of == message => {
            for life in lives.iter_mut().filter(|life| life.group == group) {
                life.enter(at, GroupStretchKind::Lost);
            }
        }
        What::Compacted { log, message: of } | What::Expired { queue: log, message: of }
            if of == message =>
        {
            let open = |life: &&mut GroupLife| life.group.log == log && !life.is_over();
            for life in lives.iter_mut().filter(open) {
                life.enter(at, GroupStretchKind::Gone);
            }
        }
        _ => {}
    }
}

impl GroupLife {
    fn enter(&mut self, at: SimTime, kind: GroupStretchKind) {
        if let Some(last) = self.stretches.last_mut() {
            last.to = at;
        }
        self.stretches.push(GroupStretch { kind, from: at, to: at });
    }

    pub(super) fn end(&mut self, at: SimTime) {
        if let Some(last) = self.stretches.last_mut() {
            last.to = at;
        }
    }

    fn kind(&self) -> Option<GroupStretchKind> {
        self.stretches.last().map(|stretch| stretch.kind)
    }

    fn is_over(&self) -> bool {
        use GroupStretchKind::{Committed, Gone, Lost};
        matches!(self.kind(), Some(Committed | Lost | Gone))
    }

    /// The group goes on at a place before or behind it.
    fn moved(&mut self, at: SimTime, past: bool) {
        match (self.kind(), past) {
            (Some(GroupStretchKind::Unread | GroupStretchKind::Read { .. }), true) => {
                self.enter(at, GroupStretchKind::Committed);
            }
            (Some(GroupStretchKind::Committed | GroupStretchKind::Lost), false) => {
                self.enter(at, GroupStretchKind::Unread);
            }
            _ => {}
        }
    }
}
