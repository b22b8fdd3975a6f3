//! Transactions: what a worker publishes to logs while it has a record in hand counts when the
//! offset after the record is committed, and both or neither happens.
//!
//! A crash leaves a transaction open, and committed readers wait behind it: until its worker is
//! back under the same name, or until it has been open for too long.

use broker::MessageId;
use broker::log::producer::{Acks, Producer};
use broker::log::{
    Batch, Body, Ended, KeyId, Marker, Offset, Record, Scope, Stamp, TransactionalId,
};
use scenario::{ComponentId, Kind, Log, Reading, Transactions};
use sim::SimDuration;

use super::state::{LogState, Place, number, reading};
use super::work::Standing;
use crate::taking::{Delivery, Publishing, Receipt};
use crate::world::Context;
use crate::{Outcome, Part, What, WorkerId, World};

/// How many requests a producer has under way at once. A worker waits for each.
const IN_FLIGHT: u32 = 5;

/// A worker as a transactional producer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Writing {
    producer: Producer,
    /// Whether something was written since the last end.
    is_open: bool,
}

impl World {
    /// Whether what a worker publishes belongs to a transaction, and how long one may stay open.
    fn writes_in_transactions(&self, cx: &Context, worker: WorkerId) -> Option<SimDuration> {
        self.log_of(cx, worker)?;
        match reading(cx.scenario, worker.component) {
            Reading::Consumers { transactions: Transactions::PerRecord { timeout }, .. } => {
                Some(*timeout)
            }
            _ => None,
        }
    }

    /// A worker starts as a transactional producer, and what it has left open in an earlier life is
    /// aborted.
    pub(super) fn start_writing(&mut self, cx: &mut Context, worker: WorkerId) {
        let Some(timeout) = self.writes_in_transactions(cx, worker) else { return };
        let name = TransactionalId::from_index(number(worker));
        // The reader holds the timeout to what a broker takes.
        let Ok((id, epoch, left)) = self.transactions.start(self.now, name, timeout) else {
            return;
        };
        if let Some(left) = left {
            self.apply_end(cx, &left);
        }
        let producer = Producer::new(id, epoch, IN_FLIGHT);
        if let Some(member) = self.member_mut(cx, worker) {
            member.writes = Some(Box::new(Writing { producer, is_open: false }));
        }
    }

    /// A process publishes. To a log, a worker may do so in a transaction.
    pub(crate) fn publish(
        &mut self,
        cx: &mut Context,
        by: WorkerId,
        to: ComponentId,
        message: MessageId,
        delay: Option<SimDuration>,
    ) -> Publishing {
        let is_worker = matches!(cx.scenario.component(by.component).kind, Kind::Workers(_));
        if let Kind::Log(spec) = &cx.scenario.component(to).kind
            && is_worker
            && self.writes_in_transactions(cx, by).is_some()
        {
            return self.write(cx, by, to, spec, message);
        }
        self.store(cx, by.component, to, message, delay)
    }

    /// A worker writes in its transaction, and begins one if none is open.
    #[inline(never)]
    fn write(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        log: ComponentId,
        spec: &Log,
        message: MessageId,
    ) -> Publishing {
        let now = self.now;
        if self.member_mut(cx, worker).is_some_and(|member| member.writes.is_none()) {
            self.start_writing(cx, worker);
        }
        let (key, bytes) = (self.messages[message].key, self.bytes_of(cx.scenario, message));
        let text = self.keys.get(usize::from(key)).cloned().unwrap_or_default();
        let text = (!text.is_empty()).then_some(text.as_bytes());
        let state = self.log_mut(log);
        let tried = state.tried(worker.component, message);
        let (partition, stamp) = match tried {
            Some((partition, stamp)) => (partition, stamp),
            None => (state.choose(worker.component, spec, text, bytes), None),
        };
        let whole = state.whole(partition);
        let Some(epoch) = self.epoch_of(cx, worker) else {
            return Publishing::Over(Outcome::Refused);
        };
        let name = TransactionalId::from_index(number(worker));
        if self.transactions.add(now, name, epoch, whole).is_err() {
            self.emit(cx, What::PublishRefused { queue: log, message });
            return Publishing::Over(Outcome::Refused);
        }
        let stamp = stamp.or_else(|| self.stamp(cx, worker, whole));
        let key = text.map(|_| KeyId::from_index(u32::from(key)));
        let record = Record { message, key, body: Body::Value, bytes, timestamp: now };
        let lane = self.log_mut(log).topic_mut().partition_mut(partition);
        let batch = Batch { records: &[record], stamp };
        let Some(appended) = lane.ok().and_then(|lane| lane.append(now, &batch).ok()) else {
            self.emit(cx, What::PublishRefused { queue: log, message });
            return Publishing::Over(Outcome::Refused);
        };
        self.note_appended(cx, worker.component, log, message, partition, appended);
        // Its confirm is not waited for: what counts is the end of the transaction.
        if let Some(lag) = spec.replication_lag {
            self.replicate(log, Place { partition, offset: appended.first }, lag);
        }
        let settings = &spec.producer;
        if settings.acks != Acks::None && std::mem::take(&mut self.log_mut(log).confirm_loss_armed)
        {
            let at = now + settings.request_timeout + settings.retry_backoff;
            let by = worker.component;
            self.log_mut(log).await_retry(by, message, partition, stamp, at);
            self.emit(cx, What::ConfirmLost { by, queue: log, message });
            return Publishing::Again(at);
        }
        if let (Some(stamp), Some(writing)) = (stamp, self.writing(cx, worker)) {
            writing.producer.acknowledged(whole, &stamp);
        }
        self.emit(cx, What::Confirmed { by: worker.component, queue: log, message });
        Publishing::Over(Outcome::Ok)
    }

