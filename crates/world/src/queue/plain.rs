//! A list in memory: a message is gone from it as soon as it has been handed out. Nothing brings it
//! back.

use std::collections::VecDeque;

use broker::MessageId;
use scenario::{ComponentId, Kind, Plain, Unattended};
use sim::Rank;

use super::Engine;
use crate::taking::{Delivery, Receipt};
use crate::world::{Context, Event};
use crate::{Death, Outcome, Part, What, World};

/// The list.
#[derive(Clone, Debug, Hash)]
pub(crate) struct PlainQueue {
    settings: Plain,
    pub(super) waiting: VecDeque<MessageId>,
}

impl PlainQueue {
    pub(super) fn new(settings: Plain) -> Self {
        Self { settings, waiting: VecDeque::new() }
    }

    pub(super) fn purge(&mut self) -> Vec<MessageId> {
        self.waiting.drain(..).collect()
    }

    fn is_full(&self) -> bool {
        self.settings.max_length.is_some_and(|limit| self.waiting.len() >= limit as usize)
    }
}

impl World {
    fn plain_mut(&mut self, id: ComponentId) -> &mut PlainQueue {
        match &mut self.queue_mut(id).engine {
            Engine::Plain(plain) => plain,
            _ => unreachable!("the caller has looked"),
        }
    }

    #[inline(never)]
    pub(super) fn plain_store(
        &mut self,
        cx: &mut Context,
        queue: ComponentId,
        message: MessageId,
    ) -> Outcome {
        let now = self.now;
        if self.plain_mut(queue).is_full() {
            return Outcome::Refused;
        }
        self.took(cx, queue, message, now);
        let drops = self.plain_mut(queue).settings.unattended == Unattended::Drop;
        if drops && !self.is_attended(cx, queue) {
            self.messages[message].queue = None;
            self.emit(cx, What::Dropped { queue, message, why: Death::Unattended });
            self.check_lost(cx, message);
        } else {
            self.plain_mut(queue).waiting.push_back(message);
            self.settle(queue);
        }
        Outcome::Ok
    }

    /// Takes in what was put aside from another queue.
    #[inline(never)]
    pub(super) fn plain_accept(&mut self, to: ComponentId, message: MessageId) {
        self.plain_mut(to).waiting.push_back(message);
    }

    /// Whether any process that takes from a queue is alive.
    fn is_attended(&self, cx: &Context, queue: ComponentId) -> bool {
        let takes = |kind: &Kind| matches!(kind, Kind::Workers(spec) if spec.from == queue);
        let groups = cx.scenario.ids().filter(|(_, component)| takes(&component.kind));
        groups.map(|(id, _)| &self.parts[id.index()]).any(|part| match part {
            Part::Workers(group) => group.workers.iter().any(|worker| !worker.process.is_dead()),
            _ => false,
        })
    }

    #[inline(never)]
    pub(super) fn plain_settle(&mut self, id: ComponentId) {
        let now = self.now;
        let any = !self.plain_mut(id).waiting.is_empty();
        let state = self.queue_mut(id);
        if any && !state.waiting.is_empty() && !state.handing_out {
            state.handing_out = true;
            self.schedule(now, Rank::Dispatch, Event::HandOut { queue: id });
        }
    }

    #[inline(never)]
    pub(super) fn plain_hand_out(&mut self, cx: &mut Context, id: ComponentId) {
        self.queue_mut(id).handing_out = false;
        while !self.plain_mut(id).waiting.is_empty() {
            let Some(worker) = self.queue_mut(id).waiting.pop_front() else { return };
            let Some(message) = self.plain_mut(id).waiting.pop_front() else { return };
            let count = self.messages[message].receives + 1;
            let receipt = Receipt::Nothing;
            let delivery = Delivery { queue: id, message, receipt, count, until: None };
            self.deliver(cx, worker, &[delivery]);
            self.note_gone(id, message);
            self.emit(cx, What::Forgotten { queue: id, message, worker });
        }
    }
}
