//! A script of one partition: a word a step, and the log, what readers see and what was refused.
//!
//! `k1` writes a record with key 1, `k1-` a tombstone, `n` one without a key; `A` writes in producer
//! A's transaction, `commitA` and `abortA` end it; `roll` starts a new segment. Records are a byte
//! each, and carry the time that `@30` last set, in seconds.

use broker::MessageId;
use broker::log::{
    AppendError, Batch, Body, Entry, Fetched, Isolation, KeyId, Marker, Offset, Partition,
    ProducerEpoch, ProducerId, Record, Scope, Sequence, Settings, Stamp,
};
use sim::{SimDuration, SimTime};

/// A partition to write to, in words.
pub struct Script {
    /// The partition.
    pub log: Partition,
    /// What time it is.
    pub now: SimTime,
    next: [u32; 26],
}

/// The letters of producers, and their number.
fn producer(letter: &str) -> u32 {
    u32::from(letter.bytes().next().expect("a producer has a letter") - b'A')
}

impl Script {
    /// An empty partition.
    pub fn new(settings: Settings) -> Self {
        Self { log: Partition::new(settings), now: SimTime::ZERO, next: [0; 26] }
    }

    /// Writes all of these.
    #[track_caller]
    pub fn write(&mut self, words: &str) -> &mut Self {
        for word in words.split_whitespace() {
            self.step(word).expect("the script writes what is taken");
        }
        self
    }

    /// Writes one, which may be refused.
    pub fn step(&mut self, word: &str) -> Result<(), AppendError> {
        let epoch = ProducerEpoch::default();
        let marker = [("commit", Marker::Commit), ("abort", Marker::Abort)].into_iter();
        for (verb, marker) in marker {
            if let Some(letter) = word.strip_prefix(verb) {
                let id = ProducerId::from_index(producer(letter));
                return self.log.append_marker(self.now, id, epoch, marker).map(|_| ());
            }
        }
        if let Some(seconds) = word.strip_prefix('@') {
            self.now = SimTime::ZERO + SimDuration::from_secs(seconds.parse().expect("seconds"));
            return Ok(());
        }
        let number = self.log.end().value() as u32;
        let mut record = Record {
            message: MessageId::from_index(number),
            key: Some(KeyId::from_index(number + 1000)),
            body: Body::Value,
            bytes: 1,
            timestamp: self.now,
        };
        let mut stamp = None;
        if let Some(key) = word.strip_prefix('k') {
            let tombstone = key.ends_with('-');
            record.body = if tombstone { Body::Tombstone } else { Body::Value };
            let key = key.trim_end_matches('-').parse().expect("a key is a number");
            record.key = Some(KeyId::from_index(key));
        } else if word == "n" {
            record.key = None;
        } else {
            let id = producer(word);
            let first = Sequence::new(self.next[id as usize]);
            let producer = ProducerId::from_index(id);
            stamp = Some(Stamp { producer, epoch, first, scope: Scope::Transactional });
        }
        self.log.append(self.now, &Batch { records: &[record], stamp })?;
        if let Some(stamp) = stamp {
            self.next[stamp.producer.index()] += 1;
        }
        Ok(())
    }

    /// The offsets that such a reader gets from the start, and where it is then.
    pub fn read(&self, isolation: Isolation) -> (Vec<u64>, u64) {
        let mut fetched: Vec<Fetched> = Vec::new();
        let next = self.log.read(self.log.start(), 1000, isolation, &mut fetched);
        let offsets = fetched.iter().map(|fetched| fetched.offset.value()).collect();
        (offsets, next.expect("the start is in range").value())
    }

    /// What is stored: `0:k1 3:k2- 5:commit`.
    pub fn stored(&self) -> String {
        let tell = |stored: &broker::log::Stored| match stored.entry {
            Entry::Record(Record { key, body, .. }) => {
                let key = key.map_or("n".to_owned(), |key| format!("k{key}"));
                let sign = if body == Body::Tombstone { "-" } else { "" };
                format!("{}:{key}{sign}", stored.offset)
            }
            Entry::Marker(Marker::Commit) => format!("{}:commit", stored.offset),
            Entry::Marker(Marker::Abort) => format!("{}:abort", stored.offset),
        };
        self.log.entries(Offset::ZERO).map(tell).collect::<Vec<_>>().join(" ")
    }
}
