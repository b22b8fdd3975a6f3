//! Gauges of a log and of the groups that read it.

use broker::log::{Offset, PartitionId};
use sim::SimTime;
use world::{GroupId, TraceEvent, What};

use super::{Gauge, Level, Series};

/// What one group has before it in one partition, as the trace tells.
#[derive(Clone, Default)]
struct Lane {
    /// When what stands at each offset was appended.
    appended: Vec<SimTime>,
    start: Offset,
    /// Where the group goes on, once it has been anywhere.
    stands: Option<Offset>,
}

impl Lane {
    /// The first offset that the group has not committed.
    fn unread(&self) -> usize {
        index(self.stands.unwrap_or_default().max(self.start)).min(self.appended.len())
    }

    fn lag(&self) -> usize {
        self.appended.len() - self.unread()
    }

    fn oldest(&self) -> Option<SimTime> {
        self.appended.get(self.unread()).copied()
    }
}

fn index(offset: Offset) -> usize {
    usize::try_from(offset.value()).expect("a run appends fewer records")
}

/// Follows what a group has before it, in one partition or in all.
pub(super) fn unread(
    trace: &[TraceEvent],
    group: GroupId,
    only: Option<PartitionId>,
    show: fn(&mut dyn Iterator<Item = (usize, Option<SimTime>)>) -> Level,
) -> Series {
    let mut lanes: Vec<Lane> = Vec::new();
    let mut series = Series { steps: vec![(SimTime::ZERO, show(&mut std::iter::empty()))] };
    for event in trace {
        let (partition, change) = match event.what {
            What::Appended { log, partition, offset, .. } if log == group.log => {
                (partition, Change::Appended(offset))
            }
            What::TransactionEnded { log, partition, offset, .. } if log == group.log => {
                (partition, Change::Appended(offset))
            }
            What::Trimmed { log, partition, start, .. } if log == group.log => {
                (partition, Change::Trimmed(start))
            }
            What::Committed { group: of, partition, offset, .. } if of == group => {
                (partition, Change::Stands(offset))
            }
            What::Rewound { group: of, partition, to }
            | What::OffsetReset { group: of, partition, to, .. }
                if of == group =>
            {
                (partition, Change::Stands(to))
            }
            What::Assigned { group: of, partition, from, .. } if of == group => {
                (partition, Change::Starts(from))
            }
            _ => continue,
        };
        if lanes.len() <= partition.index() {
            lanes.resize(partition.index() + 1, Lane::default());
        }
        lanes[partition.index()].follow(event.at, change);
        let shown = |at: &usize| only.is_none_or(|only| only.index() == *at);
        let all = (0..lanes.len()).filter(shown).map(|at| (lanes[at].lag(), lanes[at].oldest()));
        let level = show(&mut { all });
        series.push(event.at, level);
    }
    series
}

#[derive(Clone, Copy)]
enum Change {
    Appended(Offset),
    Trimmed(Offset),
    Stands(Offset),
    Starts(Offset),
}

impl Lane {
    fn follow(&mut self, at: SimTime, change: Change) {
        match change {
            Change::Appended(offset) => self.appended.resize(index(offset) + 1, at),
            Change::Trimmed(start) => self.start = start,
            Change::Stands(offset) => self.stands = Some(offset),
            // Before its first commit, a group is where its reader is.
            Change::Starts(offset) => {
                self.stands.get_or_insert(offset);
            }
        }
    }
}

/// Records not committed.
pub(super) fn lag(lanes: &mut dyn Iterator<Item = (usize, Option<SimTime>)>) -> Level {
    let sum: usize = lanes.map(|(lag, _)| lag).sum();
    Level::Count(u32::try_from(sum).unwrap_or(u32::MAX))
}

/// Since when the oldest of them is there.
pub(super) fn oldest(lanes: &mut dyn Iterator<Item = (usize, Option<SimTime>)>) -> Level {
    Level::Since(lanes.filter_map(|(_, oldest)| oldest).min())
}

/// What an event adds to a count of a log or a group.
pub(super) fn counts(gauge: Gauge, what: What) -> bool {
    match (gauge, what) {
        (Gauge::Appended(of), What::Appended { log, .. }) => log == of,
        (Gauge::ReadAgain(of), What::Fetched { group, count, .. }) => group == of && count > 1,
        (Gauge::Read(of), What::Fetched { group, .. })
        | (Gauge::LostToGroup(of), What::LostToGroup { group, .. })
        | (Gauge::Rebalances(of), What::RebalanceEnded { group, .. }) => group == of,
        _ => false,
    }
}