    fn writing(&mut self, cx: &Context, worker: WorkerId) -> Option<&mut Writing> {
        self.member_mut(cx, worker)?.writes.as_deref_mut()
    }

    fn epoch_of(&mut self, cx: &Context, worker: WorkerId) -> Option<broker::log::ProducerEpoch> {
        self.writing(cx, worker).map(|writing| writing.producer.epoch())
    }

    fn stamp(
        &mut self,
        cx: &Context,
        worker: WorkerId,
        to: broker::log::TopicPartition,
    ) -> Option<Stamp> {
        let writing = self.writing(cx, worker)?;
        writing.is_open = true;
        writing.producer.stamp(to, 1, Scope::Transactional).ok()
    }

    /// A worker commits the offset after a record, and with it all that it has published meanwhile.
    /// `None`: it does not write in transactions.
    pub(super) fn commit_transaction(
        &mut self,
        cx: &mut Context,
        worker: WorkerId,
        place: Place,
        commit: impl FnOnce(&mut Self) -> bool,
    ) -> Option<Outcome> {
        self.writes_in_transactions(cx, worker)?;
        if self.writing(cx, worker).is_none() {
            self.start_writing(cx, worker);
        }
        let epoch = self.epoch_of(cx, worker)?;
        let log = self.log_of(cx, worker)?;
        let whole = self.log_mut(log).whole(place.partition);
        let name = TransactionalId::from_index(number(worker));
        let next: Offset = place.offset.next();
        let group = self.group_of(worker)?;
        let taken = self.transactions.add_offset(self.now, name, epoch, whole, next).is_ok();
        if !taken {
            self.emit(cx, What::CommitRefused { group, worker });
            return Some(Outcome::Refused);
        }
        if !commit(self) {
            self.emit(cx, What::CommitRefused { group, worker });
            self.end_transaction(cx, worker, Marker::Abort);
            return Some(Outcome::Refused);
        }
        self.end_transaction(cx, worker, Marker::Commit);
        Some(Outcome::Ok)
    }

    /// A worker is through with a record and has not committed: what it published does not count.
    pub(super) fn abort_if_open(&mut self, cx: &mut Context, worker: WorkerId, delivery: Delivery) {
        if !self.writing(cx, worker).is_some_and(|writing| writing.is_open) {
            return;
        }
        self.end_transaction(cx, worker, Marker::Abort);
        let (Receipt::Offset(place), log) = (delivery.receipt, delivery.queue) else { return };
        let state = self.log_mut(log);
        if let Some((group, _)) = state.seat(worker) {
            state.groups[group].work_mut(place).forget();
        }
    }

    fn end_transaction(&mut self, cx: &mut Context, worker: WorkerId, marker: Marker) {
        let Some(epoch) = self.epoch_of(cx, worker) else { return };
        let name = TransactionalId::from_index(number(worker));
        if let Ok(ended) = self.transactions.end(self.now, name, epoch, marker) {
            self.apply_end(cx, &ended);
        }
        if let Some(writing) = self.writing(cx, worker) {
            writing.is_open = false;
        }
    }

    /// Transactions that have been open for too long.
    pub(super) fn transactions_due(&mut self, cx: &mut Context) {
        let mut aborted = Vec::new();
        self.transactions.advance(self.now, &mut aborted);
        for ended in aborted {
            self.apply_end(cx, &ended);
        }
    }

    /// A transaction has ended: its markers are written, and what stood behind it can be read.
    fn apply_end(&mut self, cx: &mut Context, ended: &Ended) {
        let now = self.now;
        for whole in &ended.partitions {
            let log = ComponentId::new(whole.topic.index());
            let partition = whole.partition;
            let Part::Log(state) = &mut self.parts[log.index()] else { continue };
            if ended.marker == Marker::Abort {
                state.drop_aborted(ended, partition);
            }
            let lane = state.topic_mut().partition_mut(partition).ok();
            let written = lane.and_then(|lane| {
                lane.append_marker(now, ended.producer, ended.epoch, ended.marker).ok()
            });
            let Some(offset) = written else { continue };
            let committed = ended.marker == Marker::Commit;
            self.emit(cx, What::TransactionEnded { log, partition, offset, committed });
            if let Kind::Log(Log { replication_lag: Some(lag), .. }) =
                &cx.scenario.component(log).kind
            {
                self.replicate(log, Place { partition, offset }, *lag);
            }
            self.log_settle(log);
        }
    }
}

impl LogState {
    /// What a transaction wrote here is not to be worked on by those who read what is committed.
    fn drop_aborted(&mut self, ended: &Ended, partition: broker::log::PartitionId) {
        let Ok(lane) = self.topic().partition(partition) else { return };
        let first = lane.open_transactions().find(|(producer, _)| *producer == ended.producer);
        let Some((_, first)) = first else { return };
        let own = Some((ended.producer, Scope::Transactional));
        let places: Vec<Place> = lane
            .entries(first)
            .filter(|stored| stored.writer == own)
            .map(|stored| Place { partition, offset: stored.offset })
            .collect();
        for group in self.groups.iter_mut().filter(|group| group.reads_committed()) {
            for &place in &places {
                group.work_mut(place).standing = Standing::Done;
            }
        }
    }
}
