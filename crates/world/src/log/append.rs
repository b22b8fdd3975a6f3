//! Publishing to a log: which partition, under which number, and what a lost confirm leads to.

use broker::MessageId;
use broker::log::partitioner::{BatchState, Partitioner};
use broker::log::producer::{Acks, Idempotence, Producer};
use broker::log::{
    AppendError, Appended, Batch, Body, KeyId, Outcome as Written, PartitionId, ProducerEpoch,
    ProducerId, Record, Scope, Stamp,
};
use scenario::{ComponentId, Kind, Log, Partitioning};
use sim::SimTime;

use super::state::{LogState, Place, Unconfirmed, Writer};
use super::work::index;
use crate::taking::Publishing;
use crate::world::Context;
use crate::{Outcome, What, World};

/// Identities of producers without a transactional name start here, those of the coordinator below.
const PLAIN_PRODUCERS: u32 = 1 << 24;

impl World {
    /// A record reaches the leader of its partition. A producer that has lost a confirm comes here
    /// again with the same record, as its client does on its own.
    #[inline(never)]
    pub(crate) fn log_store(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        log: ComponentId,
        message: MessageId,
    ) -> Publishing {
        let Kind::Log(spec) = &cx.scenario.component(log).kind else {
            return Publishing::Over(Outcome::Refused);
        };
        let now = self.now;
        let entry = &self.messages[message];
        let key = entry.key;
        let bytes = self.bytes_of(cx.scenario, message);
        let text = self.keys.get(usize::from(key)).cloned().unwrap_or_default();
        let text = (!text.is_empty()).then_some(text.as_bytes());
        let state = self.log_mut(log);
        let (partition, stamp) = match state.claim(by, message, spec, text, bytes) {
            Claim::Send(partition, stamp) => (partition, stamp),
            Claim::Wait(at) => return Publishing::Again(at),
            Claim::Confirm(partition, stamp) => {
                return self.confirm_append(cx, by, log, spec, Sent { message, partition, stamp });
            }
        };
        let key = text.map(|_| KeyId::from_index(u32::from(key)));
        let record = Record { message, key, body: Body::Value, bytes, timestamp: now };
        let batch = Batch { records: &[record], stamp };
        let Ok(lane) = state.topic_mut().partition_mut(partition) else {
            return Publishing::Over(Outcome::Refused);
        };
        let appended = lane.append(now, &batch);
        if let Err(AppendError::OutOfOrderSequence { .. }) = appended
            && let Some(at) = state.first_retry(by)
        {
            // What stands before it in line will be sent again first.
            state.await_retry(by, message, partition, stamp, at);
            return Publishing::Again(at);
        }
        let Ok(appended) = appended else {
            // A client starts its numbers anew after a batch that was refused.
            let producer = &mut state.writer(by, spec).producer;
            producer.restart(producer.epoch().next());
            self.emit(cx, What::PublishRefused { queue: log, message });
            return Publishing::Over(Outcome::Refused);
        };
        self.note_appended(cx, by, log, message, partition, appended);
        if let Some(lag) = spec.replication_lag {
            let place = Place { partition, offset: appended.first };
            self.replicate(log, place, lag);
            if spec.producer.acks == Acks::All {
                let again_at = now + lag;
                let stands = Some(place);
                let sent = Unconfirmed { by, message, partition, stamp, stands, again_at };
                self.log_mut(log).unconfirmed.push(sent);
                return Publishing::Again(again_at);
            }
        }
        self.confirm_append(cx, by, log, spec, Sent { message, partition, stamp })
    }

    /// A record stands in the log, or stood there already.
    pub(super) fn note_appended(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        log: ComponentId,
        message: MessageId,
        partition: PartitionId,
        appended: Appended,
    ) {
        let offset = appended.first;
        if appended.outcome == Written::Duplicate {
            self.emit(cx, What::RetryDeduplicated { log, message, partition, offset });
            return;
        }
        let state = self.log_mut(log);
        state.appended += 1;
        if state.places.len() <= message.index() {
            state.places.resize(message.index() + 1, None);
        }
        let place = Place { partition, offset };
        state.places[message.index()] = Some(place);
        let lane = &mut state.messages[partition.index()];
        lane.resize(index(offset), None);
        lane.push(Some(message));
        let entry = &mut self.messages[message];
        entry.queue = Some(log);
        entry.stored = true;
        self.emit(cx, What::Appended { by, log, message, partition, offset });
        self.log_settle(log);
    }

    /// What the producer hears.
    fn confirm_append(
        &mut self,
        cx: &mut Context,
        by: ComponentId,
        log: ComponentId,
        spec: &Log,
        sent: Sent,
    ) -> Publishing {
        let Sent { message, partition, stamp } = sent;
        if spec.producer.acks == Acks::None {
            return Publishing::Over(Outcome::Ok);
        }
        let again_at = self.now + spec.producer.request_timeout + spec.producer.retry_backoff;
        let state = self.log_mut(log);
        if std::mem::take(&mut state.confirm_loss_armed) {
            state.await_retry(by, message, partition, stamp, again_at);
            self.emit(cx, What::ConfirmLost { by, queue: log, message });
            return Publishing::Again(again_at);
        }
        if let Some(stamp) = stamp {
            let whole = state.whole(partition);
            state.writer(by, spec).producer.acknowledged(whole, &stamp);
        }
        self.emit(cx, What::Confirmed { by, queue: log, message });
        Publishing::Over(Outcome::Ok)
    }
}

