//! What a log and its groups are made of.

use std::collections::VecDeque;

use broker::MessageId;
use broker::log::consumer::{self, AutoCommit, Consumer, Standing};
use broker::log::group::{Group, Membership, Tenure};
use broker::log::partitioner::Partitioner;
use broker::log::producer::Producer;
use broker::log::share::SharePartition;
use broker::log::{
    InstanceId, Isolation, MemberId, Offset, PartitionId, Stamp, Topic, TopicId, TopicPartition,
};
use scenario::{ComponentId, Kind, Log, Members, Reading, Scenario};
use sim::short::OrderedMap;
use sim::{SimDuration, SimTime, Stream};

use super::transaction::Writing;
use super::work::Work;
use crate::{GroupId, WorkerId};

/// A log, who writes to it and who reads it.
#[derive(Clone, Debug, Hash)]
pub struct LogState {
    /// The topic, under its number. A poll takes a table of topics.
    pub(crate) topics: OrderedMap<TopicId, Topic>,
    /// The groups that read it, in document order.
    pub groups: Vec<GroupState>,
    pub(super) id: TopicId,
    pub(super) writers: Vec<Writer>,
    /// Batches whose confirm was lost, until their retry is confirmed.
    pub(super) unconfirmed: Vec<Unconfirmed>,
    /// For partitioners, which draw.
    pub(super) stream: Stream,
    /// Where each message was appended last, by its number.
    pub(super) places: Vec<Option<Place>>,
    /// Which message was appended at each offset, by partition.
    pub(super) messages: Vec<Vec<Option<MessageId>>>,
    /// The next confirm will be lost.
    pub confirm_loss_armed: bool,
    pub(super) timer: Option<SimTime>,
    pub(super) handing_out: bool,
    /// Records appended.
    pub appended: u32,
    /// Records that a leader had and its successor has not.
    pub cut: u32,
    /// How often followers have taken over.
    pub(super) reign: u32,
    /// Records deleted by retention.
    pub expired: u32,
    /// Records removed because a later one has their key.
    pub compacted: u32,
}

/// Where a record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// In which partition.
    pub partition: PartitionId,
    /// At which offset.
    pub offset: Offset,
}

/// A component that publishes to the log, as its own producer.
#[derive(Clone, Debug, Hash)]
pub(super) struct Writer {
    pub by: ComponentId,
    pub partitioner: Partitioner,
    pub producer: Producer,
}

/// A batch whose producer waits for a confirm that will not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Unconfirmed {
    pub by: ComponentId,
    pub message: MessageId,
    pub partition: PartitionId,
    pub stamp: Option<Stamp>,
    /// Where it stands, if what is waited for is the followers.
    pub stands: Option<Place>,
    /// When the producer tries again.
    pub again_at: SimTime,
}

/// A group that reads the log.
#[derive(Clone, Debug, Hash)]
pub struct GroupState {
    /// Its identity in the run.
    pub id: GroupId,
    /// What keeps it together.
    pub coordination: Coordination,
    /// A place for each worker process, in the order of components and processes.
    pub members: Vec<MemberState>,
    /// Who has had each identity in the group, by its number.
    pub(super) identities: Vec<WorkerId>,
    /// Members that wait inside a poll, the one that waits longest first.
    pub(super) waiting: VecDeque<usize>,
    /// What it had committed when that was last told, by partition.
    pub(super) committed: Vec<Option<Offset>>,
    /// Where it first started, by partition: what lies before is not its business.
    pub(super) first: Vec<Option<Offset>>,
    /// What became of the work on each record, by partition and offset.
    pub(super) work: Vec<Vec<Work>>,
    /// Since when a group without a barrier is on its way to a new division.
    pub(super) unsettled_since: Option<SimTime>,
    /// Records handed out again after an earlier read.
    pub read_again: u32,
    /// Records committed past although their work was not done.
    pub lost: u32,
}

/// What keeps a group together.
#[derive(Clone, Debug, Hash)]
pub enum Coordination {
    /// A coordinator, who gives each partition to one member.
    Consumers(Box<Group>),
    /// Locks on single records, partition by partition.
    Share(Vec<SharePartition>),
}

/// A worker process's place in its group.
#[derive(Clone, Debug, Hash)]
pub struct MemberState {
    /// Which process.
    pub worker: WorkerId,
    /// Its client. It goes on in its process's mind when the group has long forgotten it.
    pub consumer: Consumer,
    /// It has to poll though nothing is to be read: it has just come, or its group was divided.
    pub(super) called: bool,
    /// It shuts down when it next polls, and is back after a while, or not.
    pub(super) leaves: Option<Option<SimDuration>>,
    /// It sleeps before it polls again.
    pub(super) sleeps_until: Option<SimTime>,
    /// How much it sees.
    pub(super) isolation: Isolation,
    /// Whether it commits by itself.
    pub(super) commits: AutoCommit,
    /// When its background work is next due.
    pub(super) timer: Option<SimTime>,
    /// What it was handed and has not let go of.
    pub(super) held: Vec<Place>,
    /// Itself as a producer, once it has published in a transaction.
    pub(super) writes: Option<Box<Writing>>,
}

