//! A server of one database: commands by name, and the clients that wait.

use std::collections::{BTreeMap, BTreeSet};

use patterns::redis::{Group, Keyspace, Lists, Popped, Stream};
use serde_json::{Value, json};
use sim::SimTime;

use super::{keys, lists, streams};

/// What a command came to.
pub(super) enum Answer {
    Reply(Value),
    Waiting,
    Unknown(String),
}

#[derive(Default)]
pub(super) struct Server {
    pub now: SimTime,
    pub keys: Keyspace,
    pub lists: Lists,
    pub streams: BTreeMap<u32, Stream>,
    /// By stream and name.
    pub groups: BTreeMap<(u32, u32), Group>,
    /// What stream entries hold.
    pub contents: Vec<Vec<String>>,
    /// Who waits for entries, the longest first.
    pub readers: Vec<streams::Reader>,
    /// Who waits for a move between lists, whose reply is the item alone.
    pub movers: BTreeSet<String>,
    /// Replies of blocked commands that nobody has asked for yet.
    replies: BTreeMap<String, Value>,
    /// Until when blocked commands wait, if not for ever.
    deadlines: BTreeMap<String, SimTime>,
    words: Vec<String>,
}

impl Server {
    pub fn clock(&mut self, millis: u64) {
        self.now = SimTime::from_millis(millis);
        let late: Vec<_> = self
            .deadlines
            .iter()
            .filter(|(_, until)| **until <= self.now)
            .map(|(client, _)| client.clone())
            .collect();
        for client in late {
            self.kill(&client);
            self.replies.insert(client, Value::Null);
        }
    }

    pub fn call(&mut self, client: &str, words: &[String]) -> Answer {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = keys::call(self, &words)
            .or_else(|| lists::call(self, client, &words))
            .or_else(|| streams::call(self, client, &words));
        answer.unwrap_or_else(|| Answer::Unknown(words.first().copied().unwrap_or("").to_owned()))
    }

    pub fn poll(&mut self, client: &str) -> Answer {
        match self.replies.remove(client) {
            Some(reply) => Answer::Reply(reply),
            None => Answer::Waiting,
        }
    }

    pub fn kill(&mut self, client: &str) {
        let number = self.number(client);
        self.lists.disconnect(number);
        self.readers.retain(|reader| reader.client != client);
        self.movers.remove(client);
        self.deadlines.remove(client);
    }

    /// Keeps the reply of a blocked command until it is asked for.
    pub fn keep(&mut self, client: &str, reply: Value) {
        self.deadlines.remove(client);
        self.replies.insert(client.to_owned(), reply);
    }

    /// A client waits for so many milliseconds; for ever, if that is 0.
    pub fn wait(&mut self, client: &str, millis: u64) -> Answer {
        if millis > 0 {
            let until = self.now + sim::SimDuration::from_millis(millis);
            self.deadlines.insert(client.to_owned(), until);
        }
        Answer::Waiting
    }

    /// Hands items of lists to those who waited.
    pub fn hand_out(&mut self, served: &[Popped]) {
        for popped in served {
            let (client, item) = (self.word(popped.client), self.word(popped.item));
            let reply = if self.movers.remove(&client) {
                json!(item)
            } else {
                json!([self.word(popped.key), item])
            };
            self.keep(&client, reply);
        }
    }

    pub fn number(&mut self, word: &str) -> u32 {
        let place = self.words.iter().position(|known| known == word).unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        });
        place as u32
    }

    pub fn word(&self, number: u32) -> String {
        self.words[number as usize].clone()
    }
}

pub(super) fn error(code: &str) -> Answer {
    Answer::Reply(json!({ "error": code }))
}

pub(super) fn ok() -> Answer {
    Answer::Reply(json!("OK"))
}