/// What a producer has sent.
#[derive(Clone, Copy)]
struct Sent {
    message: MessageId,
    partition: PartitionId,
    stamp: Option<Stamp>,
}

/// What a producer does with a record.
enum Claim {
    /// It sends it.
    Send(PartitionId, Option<Stamp>),
    /// It waits.
    Wait(SimTime),
    /// It has its confirm: the record stands, and followers have it.
    Confirm(PartitionId, Option<Stamp>),
}

impl LogState {
    /// What is to be done with a record: sent where its first try went, or anew, or not before some
    /// others have their confirm; or it stands already, and followers have it.
    fn claim(
        &mut self,
        by: ComponentId,
        message: MessageId,
        spec: &Log,
        key: Option<&[u8]>,
        bytes: u32,
    ) -> Claim {
        let waits = |sent: &&Unconfirmed| sent.by == by && sent.message == message;
        let waiting = self.unconfirmed.iter().find(waits).copied();
        if let Some(Unconfirmed { partition, stamp, stands: Some(place), .. }) = waiting {
            let there = self.messages[partition.index()].get(index(place.offset));
            if there == Some(&Some(message)) {
                let lane = self.topic().partition(partition);
                if lane.is_ok_and(|lane| lane.high_watermark() <= place.offset) {
                    return Claim::Wait(self.follow_up(by, message, spec));
                }
                self.tried(by, message);
                return Claim::Confirm(partition, stamp);
            }
        }
        if let Some((partition, stamp)) = self.tried(by, message) {
            return Claim::Send(partition, stamp);
        }
        let partition = self.choose(by, spec, key, bytes);
        if spec.producer.idempotence == Idempotence::Off {
            return Claim::Send(partition, None);
        }
        let whole = self.whole(partition);
        match self.writer(by, spec).producer.stamp(whole, 1, Scope::Plain) {
            Ok(stamp) => Claim::Send(partition, Some(stamp)),
            Err(_) => Claim::Wait(self.first_retry(by).unwrap_or_default()),
        }
    }

    /// When a producer next sends something again.
    fn first_retry(&self, by: ComponentId) -> Option<SimTime> {
        let own = self.unconfirmed.iter().filter(|sent| sent.by == by);
        own.map(|sent| sent.again_at).min()
    }

    /// A producer waits on for followers that are late.
    fn follow_up(&mut self, by: ComponentId, message: MessageId, spec: &Log) -> SimTime {
        let waits = |sent: &&mut Unconfirmed| sent.by == by && sent.message == message;
        let Some(sent) = self.unconfirmed.iter_mut().find(waits) else { return SimTime::ZERO };
        sent.again_at += spec.replication_lag.unwrap_or_default();
        sent.again_at
    }

    /// Where, and under which numbers, a record was sent whose confirm was lost.
    pub(super) fn tried(
        &mut self,
        by: ComponentId,
        message: MessageId,
    ) -> Option<(PartitionId, Option<Stamp>)> {
        let tried = |sent: &Unconfirmed| sent.by == by && sent.message == message;
        let at = self.unconfirmed.iter().position(tried)?;
        let sent = self.unconfirmed.remove(at);
        Some((sent.partition, sent.stamp))
    }

    pub(super) fn await_retry(
        &mut self,
        by: ComponentId,
        message: MessageId,
        partition: PartitionId,
        stamp: Option<Stamp>,
        again_at: SimTime,
    ) {
        let stands = None;
        self.unconfirmed.push(Unconfirmed { by, message, partition, stamp, stands, again_at });
    }

    pub(super) fn choose(
        &mut self,
        by: ComponentId,
        spec: &Log,
        key: Option<&[u8]>,
        bytes: u32,
    ) -> PartitionId {
        let partitions = self.topic().settings().partitions;
        let key = key.filter(|_| spec.partitioning.heeds_keys());
        let at = self.writer_at(by, spec);
        let (stream, partitioner) = (&mut self.stream, &mut self.writers[at].partitioner);
        let partition = partitioner.choose(key, partitions, stream);
        let sticks = matches!(spec.partitioning, Partitioning::Murmur2 | Partitioning::Sticky);
        if key.is_none() && sticks {
            partitioner.sent(bytes, BatchState::Ready, partitions, stream);
        }
        partition
    }

    fn writer(&mut self, by: ComponentId, spec: &Log) -> &mut Writer {
        let at = self.writer_at(by, spec);
        &mut self.writers[at]
    }

    fn writer_at(&mut self, by: ComponentId, spec: &Log) -> usize {
        if let Some(at) = self.writers.iter().position(|writer| writer.by == by) {
            return at;
        }
        #[allow(clippy::cast_possible_truncation, reason = "limits::COMPONENTS is far below")]
        let id = ProducerId::from_index(PLAIN_PRODUCERS + by.index() as u32);
        let settings = &spec.producer;
        self.writers.push(Writer {
            by,
            partitioner: Partitioner::new(spec.partitioning.hash(), settings.batch_bytes),
            producer: Producer::new(id, ProducerEpoch::default(), settings.max_in_flight),
        });
        self.writers.len() - 1
    }
}
