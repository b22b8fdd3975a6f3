//! A fair queue: what tenants have on offer and in flight, and whose turn it is.
//!
//! Messages of quiet tenants come first, the oldest of them at first; of noisy tenants, the one with
//! the fewest messages in flight. Nothing is dropped or held back: when no quiet tenant has a
//! message on offer, noisy ones are served at once. A message without a group is a tenant of its
//! own, and so never noisy. (Developer guide, "How Amazon SQS fair queues work".)
//!
//! Who is noisy is judged at every receive, by [`Fairness`].

use sim::short::{OrderedSet, sort_unstable_by_key};
use sim::{SimDuration, SimTime};

use super::line::Ticket;
use super::slots::{Place, Stored};
use super::{Fairness, GroupId, Kind, Queue, Received, Sample};

/// Tickets by the tenant whose they are.
type Lines = OrderedSet<(Option<GroupId>, Ticket)>;

#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Tenants {
    /// What is on offer, by tenant; and under no tenant, what is on offer of all that are quiet.
    lines: Lines,
    /// Those that have a message here, by group.
    tenants: Vec<Tenant>,
}

#[derive(Clone, Copy, Debug, Hash)]
struct Tenant {
    group: GroupId,
    stored: u32,
    in_flight: u32,
    last_sent: SimTime,
    noise: Noise,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Noise {
    Quiet,
    Noisy,
}

impl Tenants {
    pub fn join(&mut self, now: SimTime, stored: &Stored) {
        let Some(group) = stored.group else { return };
        let index = self.find(group).unwrap_or_else(|index| {
            let noise = Noise::Quiet;
            let tenant = Tenant { group, stored: 0, in_flight: 0, last_sent: now, noise };
            self.tenants.insert(index, tenant);
            index
        });
        let tenant = &mut self.tenants[index];
        tenant.stored += 1;
        tenant.last_sent = now;
    }

    /// A message has moved from one place to where it is now.
    pub fn moved(&mut self, stored: &Stored, slot: u32, from: Place) {
        if let Some(index) = self.tenant(stored) {
            let tenant = &mut self.tenants[index];
            tenant.in_flight -= u32::from(is_in_flight(from));
            tenant.in_flight += u32::from(is_in_flight(stored.place));
        }
        if stored.place == Place::Available {
            self.offer(stored, slot);
        } else {
            self.withdraw(stored, slot);
        }
    }

    pub fn offer(&mut self, stored: &Stored, slot: u32) {
        let ticket = stored.ticket(slot);
        let tenant = self.tenant(stored).map(|index| self.tenants[index]);
        self.lines.insert((stored.group, ticket));
        if tenant.is_none_or(|tenant| tenant.noise == Noise::Quiet) {
            self.lines.insert((None, ticket));
        }
    }

    pub fn withdraw(&mut self, stored: &Stored, slot: u32) {
        let ticket = stored.ticket(slot);
        self.lines.remove(&(stored.group, ticket));
        self.lines.remove(&(None, ticket));
    }

    pub fn leave(&mut self, stored: &Stored, slot: u32) {
        self.withdraw(stored, slot);
        let Some(index) = self.tenant(stored) else { return };
        let tenant = &mut self.tenants[index];
        tenant.in_flight -= u32::from(is_in_flight(stored.place));
        tenant.stored -= 1;
        if tenant.stored == 0 {
            self.tenants.remove(index);
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.tenants.len()
    }

    /// The noisy tenants, as of the last receive.
    pub fn noisy(&self) -> impl Iterator<Item = GroupId> {
        let noisy = self.tenants.iter().filter(|tenant| tenant.noise == Noise::Noisy);
        noisy.map(|tenant| tenant.group)
    }

    /// All that is on offer, in the order of delivery.
    pub fn deliverable(&self) -> impl Iterator<Item = Ticket> {
        let noisy = self.tenants.iter().filter(|tenant| tenant.noise == Noise::Noisy);
        let mut noisy: Vec<_> =
            noisy.map(|it| (it.in_flight, self.line(Some(it.group)).next(), it.group)).collect();
        sort_unstable_by_key(&mut noisy, |it| *it);
        let noisy = noisy.into_iter().flat_map(|(_, _, group)| self.line(Some(group)));
        self.line(None).chain(noisy)
    }

    /// Decides who is noisy now.
    fn judge(&mut self, now: SimTime, fairness: Fairness, in_flight: u32) {
        let Fairness { share_percent, in_flight: enough, calm } = fairness;
        let (lines, tenants) = (&mut self.lines, &mut self.tenants);
        for tenant in tenants {
            let group = Some(tenant.group);
            let loud = tenant.in_flight >= enough
                && u64::from(tenant.in_flight) * 100 > u64::from(share_percent * in_flight);
            let backlog = range(lines, group).next().is_some();
            let noise = match tenant.noise {
                _ if !backlog || tenant.last_sent + calm <= now => Noise::Quiet,
                Noise::Quiet if !loud => Noise::Quiet,
                _ => Noise::Noisy,
            };
            if noise == std::mem::replace(&mut tenant.noise, noise) {
                continue;
            }
            let backlog: Vec<Ticket> = range(lines, group).collect();
            for ticket in backlog {
                let _changed = match noise {
                    Noise::Quiet => lines.insert((None, ticket)),
                    Noise::Noisy => lines.remove(&(None, ticket)),
                };
            }
        }
    }

    /// Where a tenant is, or would be.
    fn find(&self, group: GroupId) -> Result<usize, usize> {
        self.tenants.binary_search_by_key(&group, |tenant| tenant.group)
    }

    /// Where the tenant of a message is.
    fn tenant(&self, stored: &Stored) -> Option<usize> {
        stored.group.and_then(|group| self.find(group).ok())
    }

    /// What a tenant has on offer, the oldest message first; under no tenant, what all quiet ones
    /// have.
    fn line(&self, group: Option<GroupId>) -> impl Iterator<Item = Ticket> {
        range(&self.lines, group)
    }
}

fn range(lines: &Lines, group: Option<GroupId>) -> impl Iterator<Item = Ticket> {
    let from = lines.range((group, Ticket::FIRST)..);
    from.take_while(move |(of, _)| *of == group).map(|(_, ticket)| *ticket)
}

fn is_in_flight(place: Place) -> bool {
    matches!(place, Place::InFlight { .. })
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
            let next =
                self.order.fair().and_then(|tenants| tenants.deliverable().find(|it| sees(*it)));
            let Some(ticket) = next else { break };
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
