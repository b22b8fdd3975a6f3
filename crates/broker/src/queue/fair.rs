//! A fair queue: what tenants have on offer and in flight, and whose turn it is.
//!
//! Messages of quiet tenants come first, the oldest of them at first; of noisy tenants, the one with
//! the fewest messages in flight. Nothing is dropped or held back: when no quiet tenant has a
//! message on offer, noisy ones are served at once. A message without a group is a tenant of its
//! own, and so never noisy. (Developer guide, "How Amazon SQS fair queues work".)
//!
//! Who is noisy is judged at every receive, by [`Fairness`].

use std::collections::{BTreeMap, BTreeSet};

use sim::{SimDuration, SimTime};

use super::line::Ticket;
use super::slots::{Place, Stored};
use super::{Fairness, GroupId, Kind, Queue, Received, Sample};

#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Tenants {
    /// On offer, of tenants that are quiet.
    quiet: BTreeSet<Ticket>,
    /// On offer, by tenant.
    backlog: BTreeSet<(GroupId, Ticket)>,
    /// Those that have a message here.
    tenants: BTreeMap<GroupId, Tenant>,
    /// Tenants by how many messages of theirs are in flight.
    busy: BTreeSet<(u32, GroupId)>,
    noisy: BTreeSet<GroupId>,
}

#[derive(Clone, Copy, Debug, Hash)]
struct Tenant {
    stored: u32,
    in_flight: u32,
    last_sent: SimTime,
}

impl Tenants {
    pub fn join(&mut self, now: SimTime, stored: &Stored) {
        let Some(group) = stored.group else { return };
        let fresh = Tenant { stored: 0, in_flight: 0, last_sent: now };
        let tenant = self.tenants.entry(group).or_insert(fresh);
        tenant.stored += 1;
        tenant.last_sent = now;
    }

    /// A message has moved from one place to where it is now.
    pub fn moved(&mut self, stored: &Stored, slot: u32, from: Place) {
        let flies = |place| matches!(place, Place::InFlight { .. });
        match (flies(from), flies(stored.place)) {
            (false, true) => self.count(stored.group, 1),
            (true, false) => self.count(stored.group, -1),
            _ => {}
        }
        if stored.place == Place::Available {
            self.offer(stored, slot);
        } else {
            self.withdraw(stored, slot);
        }
    }

    pub fn offer(&mut self, stored: &Stored, slot: u32) {
        let ticket = stored.ticket(slot);
        if let Some(group) = stored.group {
            self.backlog.insert((group, ticket));
            if self.noisy.contains(&group) {
                return;
            }
        }
        self.quiet.insert(ticket);
    }

    pub fn withdraw(&mut self, stored: &Stored, slot: u32) {
        let ticket = stored.ticket(slot);
        if let Some(group) = stored.group {
            self.backlog.remove(&(group, ticket));
        }
        self.quiet.remove(&ticket);
    }

