//! Publishing, confirms, and publishing again what died.
//!
//! Confirms: <https://www.rabbitmq.com/docs/confirms>. What no queue takes is confirmed at once, so
//! before earlier messages that still have to be stored (recorded). Dead letters:
//! <https://www.rabbitmq.com/docs/dlx>, `rabbit_dead_letter.erl`, `rabbit_fifo_dlx_worker.erl`.

use std::collections::VecDeque;
use std::sync::Arc;

use sim::SimTime;

use super::super::queue::{Dead, Queue, Reach};
use super::super::{
    Answer, ChannelId, Confirm, ConfirmStage, DeliveryMode, Durability, Envelope, Event, Fate,
    History, Publication, QueueKind, Refusal, Settings, ShortString, Unroutable, Verdict,
};
use super::Broker;
use crate::MessageId;

impl Broker {
    /// Publishes a message, and says what the confirm will be.
    ///
    /// # Errors
    /// The channel is closed if the exchange does not exist.
    pub fn publish(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        publication: Publication,
        out: &mut Vec<Event>,
    ) -> Result<Confirm, Refusal> {
        self.advance(now, out);
        self.channels.open_mut(channel)?;
        if !self.exchanges.has(&publication.exchange) {
            let refusal = Refusal::NoSuchExchange { name: publication.exchange };
            return Err(self.refuse(now, channel, refusal, out));
        }
        let (message, unroutable) = (publication.message, publication.unroutable);
        let envelope = publication.into_envelope();
        let queues = self.route(&envelope);
        if queues.is_empty() && unroutable == Unroutable::Return {
            out.push(Event::Returned { channel, message });
        }
        Ok(self.publish_to(now, &queues, &Arc::new(envelope), out))
    }

    /// Publishes several messages at once, and says in which order they are answered.
    ///
    /// # Errors
    /// The channel is closed at the first whose exchange does not exist; the ones before it are
    /// published.
    pub fn publish_burst(
        &mut self,
        now: SimTime,
        channel: ChannelId,
        publications: Vec<Publication>,
        out: &mut Vec<Event>,
    ) -> Result<Vec<Answer>, Refusal> {
        let (mut answers, mut stored) = (Vec::new(), Vec::new());
        for publication in publications {
            let message = publication.message;
            let before = out.len();
            let confirm = self.publish(now, channel, publication, out)?;
            if out[before..].contains(&Event::Returned { channel, message }) {
                answers.push(Answer::Returned(message));
            }
            let answer = Answer::Confirmed(message, confirm.verdict);
            match confirm.stage {
                ConfirmStage::OnArrival => answers.push(answer),
                ConfirmStage::OnceStored => stored.push(answer),
            }
        }
        answers.append(&mut stored);
        Ok(answers)
    }

    fn route(&self, envelope: &Envelope) -> Vec<ShortString> {
        self.exchanges.route(envelope, |name| self.queues.contains_key(name))
    }

    fn publish_to(
        &mut self,
        now: SimTime,
        queues: &[ShortString],
        envelope: &Arc<Envelope>,
        out: &mut Vec<Event>,
    ) -> Confirm {
        let mut confirm = Confirm { verdict: Verdict::Ack, stage: ConfirmStage::OnArrival };
        for name in queues {
            let taken = self.with_queue(name, out, |queue, reach| {
                (queue.accept(now, envelope, reach), stage(queue.settings(), envelope))
            });
            let Some((verdict, stage)) = taken else { continue };
            if verdict == Verdict::Nack {
                confirm.verdict = Verdict::Nack;
            } else {
                confirm.stage = confirm.stage.max(stage);
            }
        }
        confirm
    }

    /// Publishes again what died, and what dies of that, until nothing more does.
    ///
    /// This ends: a message that comes round without a consumer's doing is dropped.
    pub(super) fn bury_all(&mut self, mut dead: VecDeque<Dead>, out: &mut Vec<Event>) {
        while let Some(next) = dead.pop_front() {
            self.bury(next, &mut dead, out);
        }
    }

