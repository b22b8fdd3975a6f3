//! Publishing to a log: which partition, under which number, and what a lost confirm leads to.

use broker::MessageId;
use broker::log::partitioner::{BatchState, Partitioner};
use broker::log::producer::{Acks, Idempotence, Producer};
use broker::log::{
    Appended, Batch, Body, KeyId, Outcome as Written, PartitionId, ProducerEpoch, ProducerId,
    Record, Scope, Stamp,
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
            Ok(claimed) => claimed,
            Err(at) => return Publishing::Again(at),
        };
        let key = text.map(|_| KeyId::from_index(u32::from(key)));
        let record = Record { message, key, body: Body::Value, bytes, timestamp: now };
        let batch = Batch { records: &[record], stamp };
        let lane = state.topic_mut().partition_mut(partition);
        let Some(appended) = lane.ok().and_then(|lane| lane.append(now, &batch).ok()) else {
            // A client starts its numbers anew after a batch that was refused.
            let producer = &mut state.writer(by, spec).producer;
            producer.restart(producer.epoch().next());
            self.emit(cx, What::PublishRefused { queue: log, message });
            return Publishing::Over(Outcome::Refused);
        };
        self.note_appended(cx, by, log, message, partition, appended);
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

impl LogState {
    /// The partition and the numbers for a record: those of its first try, or new ones. `Err`: not
    /// before then, for too many wait for their confirm.
    fn claim(
        &mut self,
        by: ComponentId,
        message: MessageId,
        spec: &Log,
        key: Option<&[u8]>,
        bytes: u32,
    ) -> Result<(PartitionId, Option<Stamp>), SimTime> {
        if let Some(tried) = self.tried(by, message) {
            return Ok(tried);
        }
        let partition = self.choose(by, spec, key, bytes);
        if spec.producer.idempotence == Idempotence::Off {
            return Ok((partition, None));
        }
        let whole = self.whole(partition);
        let stamp = self.writer(by, spec).producer.stamp(whole, 1, Scope::Plain);
        stamp.map(|stamp| (partition, Some(stamp))).map_err(|_| {
            let own = self.unconfirmed.iter().filter(|sent| sent.by == by);
            own.map(|sent| sent.again_at).min().unwrap_or_default()
        })
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
        self.unconfirmed.push(Unconfirmed { by, message, partition, stamp, again_at });
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