    pub fn leave(&mut self, stored: &Stored, slot: u32) {
        self.withdraw(stored, slot);
        if matches!(stored.place, Place::InFlight { .. }) {
            self.count(stored.group, -1);
        }
        let Some(group) = stored.group else { return };
        let Some(tenant) = self.tenants.get_mut(&group) else { return };
        tenant.stored -= 1;
        if tenant.stored == 0 {
            self.tenants.remove(&group);
            self.noisy.remove(&group);
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The noisy tenants, as of the last receive.
    pub fn noisy(&self) -> impl Iterator<Item = GroupId> {
        self.noisy.iter().copied()
    }

    /// All that is on offer, in the order of delivery.
    pub fn deliverable(&self) -> impl Iterator<Item = Ticket> {
        let mut noisy: Vec<_> = self.noisy.iter().map(|group| self.rank(*group)).collect();
        noisy.sort_unstable();
        let of = |group| self.backlog_of(group);
        self.quiet.iter().copied().chain(noisy.into_iter().flat_map(move |(_, _, group)| of(group)))
    }

    /// Decides who is noisy now.
    fn judge(&mut self, now: SimTime, fairness: Fairness, in_flight: u32) {
        let calm = |tenant: &Tenant| tenant.last_sent + fairness.calm <= now;
        let noisy = self.noisy.iter().copied();
        let over: Vec<GroupId> = noisy
            .filter(|group| {
                self.backlog_of(*group).next().is_none() || self.tenants.get(group).is_none_or(calm)
            })
            .collect();
        for group in over {
            self.noisy.remove(&group);
            let backlog: Vec<Ticket> = self.backlog_of(group).collect();
            self.quiet.extend(backlog);
        }
        let share = |own: u32| u64::from(own) * 100 > u64::from(fairness.share_percent * in_flight);
        let loud: Vec<GroupId> = self
            .busy
            .iter()
            .rev()
            .take_while(|(own, _)| *own >= fairness.in_flight && share(*own))
            .map(|(_, group)| *group)
            .filter(|group| !self.noisy.contains(group))
            .filter(|group| self.tenants.get(group).is_some_and(|tenant| !calm(tenant)))
            .filter(|group| self.backlog_of(*group).next().is_some())
            .collect();
        for group in loud {
            self.noisy.insert(group);
            let backlog: Vec<Ticket> = self.backlog_of(group).collect();
            for ticket in backlog {
                self.quiet.remove(&ticket);
            }
        }
    }

    /// What is served next, of what a poll may see.
    fn next(&self, sees: impl Fn(Ticket) -> bool) -> Option<Ticket> {
        let quiet = self.quiet.iter().copied().find(|ticket| sees(*ticket));
        quiet.or_else(|| {
            let mut noisy: Vec<_> = self.noisy.iter().map(|group| self.rank(*group)).collect();
            noisy.sort_unstable();
            let mut tickets = noisy.into_iter().flat_map(|(_, _, group)| self.backlog_of(group));
            tickets.find(|ticket| sees(*ticket))
        })
    }

    /// What noisy tenants are ordered by.
    fn rank(&self, group: GroupId) -> (u32, Option<Ticket>, GroupId) {
        let in_flight = self.tenants.get(&group).map_or(0, |tenant| tenant.in_flight);
        (in_flight, self.backlog_of(group).next(), group)
    }

    fn backlog_of(&self, group: GroupId) -> impl Iterator<Item = Ticket> {
        let from = self.backlog.range((group, Ticket::FIRST)..);
        from.take_while(move |(of, _)| *of == group).map(|(_, ticket)| *ticket)
    }

    fn count(&mut self, group: Option<GroupId>, change: i32) {
        let Some(group) = group else { return };
        let Some(tenant) = self.tenants.get_mut(&group) else { return };
        self.busy.remove(&(tenant.in_flight, group));
        tenant.in_flight = tenant.in_flight.saturating_add_signed(change);
        if tenant.in_flight > 0 {
            self.busy.insert((tenant.in_flight, group));
        }
    }
}

impl Queue {
    /// Takes messages of quiet tenants, then of noisy ones.
    pub(super) fn take_fairly(
        &mut self,
        now: SimTime,
        wanted: usize,
        timeout: SimDuration,
        sample: Option<Sample>,
        received: &mut Received,
    ) {
        let in_flight = self.counts.in_flight;
        let (Some(tenants), Kind::Fair(fairness)) = (self.order.fair_mut(), self.settings.kind)
        else {
            return;
        };
        tenants.judge(now, fairness, in_flight);
        let sees = |ticket: Ticket| sample.is_none_or(|sample| sample.sees(ticket.order));
        while received.deliveries.len() < wanted {
            let Some(ticket) = self.order.fair().and_then(|tenants| tenants.next(sees)) else {
                break;
            };
            if self.move_aside(ticket.slot, received) {
                continue;
            }
            let stored = self.slots.at(ticket.slot);
            if let Some(tenants) = self.order.fair_mut() {
                tenants.withdraw(stored, ticket.slot);
            }
            self.hand_out(ticket.slot, now, timeout, received);
        }
    }
}
