//! Copies of the world along the run, for seeking.
//!
//! At most 64 are kept. When the run grows past them every second one is dropped and the distance
//! between two doubles, so that a seek replays a bounded share of the run, however long it is.

use sim::SimTime;
use world::World;

/// How many copies are kept at the most.
const MOST: usize = 64;

/// How many trace events lie between two copies at first: so many are replayed before anybody notices.
const FIRST_SPACING: usize = 1024;

/// The same where every replayed event counts.
const CLOSE_SPACING: usize = 64;

/// A copy of the world and how much of the trace came before it.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) world: World,
    pub(crate) events: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Snapshots {
    kept: Vec<Snapshot>,
    spacing: usize,
}

impl Snapshots {
    /// The first copy: the world before anything has happened. It is never dropped.
    pub(crate) fn new(world: World) -> Self {
        Self { kept: vec![Snapshot { world, events: 0 }], spacing: FIRST_SPACING }
    }

    /// The first copy of these, and others as far from each other.
    pub(crate) fn anew(&self) -> Self {
        Self { kept: vec![self.kept[0].clone()], spacing: self.spacing }
    }

    /// Keeps copies closer to each other from here on.
    pub(crate) fn keep_close(&mut self) {
        self.spacing = self.spacing.min(CLOSE_SPACING);
    }

    /// Keeps no further copy: a run that is only passed through is not sought in.
    pub(crate) fn keep_none(&mut self) {
        self.spacing = usize::MAX;
    }

    /// How many trace events there are when the next copy is kept.
    pub(crate) fn next_due(&self) -> usize {
        let last = self.kept.last().map_or(0, |snapshot| snapshot.events);
        last.saturating_add(self.spacing)
    }

    /// Keeps a copy of the world if the last one is far enough behind.
    pub(crate) fn offer(&mut self, world: &World, events: usize) {
        if events < self.next_due() {
            return;
        }
        if self.kept.len() == MOST {
            let mut position = 0;
            self.kept.retain(|_| {
                position += 1;
                position % 2 == 1
            });
            self.spacing *= 2;
        }
        self.kept.push(Snapshot { world: world.clone(), events });
    }

    /// The latest copy at or before a time.
    pub(crate) fn at_or_before(&self, time: SimTime) -> &Snapshot {
        let after = self.kept.partition_point(|snapshot| snapshot.world.now() <= time);
        &self.kept[after.saturating_sub(1)]
    }

    /// Drops every copy that the change touches, and says where to go on.
    pub(crate) fn rewind(&mut self, change: Change) -> &Snapshot {
        let keep = self.untouched(change);
        self.kept.truncate(keep);
        &self.kept[keep - 1]
    }

    /// The latest copy that the change does not touch.
    pub(crate) fn before(&self, change: Change) -> &Snapshot {
        &self.kept[self.untouched(change) - 1]
    }

    fn untouched(&self, change: Change) -> usize {
        let holds = |snapshot: &Snapshot| match change {
            Change::After(time) => snapshot.world.now() <= time,
            Change::From(time) => snapshot.world.now() < time,
        };
        self.kept.partition_point(holds).max(1)
    }
}

/// From where on a run changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// What happens at the end of this instant, after everything else of it.
    After(SimTime),
    /// Something of this instant itself.
    From(SimTime),
}
