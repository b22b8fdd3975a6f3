//! A diary of a consumer group: a line a request, with the time at which it comes in and what came
//! of it.
//!
//! ```text
//! 0     send 0 3          = 0..2
//! 0     a poll            = joined
//! 3     group             = rebalance, a joined; generation 1 of 1 after 3
//! 3     a poll            = +0@0; 0: 0 1 2
//! ```
//!
//! Times are seconds; partitions go by number. `+0@5` is partition 0 assigned, to go on at offset
//! 5; `+0@~5` where nothing was committed; `=0` kept through a rebalance; `-0 eager` given up, with
//! how many records are `open` (returned, not finished), how many will be read `again`, and how
//! many were `skipped` (committed, not finished).

use std::collections::BTreeMap;

use broker::MessageId;
use broker::log::consumer::{self, Cause, Change, Consumer, Finished, Origin, Polled};
use broker::log::group::{self, Expulsion, Group, GroupEvent, Membership, Reason};
use broker::log::{
    Batch, Body, InstanceId, KeyId, MemberId, Offset, PartitionId, Record, Settings, Topic,
    TopicId, TopicPartition,
};
use sim::short::OrderedMap;
use sim::{SimDuration, SimTime};

/// How a diary is set up.
#[derive(Clone, Copy)]
pub struct Stage {
    /// The group.
    pub group: group::Settings,
    /// Its consumers.
    pub consumer: consumer::Settings,
    /// How many partitions there are.
    pub partitions: u32,
}

/// Plays the requests of a diary and compares it, answers and all, with what happened.
#[track_caller]
pub fn check(stage: Stage, diary: &str) {
    let mut keeper = Keeper::new(stage);
    let mut wrong = false;
    let mut played = String::new();
    for line in diary.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (request, written) = line.split_once('=').expect("a line has an answer");
        let answer = keeper.answer(request);
        wrong |= written.trim() != answer;
        let request = request.trim();
        played.push_str(&format!("        {request:24}= {answer}\n"));
    }
    assert!(!wrong, "the diary should read\n{played}");
}

struct Keeper {
    stage: Stage,
    group: Group,
    logs: OrderedMap<TopicId, Topic>,
    consumers: BTreeMap<String, (Consumer, Vec<(TopicPartition, Offset)>)>,
    sent: u32,
}

const TOPIC: TopicId = TopicId::from_index(0);

impl Keeper {
    fn new(stage: Stage) -> Self {
        let settings = Settings { partitions: stage.partitions, ..Settings::kafka() };
        let topics = OrderedMap::from([(TOPIC, stage.partitions)]);
        Self {
            stage,
            group: Group::new(SimTime::ZERO, stage.group, topics),
            logs: OrderedMap::from([(TOPIC, Topic::new(SimTime::ZERO, settings))]),
            consumers: BTreeMap::new(),
            sent: 0,
        }
    }

    fn answer(&mut self, request: &str) -> String {
        let words: Vec<&str> = request.split_whitespace().collect();
        let now = SimTime::ZERO + seconds(words[0]);
        match words[1] {
            "send" => self.send(now, partition(words[2]), words[3].parse().expect("a number")),
            "delete" => {
                let log = self.logs.get_mut(&TOPIC).expect("there is one topic");
                let log = log.partition_mut(partition(words[2])).expect("a partition");
                let below = Offset::new(words[3].parse().expect("an offset"));
                format!("starts at {}", log.delete_below(below).start)
            }
            "grow" => {
                let partitions = words[2].parse().expect("a number");
                self.logs.get_mut(&TOPIC).expect("a topic").grow(partitions).expect("it grows");
                self.group.set_topics(now, OrderedMap::from([(TOPIC, partitions)]));
                "grown".to_owned()
            }
            "group" => self.tell_group(now),
            "offsets" => {
                let told = self.group.offsets().iter();
                join(told.map(|(at, offset)| format!("{}@{offset}", at.partition)), " ")
            }
            name => self.consume(now, name, &words[2..]),
        }
    }

