//! In which order a queue serves what is on offer, and what it must keep for that.

use sim::SimTime;

use super::Kind;
use super::fair::Tenants;
use super::fifo::FifoState;
use super::slots::{Place, Stored};

#[derive(Clone, Debug, Hash)]
pub(super) enum Order {
    /// By first send: the line of the available says it all.
    FirstSent,
    Fair(Box<Tenants>),
    Fifo(Box<FifoState>),
}

impl Order {
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Standard => Self::FirstSent,
            Kind::Fair(_) => Self::Fair(Box::default()),
            Kind::Fifo(fifo) => Self::Fifo(Box::new(FifoState::new(fifo.scope))),
        }
    }

    /// Whether there is anything to keep. To ask first costs less than the calls would.
    #[inline]
    pub const fn is_kept(&self) -> bool {
        !matches!(self, Self::FirstSent)
    }

    #[inline]
    pub fn fifo(&self) -> Option<&FifoState> {
        if let Self::Fifo(fifo) = self { Some(fifo) } else { None }
    }

    #[inline]
    pub fn fifo_mut(&mut self) -> Option<&mut FifoState> {
        if let Self::Fifo(fifo) = self { Some(fifo) } else { None }
    }

    pub fn fair(&self) -> Option<&Tenants> {
        if let Self::Fair(tenants) = self { Some(tenants) } else { None }
    }

    pub fn fair_mut(&mut self) -> Option<&mut Tenants> {
        if let Self::Fair(tenants) = self { Some(tenants) } else { None }
    }

    /// A message has come in, and is hidden as yet.
    pub fn join(&mut self, now: SimTime, stored: &Stored, slot: u32) {
        match self {
            Self::FirstSent => {}
            Self::Fair(tenants) => tenants.join(now, stored),
            Self::Fifo(fifo) => fifo.groups.join(stored.group, stored.order, slot),
        }
    }

    /// A message has moved from one place to where it is now.
    pub fn moved(&mut self, stored: &Stored, slot: u32, from: Place) {
        match self {
            Self::FirstSent => {}
            Self::Fair(tenants) => tenants.moved(stored, slot, from),
            Self::Fifo(fifo) if stored.place == Place::Available => {
                fifo.groups.offer(stored.group, stored.order);
            }
            Self::Fifo(fifo) => fifo.groups.withdraw(stored.group, stored.order),
        }
    }

    /// A message that was handed out without being hidden is on offer again.
    pub fn offer(&mut self, stored: &Stored, slot: u32) {
        match self {
            Self::FirstSent => {}
            Self::Fair(tenants) => tenants.offer(stored, slot),
            Self::Fifo(fifo) => fifo.groups.offer(stored.group, stored.order),
        }
    }

    /// A message has left for good.
    pub fn leave(&mut self, stored: &Stored, slot: u32) {
        match self {
            Self::FirstSent => {}
            Self::Fair(tenants) => tenants.leave(stored, slot),
            Self::Fifo(fifo) => fifo.groups.leave(stored.group, stored.order),
        }
    }

    /// All messages are gone, and what was known of earlier ones.
    pub fn clear(&mut self) {
        match self {
            Self::FirstSent => {}
            Self::Fair(tenants) => tenants.clear(),
            Self::Fifo(fifo) => {
                fifo.groups.clear();
                fifo.memory.clear();
            }
        }
    }
}