impl LogState {
    #[inline(never)]
    pub(crate) fn new(scenario: &Scenario, id: ComponentId, spec: &Log, stream: Stream) -> Self {
        let topic = topic_id(id);
        let mut topics = OrderedMap::new();
        topics.insert(topic, Topic::new(SimTime::ZERO, spec.settings));
        let partitions = spec.settings.partitions;
        let groups = scenario.groups_of(id);
        Self {
            topics,
            groups: groups
                .iter()
                .map(|all| GroupState::new(scenario, id, all, partitions))
                .collect(),
            id: topic,
            writers: Vec::new(),
            unconfirmed: Vec::new(),
            stream,
            places: Vec::new(),
            messages: vec![Vec::new(); partitions as usize],
            confirm_loss_armed: false,
            timer: None,
            handing_out: false,
            appended: 0,
            cut: 0,
            reign: 0,
            expired: 0,
            compacted: 0,
        }
    }

    /// The topic.
    ///
    /// # Panics
    /// Never: it is there from the start.
    #[must_use]
    pub fn topic(&self) -> &Topic {
        self.topics.get(&self.id).expect("a log has its topic")
    }

    pub(super) fn topic_mut(&mut self) -> &mut Topic {
        self.topics.get_mut(&self.id).expect("a log has its topic")
    }

    /// Where a message was appended last.
    #[must_use]
    pub fn place(&self, message: MessageId) -> Option<Place> {
        self.places.get(message.index()).copied().flatten()
    }

    /// The partition in terms of all topics.
    pub(super) fn whole(&self, partition: PartitionId) -> TopicPartition {
        TopicPartition::new(self.id, partition)
    }

    /// What is before a worker's group: how many offsets it has not committed, since when the oldest
    /// of them is there, and how many records ever came.
    pub(crate) fn load_of(&self, worker: WorkerId) -> (u64, Option<SimTime>, u64) {
        let Some((at, _)) = self.seat(worker) else { return (0, None, 0) };
        let (group, mut lag, mut oldest) = (&self.groups[at], 0, None);
        for (lane, partition) in self.topic().partitions().iter().enumerate() {
            let id = super::share::lane_id(lane);
            let first = group.first[lane].unwrap_or(partition.end());
            let from = group.committed(id).unwrap_or(first).max(partition.start());
            lag += partition.end().saturating_since(from);
            let since = partition.entries(from).next().map(|stored| stored.timestamp);
            oldest = match (oldest, since) {
                (Some(one), Some(other)) => Some(SimTime::min(one, other)),
                (one, other) => one.or(other),
            };
        }
        (lag, oldest, u64::from(self.appended))
    }

    /// The place of a worker process: its group and its position among the members.
    pub(crate) fn seat(&self, worker: WorkerId) -> Option<(usize, usize)> {
        self.groups.iter().enumerate().find_map(|(at, group)| {
            let member = group.members.binary_search_by_key(&worker, |member| member.worker);
            member.ok().map(|member| (at, member))
        })
    }
}

impl GroupState {
    fn new(scenario: &Scenario, log: ComponentId, all: &[ComponentId], partitions: u32) -> Self {
        let topic = topic_id(log);
        let lanes = partitions as usize;
        let coordination = match reading(scenario, all[0]) {
            Reading::Consumers { group, .. } => {
                let mut sizes = OrderedMap::new();
                sizes.insert(topic, partitions);
                Coordination::Consumers(Box::new(Group::new(SimTime::ZERO, *group, sizes)))
            }
            Reading::Share { group, .. } => {
                let open = || SharePartition::new(*group, Offset::ZERO);
                Coordination::Share((0..partitions).map(|_| open()).collect())
            }
        };
        let mut state = Self {
            id: GroupId { log, reader: all[0] },
            coordination,
            members: Vec::new(),
            identities: Vec::new(),
            waiting: VecDeque::new(),
            committed: vec![None; lanes],
            first: vec![None; lanes],
            work: vec![Vec::new(); lanes],
            unsettled_since: None,
            read_again: 0,
            lost: 0,
        };
        for &component in all {
            let Kind::Workers(spec) = &scenario.component(component).kind else { continue };
            for instance in 0..spec.count {
                state.admit(scenario, WorkerId { component, instance });
            }
        }
        state
    }

    /// Makes a place for a process, if it has none.
    pub(super) fn admit(&mut self, scenario: &Scenario, worker: WorkerId) -> usize {
        match self.members.binary_search_by_key(&worker, |member| member.worker) {
            Ok(at) => at,
            Err(at) => {
                let consumer = self.client(scenario, worker);
                let (isolation, commits) = match reading(scenario, worker.component) {
                    Reading::Consumers { consumer, .. } => {
                        (consumer.isolation, consumer.auto_commit)
                    }
                    Reading::Share { group, .. } => (group.isolation, AutoCommit::Off),
                };
                let member = MemberState {
                    worker,
                    consumer,
                    called: false,
                    leaves: None,
                    sleeps_until: None,
                    isolation,
                    commits,
                    timer: None,
                    held: Vec::new(),
                    writes: None,
                };
                self.members.insert(at, member);
                // The others' positions have moved.
                for waiting in &mut self.waiting {
                    *waiting += usize::from(*waiting >= at);
                }
                at
            }
        }
    }