    fn send(&mut self, now: SimTime, to: PartitionId, count: u32) -> String {
        let records: Vec<Record> = (0..count)
            .map(|place| Record {
                message: MessageId::from_index(self.sent + place),
                key: Some(KeyId::from_index(0)),
                body: Body::Value,
                bytes: 1,
                timestamp: now,
            })
            .collect();
        self.sent += count;
        let topic = self.logs.get_mut(&TOPIC).expect("there is one topic");
        let log = topic.partition_mut(to).expect("the diary names a partition");
        let batch = Batch { records: &records, stamp: None };
        let appended = log.append(now, &batch).expect("a plain batch is taken");
        format!("{}..{}", appended.first, appended.last)
    }

    fn consume(&mut self, now: SimTime, name: &str, words: &[&str]) -> String {
        if words[0] == "starts" {
            // A static member's instance is its letter; each start is a new member.
            let (consumer, _) = self.consumer(name);
            let member = MemberId::from_index(consumer.member().index() as u32 + 100);
            let instance = Some(InstanceId::from_index(letter(name)));
            let settings = self.stage.consumer;
            let fresh = Consumer::new(settings, member, instance, vec![TOPIC]);
            self.consumers.insert(name.to_owned(), (fresh, Vec::new()));
            return "new".to_owned();
        }
        self.consumer(name);
        let (consumer, returned) = self.consumers.get_mut(name).expect("it was just made");
        match words[0] {
            "poll" => {
                let mut polled = Polled::default();
                consumer.poll(now, &mut self.group, &self.logs, &mut polled);
                returned.extend(polled.records.iter().map(|(at, got)| (*at, got.offset)));
                tell_polled(&polled)
            }
            "done" => {
                let finished = returned.drain(..).map(|(at, offset)| consumer.finish(at, offset));
                let finished: Vec<Finished> = finished.collect();
                let ours = finished.iter().filter(|finished| **finished == Finished::Ours).count();
                format!("{ours} of {}", finished.len())
            }
            "finish" => {
                let at = TopicPartition::new(TOPIC, partition(words[1]));
                let offset = Offset::new(words[2].parse().expect("an offset"));
                returned.retain(|known| *known != (at, offset));
                format!("{:?}", consumer.finish(at, offset))
            }
            "commit" => match consumer.commit(now, &mut self.group) {
                Ok(()) => "committed".to_owned(),
                Err(error) => format!("refused: {error}"),
            },
            "lives" => {
                // All of its background work up to then.
                while let Some(due) = consumer.next_deadline(&self.group).filter(|due| *due <= now)
                {
                    consumer.advance(due, &mut self.group);
                }
                let next = consumer.next_deadline(&self.group);
                next.map_or("given up".to_owned(), |next| format!("next at {}", bare(next)))
            }
            "close" => {
                consumer.close(now, &mut self.group);
                "closed".to_owned()
            }
            "owns" => {
                join(consumer.owned().map(|(at, next)| format!("{}@{next}", at.partition)), " ")
            }
            other => panic!("no request is called {other}"),
        }
    }

    fn consumer(&mut self, name: &str) -> &mut (Consumer, Vec<(TopicPartition, Offset)>) {
        let member = MemberId::from_index(letter(name));
        let settings = self.stage.consumer;
        self.consumers
            .entry(name.to_owned())
            .or_insert_with(|| (Consumer::new(settings, member, None, vec![TOPIC]), Vec::new()))
    }

    fn tell_group(&mut self, now: SimTime) -> String {
        let mut events = Vec::new();
        self.group.advance(now, &mut events);
        let told = join(events.iter().map(tell_event), "; ");
        match self.group.membership() {
            Membership::Incremental(group) if group.is_settled() => format!("{told}; settled"),
            _ => told,
        }
    }
}

