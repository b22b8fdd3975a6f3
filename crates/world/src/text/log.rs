//! The lines of logs and of the groups that read them.

use std::fmt::{self, Write};

use broker::log::{Offset, PartitionId};
use scenario::Scenario;
use sim::{SimDuration, SimTime};

use super::{Line, Seconds, Word};
use crate::{Cause, Expulsion, GroupId, Reason, What};

impl<W: Write> Line<'_, W> {
    /// The events of logs and of the groups that read them.
    pub(super) fn log(&mut self, what: What) -> fmt::Result {
        match what {
            What::Appended { by, log, message, partition, offset } => {
                self.words("appended", &[&by, &log, &message, &At(partition, offset)])
            }
            What::RetryDeduplicated { log, message, partition, offset } => {
                self.words("retry-deduplicated", &[&log, &message, &At(partition, offset)])
            }
            What::Fetched { group, worker, message, place, count } => self.words(
                "fetched",
                &[
                    &group.log,
                    &message,
                    &At(place.partition, place.offset),
                    &worker,
                    &"count",
                    &count,
                ],
            ),
            What::Committed { group, partition, offset, worker: Some(worker) } => {
                self.words("committed", &[&group, &At(partition, offset), &worker])
            }
            What::Committed { group, partition, offset, worker: None } => {
                self.words("committed", &[&group, &At(partition, offset)])
            }
            What::CommitRefused { group, worker } => {
                self.words("commit-refused", &[&group, &worker])
            }
            What::RebalanceBegan { group, why, worker: Some(worker) } => {
                self.words("rebalance-began", &[&group, &why, &worker])
            }
            What::RebalanceBegan { group, why, worker: None } => {
                self.words("rebalance-began", &[&group, &why])
            }
            What::RebalanceEnded { group, generation, members, took } => self.words(
                "rebalance-ended",
                &[&group, &"generation", &generation, &"members", &members, &"took", &took],
            ),
            What::Trimmed { log, partition, start, records } => {
                self.words("trimmed", &[&log, &At(partition, start), &"records", &records])
            }
            What::TransactionEnded { log, partition, offset, committed } => {
                let verb = if committed { "transaction-committed" } else { "transaction-aborted" };
                self.words(verb, &[&log, &At(partition, offset)])
            }
            What::FailedOver { log, records } => {
                self.words("failed-over", &[&log, &"records", &records])
            }
            What::Compacted { log, message } => self.words("compacted", &[&log, &message]),
            What::PartitionsAdded { log, partitions } => {
                self.words("partitions-added", &[&log, &partitions])
            }
            What::OffsetReset { group, partition, from, to } => self
                .words("offset-reset", &[&group, &At(partition, from), &"to", &At(partition, to)]),
            What::OffsetsExpired { group } => self.words("offsets-expired", &[&group]),
            What::Rewound { group, partition, to } => {
                self.words("rewound", &[&group, &At(partition, to)])
            }
            What::Archived { group, message } => self.words("archived", &[&group, &message]),
            What::LostToGroup { group, message, partition, offset } => {
                self.words("lost-to-group", &[&group, &message, &At(partition, offset)])
            }
            other => self.member(other),
        }
    }

    /// The events of a group's members.
    fn member(&mut self, what: What) -> fmt::Result {
        match what {
            What::MemberJoined { group, worker } => self.words("member-joined", &[&group, &worker]),
            What::MemberLeft { group, worker } => self.words("member-left", &[&group, &worker]),
            What::MemberExpired { group, worker, cause } => {
                self.words("member-expired", &[&group, &worker, &cause])
            }
            What::GroupEmptied { group } => self.words("group-emptied", &[&group]),
            What::Assigned { group, worker, partition, from } => {
                self.words("assigned", &[&group, &worker, &At(partition, from)])
            }
            What::Revoked { group, worker, partition, cause, unfinished, again } => self.words(
                "revoked",
                &[
                    &group,
                    &worker,
                    &partition,
                    &cause,
                    &"unfinished",
                    &unfinished,
                    &"again",
                    &again,
                ],
            ),
            other => self.attempt(other),
        }
    }
}

impl Word for GroupId {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(scenario.group_name(self.reader).unwrap_or_default())
    }
}

/// A place in a log: `p0@7`.
struct At(PartitionId, Offset);

impl Word for At {
    fn write(&self, scenario: &Scenario, out: &mut dyn Write) -> fmt::Result {
        self.0.write(scenario, out)?;
        write!(out, "@{}", self.1.value())
    }
}

impl Word for PartitionId {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        write!(out, "p{}", self.index())
    }
}

impl Word for SimDuration {
    fn write(&self, _: &Scenario, mut out: &mut dyn Write) -> fmt::Result {
        Seconds(SimTime::from_micros(self.as_micros())).write(&mut out)
    }
}

impl Word for Reason {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::Joined => "joined",
            Self::Rejoined => "rejoined",
            Self::Left => "left",
            Self::Expired => "expired",
            Self::PartitionsAdded => "partitions-added",
        })
    }
}

impl Word for Expulsion {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::SessionTimedOut => "session-timed-out",
            Self::RebalanceTimedOut => "rebalance-timed-out",
            Self::PollTimedOut => "poll-timed-out",
        })
    }
}

impl Word for Cause {
    fn write(&self, _: &Scenario, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::Eager => "eager",
            Self::Moved => "moved",
            Self::Lost => "lost",
        })
    }
}