    /// A client for a process that starts: under a new identity, and under its own name if it has
    /// one.
    pub(super) fn client(&mut self, scenario: &Scenario, worker: WorkerId) -> Consumer {
        #[allow(clippy::cast_possible_truncation, reason = "a run has fewer restarts")]
        let member = MemberId::from_index(self.identities.len() as u32);
        self.identities.push(worker);
        let (settings, instance) = match reading(scenario, worker.component) {
            Reading::Consumers { consumer, members, .. } => {
                let own =
                    (*members == Members::Static).then(|| InstanceId::from_index(number(worker)));
                (*consumer, own)
            }
            // It shows its identity only; what it takes is under locks.
            Reading::Share { .. } => (consumer::Settings::kafka(), None),
        };
        Consumer::new(settings, member, instance, vec![topic_id(self.id.log)])
    }

    /// Whether its members see nothing of transactions that are open or aborted.
    pub(super) fn reads_committed(&self) -> bool {
        self.members.iter().any(|member| member.isolation == Isolation::ReadCommitted)
    }

    /// The process that had an identity in the group.
    pub(super) fn worker(&self, member: MemberId) -> WorkerId {
        self.identities[member.index()]
    }

    /// What the group has committed in a partition.
    #[must_use]
    pub fn committed(&self, partition: PartitionId) -> Option<Offset> {
        match &self.coordination {
            Coordination::Consumers(group) => {
                group.offsets().get(TopicPartition::new(topic_id(self.id.log), partition))
            }
            Coordination::Share(lanes) => lanes.get(partition.index()).map(SharePartition::start),
        }
    }

    /// Where the group first started in a partition, once it has.
    #[must_use]
    pub fn first(&self, partition: PartitionId) -> Option<Offset> {
        self.first.get(partition.index()).copied().flatten()
    }

    /// The process that works on a partition and where it reads next, as far as the group knows.
    #[must_use]
    pub fn owner(&self, partition: PartitionId) -> Option<(WorkerId, Offset)> {
        let known = |member: &&MemberState| self.knows(member);
        self.members.iter().filter(known).find_map(|member| {
            let mut owned = member.consumer.owned();
            let here = owned.find(|(at, _)| at.partition == partition);
            here.map(|(_, position)| (member.worker, position))
        })
    }

    /// Whether a client is a member of the group in the group's own mind, and of its present
    /// division.
    fn knows(&self, member: &MemberState) -> bool {
        let Coordination::Consumers(group) = &self.coordination else { return true };
        let (id, standing) = (member.consumer.member(), member.consumer.standing());
        let (Standing::Member(tenure) | Standing::Waiting { tenure: Some(tenure) }) = standing
        else {
            return false;
        };
        match (group.membership(), tenure) {
            (Membership::Classic(group), Tenure::Generation(generation)) => {
                group.check(id, generation).is_ok()
            }
            (Membership::Incremental(group), Tenure::Epoch(epoch)) => {
                group.check(id, epoch).is_ok()
            }
            _ => false,
        }
    }

    /// Whether the group would take a commit, or an acknowledgement, from this process.
    #[must_use]
    pub fn honours(&self, worker: WorkerId) -> bool {
        let Ok(at) = self.members.binary_search_by_key(&worker, |member| member.worker) else {
            return false;
        };
        self.knows(&self.members[at])
    }

    /// How often a record has been handed to this group.
    #[must_use]
    pub fn reads(&self, place: Place) -> u32 {
        self.work_at(place).map_or(0, |work| work.reads)
    }
}

impl MemberState {
    /// Whether it has nothing left to commit by itself.
    pub(super) fn has_committed(&self, group: &GroupState) -> bool {
        let done = |(at, position)| group.committed(at) == Some(position);
        self.commits == AutoCommit::Off || self.owned().all(done)
    }

    /// The partitions that the process works on, and where it reads next in each.
    pub fn owned(&self) -> impl Iterator<Item = (PartitionId, Offset)> {
        self.consumer.owned().map(|(at, position)| (at.partition, position))
    }
}

/// The number of a log's topic.
pub(super) fn topic_id(log: ComponentId) -> TopicId {
    #[allow(clippy::cast_possible_truncation, reason = "limits::COMPONENTS is far below")]
    TopicId::from_index(log.index() as u32)
}

/// A number of a process's own.
pub(super) fn number(worker: WorkerId) -> u32 {
    #[allow(clippy::cast_possible_truncation, reason = "limits::COMPONENTS is far below")]
    let component = worker.component.index() as u32;
    component << 16 | u32::from(worker.instance)
}

/// How a workers component reads its log.
pub(super) fn reading(scenario: &Scenario, workers: ComponentId) -> &Reading {
    match &scenario.component(workers).kind {
        Kind::Workers(spec) => {
            &spec.membership.as_ref().expect("who reads a log is in a group").reading
        }
        _ => unreachable!("validation makes it workers"),
    }
}