fn tell_polled(polled: &Polled) -> String {
    let mut told: Vec<String> = Vec::new();
    told.extend(polled.changes.iter().map(tell_change));
    let mut records: BTreeMap<TopicPartition, Vec<String>> = BTreeMap::new();
    for (at, fetched) in &polled.records {
        records.entry(*at).or_default().push(fetched.offset.to_string());
    }
    told.extend(records.iter().map(|(at, got)| format!("{}: {}", at.partition, got.join(" "))));
    join(told.into_iter(), "; ")
}

fn tell_change(change: &Change) -> String {
    match change {
        Change::Joined => "joined".to_owned(),
        Change::Assigned { partition, from, origin: Origin::Committed } => {
            format!("+{}@{from}", partition.partition)
        }
        Change::Assigned { partition, from, origin: Origin::Reset } => {
            format!("+{}@~{from}", partition.partition)
        }
        Change::Kept { partition } => format!("={}", partition.partition),
        Change::Revoked(handover) => {
            let cause = match handover.cause {
                Cause::Eager => "eager",
                Cause::Moved => "moved",
                Cause::Lost => "lost",
            };
            let mut told = format!("-{} {cause}", handover.partition.partition);
            for (what, count) in [
                ("open", handover.unfinished),
                ("again", handover.again),
                ("skipped", handover.skipped),
            ] {
                if count > 0 {
                    told.push_str(&format!(", {count} {what}"));
                }
            }
            told
        }
        Change::Committed => "committed".to_owned(),
        Change::CommitRefused(error) => format!("refused: {error}"),
        Change::Reset { partition, from, to } => {
            format!("{} reset from {from} to {to}", partition.partition)
        }
        Change::NoOffset { partition } => format!("{} has no offset", partition.partition),
    }
}

fn tell_event(event: &GroupEvent) -> String {
    match event {
        GroupEvent::RebalanceStarted(reason) => format!("rebalance, {}", tell_reason(*reason)),
        GroupEvent::Rebalanced { generation, members, took } => {
            format!("generation {generation} of {members} after {}", took.as_secs_f64())
        }
        GroupEvent::Retargeted { epoch, reason } => {
            format!("epoch {epoch}, {}", tell_reason(*reason))
        }
        GroupEvent::Expelled { member, cause } => {
            let cause = match cause {
                Expulsion::SessionTimedOut => "silent",
                Expulsion::RebalanceTimedOut => "did not join",
                Expulsion::PollTimedOut => "did not poll",
            };
            format!("{} {cause}", name(*member))
        }
        GroupEvent::Emptied => "empty".to_owned(),
        GroupEvent::OffsetsExpired => "offsets expired".to_owned(),
    }
}

fn tell_reason(reason: Reason) -> String {
    match reason {
        Reason::Joined(member) => format!("{} joined", name(member)),
        Reason::Rejoined(member) => format!("{} is back", name(member)),
        Reason::Left(member) => format!("{} left", name(member)),
        Reason::Expelled(member) => format!("{} expelled", name(member)),
        Reason::PartitionsAdded => "more partitions".to_owned(),
    }
}

/// A letter, with a prime for each restart of a static member.
fn name(member: MemberId) -> String {
    let letter = (b'a' + (member.index() % 100) as u8) as char;
    format!("{letter}{}", "'".repeat(member.index() / 100))
}

fn letter(name: &str) -> u32 {
    u32::from(name.bytes().next().expect("a name has a letter") - b'a')
}

fn partition(number: &str) -> PartitionId {
    PartitionId::from_index(number.parse().expect("a partition's number"))
}

fn join(told: impl Iterator<Item = String>, with: &str) -> String {
    let told: Vec<String> = told.collect();
    if told.is_empty() { "nothing".to_owned() } else { told.join(with) }
}

fn seconds(text: &str) -> SimDuration {
    let seconds: f64 = text.parse().unwrap_or_else(|_| panic!("{text} is no time in seconds"));
    SimDuration::from_micros_f64(seconds * 1e6)
}

fn bare(time: SimTime) -> String {
    time.to_string().trim_end_matches(" s").to_owned()
}