    fn bury(&mut self, corpse: Dead, dead: &mut VecDeque<Dead>, out: &mut Vec<Event>) {
        let Some(queue) = self.queues.get(&corpse.queue) else { return };
        let (name, message, reason) =
            (corpse.queue.clone(), corpse.envelope.message, corpse.reason);
        let keeps = queue.keeps_dead_letters();
        let Some(exchange) = queue.settings().dead_letter_exchange.clone() else {
            let fate = Fate::NoDeadLetterExchange;
            out.push(Event::Died { queue: name, message, reason, fate });
            return;
        };
        let again = self.dead_letter(queue, &exchange, &corpse);
        let (targets, otherwise) = self.targets(&corpse, &again);
        let again = Arc::new(again);
        let mut taken_by = corpse.taken_by.clone();
        let (mut refused, mut stored) = (0, Vec::new());
        for target in targets {
            let Some(queue) = self.queues.get_mut(&target) else { continue };
            let copies = self.copies.filter(|_| !taken_by.is_empty());
            let copy = copies.map(|copies| MessageId::from_index(u32::MAX - copies));
            let letter = match copy {
                Some(message) => Arc::new(Envelope { message, ..Envelope::clone(&again) }),
                None => Arc::clone(&again),
            };
            let mut told = Vec::new();
            let reach = &mut Reach { channels: &mut self.channels, dead, out: &mut told };
            match queue.accept(corpse.tried_at, &letter, reach) {
                Verdict::Ack => {
                    if let Some(copy) = copy {
                        self.copies = copies.map(|copies| copies + 1);
                        stored.push(Event::Copied { of: message, copy, queue: target.clone() });
                    }
                    taken_by.push(target);
                }
                Verdict::Nack => refused += 1,
            }
            stored.append(&mut told);
        }
        let kept = keeps && (taken_by.is_empty() || refused > 0);
        let kept_before = corpse.tried_at > corpse.died_at;
        let fate = match taken_by.is_empty() {
            _ if kept => Fate::KeptAside,
            true => otherwise,
            false => Fate::DeadLettered { to: taken_by.clone() },
        };
        if !(kept && kept_before) {
            out.push(Event::Died { queue: name.clone(), message, reason, fate });
        }
        out.append(&mut stored);
        if let Some(queue) = self.queues.get_mut(&name).filter(|_| kept) {
            queue.park(corpse.tried_at, Dead { taken_by, ..corpse });
        }
    }

    /// The queues that a dead letter still goes to, and what becomes of it if none takes it.
    fn targets(&self, corpse: &Dead, again: &Envelope) -> (Vec<ShortString>, Fate) {
        if !self.exchanges.has(&again.exchange) {
            return (Vec::new(), Fate::ExchangeMissing);
        }
        let (round, on): (Vec<_>, Vec<_>) =
            self.route(again).into_iter().partition(|queue| again.deaths.is_cycle(queue));
        let targets = on.into_iter().filter(|queue| !corpse.taken_by.contains(queue)).collect();
        (targets, if round.is_empty() { Fate::NoRoute } else { Fate::Cycle })
    }

    /// A dead message as it is published again: with its death in its history, without its
    /// expiration, and with the queue's dead-letter key in place of its own, if there is one.
    fn dead_letter(&self, queue: &Queue, exchange: &ShortString, dead: &Dead) -> Envelope {
        let order = self.server.release.history_order();
        let Dead { queue: name, envelope, reason, died_at, .. } = dead;
        let mut again = Envelope::clone(envelope);
        again.deaths = History::after(*died_at, envelope, name, *reason, order);
        again.exchange = exchange.clone();
        again.expiration = None;
        if let Some(key) = &queue.settings().dead_letter_routing_key {
            again.routing_key = key.clone();
            again.cc.clear();
            again.bcc.clear();
        }
        again
    }
}

/// When a queue can confirm what it takes.
fn stage(settings: &Settings, envelope: &Envelope) -> ConfirmStage {
    let to_disk =
        settings.durability == Durability::Durable && envelope.mode == DeliveryMode::Persistent;
    match settings.kind {
        QueueKind::Quorum => ConfirmStage::OnceStored,
        QueueKind::Classic if to_disk => ConfirmStage::OnceStored,
        QueueKind::Classic => ConfirmStage::OnArrival,
    }
}
