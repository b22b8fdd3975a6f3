//! Lists as work queues: pushed at one end, popped at the other, with clients that wait.
//!
//! A plain pop hands the only copy over, and a crash loses it; `LMOVE` puts it into another list in
//! the same step, from where it can be put back. Of several clients that wait for a list, the one
//! that waits longest is served first, when the whole push is done. The oldest advice on the matter
//! is the reliable queue of <https://redis.io/docs/latest/commands/rpoplpush/>.

use std::collections::VecDeque;

use sim::short::OrderedMap;

/// Lists and the clients that wait for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lists {
    lists: OrderedMap<u32, VecDeque<u32>>,
    waiting: VecDeque<Waiter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Waiter {
    client: u32,
    wait: Wait,
}

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The head, where `LPUSH` pushes.
    Left,
    /// The tail, where `RPOP` pops.
    Right,
}

/// What a client waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// An item of the first of these lists that has one (`BLPOP`, `BRPOP`).
    Pop {
        /// The lists, the most urgent first.
        keys: Vec<u32>,
        /// From which end.
        from: End,
    },
    /// An item of a list, moved to another (`BLMOVE`).
    Move {
        /// From this list.
        key: u32,
        /// From this end of it.
        from: End,
        /// To this list.
        to_key: u32,
        /// To this end of it.
        to: End,
    },
}

/// An item for a client that waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Popped {
    /// Who gets it.
    pub client: u32,
    /// From which list.
    pub key: u32,
    /// The item.
    pub item: u32,
}

impl Lists {
    /// No lists.
    #[must_use]
    pub const fn new() -> Self {
        Self { lists: OrderedMap::new(), waiting: VecDeque::new() }
    }

    /// Pushes items, one after another. Answers with the length before those are served that wait,
    /// and appends who got what.
    pub fn push(&mut self, key: u32, end: End, items: &[u32], served: &mut Vec<Popped>) -> usize {
        let list = self.lists.entry(key).or_default();
        for item in items {
            put(list, end, *item);
        }
        let length = list.len();
        self.serve(served);
        length
    }

    /// Takes an item.
    pub fn pop(&mut self, key: u32, end: End) -> Option<u32> {
        let list = self.lists.get_mut(&key)?;
        let item = take(list, end);
        if list.is_empty() {
            self.lists.remove(&key);
        }
        item
    }

    /// Takes an item and puts it into another list, in one step.
    pub fn move_item(
        &mut self,
        key: u32,
        from: End,
        to_key: u32,
        to: End,
        served: &mut Vec<Popped>,
    ) -> Option<u32> {
        let item = self.pop(key, from)?;
        self.push(to_key, to, &[item], served);
        Some(item)
    }

    /// Takes an item, or waits for one. Answers with the list and the item if there is one now.
    pub fn pop_or_wait(
        &mut self,
        client: u32,
        wait: Wait,
        served: &mut Vec<Popped>,
    ) -> Option<(u32, u32)> {
        let taken = self.satisfy(&wait);
        match taken {
            // A move may have fed a list that another client waits for.
            Some(_) => self.serve(served),
            None => self.waiting.push_back(Waiter { client, wait }),
        }
        taken
    }

    /// A client has gone: it waits no more, and what it took is not given back.
    pub fn disconnect(&mut self, client: u32) {
        self.waiting.retain(|waiter| waiter.client != client);
    }

    /// Whether a client waits.
    #[must_use]
    pub fn is_waiting(&self, client: u32) -> bool {
        self.waiting.iter().any(|waiter| waiter.client == client)
    }

    /// The items of a list, from left to right.
    pub fn items(&self, key: u32) -> impl Iterator<Item = u32> {
        self.lists.get(&key).into_iter().flatten().copied()
    }

    fn serve(&mut self, served: &mut Vec<Popped>) {
        let mut place = 0;
        while place < self.waiting.len() {
            let wait = self.waiting[place].wait.clone();
            match self.satisfy(&wait) {
                // A move may have fed a list that an earlier client waits for.
                Some((key, item)) => {
                    if let Some(waiter) = self.waiting.remove(place) {
                        served.push(Popped { client: waiter.client, key, item });
                    }
                    place = 0;
                }
                None => place += 1,
            }
        }
    }

    fn satisfy(&mut self, wait: &Wait) -> Option<(u32, u32)> {
        match wait {
            Wait::Pop { keys, from } => {
                keys.iter().find_map(|key| Some((*key, self.pop(*key, *from)?)))
            }
            Wait::Move { key, from, to_key, to } => {
                let item = self.pop(*key, *from)?;
                put(self.lists.entry(*to_key).or_default(), *to, item);
                Some((*key, item))
            }
        }
    }
}

fn put(list: &mut VecDeque<u32>, end: End, item: u32) {
    match end {
        End::Left => list.push_front(item),
        End::Right => list.push_back(item),
    }
}

fn take(list: &mut VecDeque<u32>, end: End) -> Option<u32> {
    match end {
        End::Left => list.pop_front(),
        End::Right => list.pop_back(),
    }
}
