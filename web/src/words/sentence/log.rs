//! What happens in a log and in the groups that read it, as sentences.

use broker::log::{Offset, PartitionId};
use world::{Cause, Expulsion, GroupId, Reason, TraceEvent, What};

use super::{Make, Making, Names, Sentence, seconds};

impl Making<'_> {
    fn group(self, group: GroupId) -> Self {
        let name = self.names.scenario().group_name(group.reader).unwrap_or_default().to_owned();
        self.text("group", name)
    }

    fn lane(self, partition: PartitionId) -> Self {
        self.text("partition", partition.index().to_string())
    }

    fn at(self, partition: PartitionId, offset: Offset) -> Self {
        self.lane(partition).text("offset", offset.value().to_string())
    }
}

/// A log takes records in, and lets go of them.
#[inline(never)]
pub(super) fn log(names: &Names, event: &TraceEvent) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Appended { log, message, partition, offset, .. } => {
            made.about("event.appended", message).part("log", log).at(partition, offset).done()
        }
        What::RetryDeduplicated { log, message, partition, offset } => made
            .about("event.retry_deduplicated", message)
            .part("log", log)
            .at(partition, offset)
            .done(),
        What::Fetched { group, worker, message, place, count } => {
            let key = if count > 1 { "event.fetched.again" } else { "event.fetched" };
            made.about(key, message)
                .group(group)
                .worker(worker)
                .text("count", count.to_string())
                .at(place.partition, place.offset)
                .done()
        }
        What::Trimmed { log, partition, start, records } => made
            .of("event.trimmed")
            .part("log", log)
            .text("records", records.to_string())
            .at(partition, start)
            .done(),
        What::TransactionEnded { log, partition, offset, committed } => {
            let key =
                if committed { "event.transaction.committed" } else { "event.transaction.aborted" };
            made.of(key).part("log", log).at(partition, offset).done()
        }
        What::FailedOver { log, records } => made
            .of("event.failed_over")
            .part("log", log)
            .text("records", records.to_string())
            .done(),
        What::Compacted { log, message } => {
            made.about("event.compacted", message).part("log", log).done()
        }
        What::PartitionsAdded { log, partitions } => made
            .of("event.partitions_added")
            .part("log", log)
            .text("partitions", partitions.to_string())
            .done(),
        _ => return None,
    })
}

/// A group commits, and is divided anew.
#[inline(never)]
pub(super) fn group(names: &Names, event: &TraceEvent) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::Committed { group, partition, offset, .. } => {
            made.of("event.committed").group(group).at(partition, offset).done()
        }
        What::CommitRefused { group, worker } => {
            made.of("event.commit_refused").group(group).worker(worker).done()
        }
        What::RebalanceBegan { group, why, worker } => {
            let key = match why {
                Reason::Joined => "event.rebalance_began.joined",
                Reason::Rejoined => "event.rebalance_began.rejoined",
                Reason::Left => "event.rebalance_began.left",
                Reason::Expired => "event.rebalance_began.expired",
                Reason::PartitionsAdded => "event.rebalance_began.partitions",
            };
            let made = made.of(key).group(group);
            match worker {
                Some(worker) => made.worker(worker).done(),
                None => made.done(),
            }
        }
        What::RebalanceEnded { group, members, took, .. } => made
            .of("event.rebalance_ended")
            .group(group)
            .text("members", members.to_string())
            .text("long", seconds(took))
            .done(),
        What::OffsetReset { group, partition, to, .. } => {
            made.of("event.offset_reset").group(group).at(partition, to).done()
        }
        What::OffsetsExpired { group } => made.of("event.offsets_expired").group(group).done(),
        What::Rewound { group, partition, to } => {
            made.of("event.rewound").group(group).at(partition, to).done()
        }
        What::Archived { group, message } => {
            made.about("event.archived", message).group(group).done()
        }
        What::LostToGroup { group, message, .. } => {
            made.about("event.lost_to_group", message).group(group).done()
        }
        _ => return None,
    })
}

/// Members come and go, and partitions with them.
#[inline(never)]
pub(super) fn member(names: &Names, event: &TraceEvent) -> Option<Sentence> {
    let made = Make { names };
    Some(match event.what {
        What::MemberJoined { group, worker } => {
            made.of("event.member_joined").group(group).worker(worker).done()
        }
        What::MemberLeft { group, worker } => {
            made.of("event.member_left").group(group).worker(worker).done()
        }
        What::MemberExpired { group, worker, cause } => {
            let key = match cause {
                Expulsion::SessionTimedOut => "event.member_expired.session",
                Expulsion::RebalanceTimedOut => "event.member_expired.rebalance",
                Expulsion::PollTimedOut => "event.member_expired.poll",
            };
            made.of(key).group(group).worker(worker).done()
        }
        What::GroupEmptied { group } => made.of("event.group_emptied").group(group).done(),
        What::Assigned { group, worker, partition, from } => {
            made.of("event.assigned").group(group).worker(worker).at(partition, from).done()
        }
        What::Revoked { group, worker, partition, cause, unfinished, again } => {
            let key = match cause {
                Cause::Eager => "event.revoked.eager",
                Cause::Moved => "event.revoked.moved",
                Cause::Lost => "event.revoked.lost",
            };
            made.of(key)
                .group(group)
                .worker(worker)
                .lane(partition)
                .text("unfinished", unfinished.to_string())
                .text("again", again.to_string())
                .done()
        }
        _ => return None,
    })
}
