//! A diary of a queue: a line a request, with the time at which it comes in and the answer.
//!
//! ```text
//! 0     send 1            = on offer at 0
//! 0     receive 10        = 1:r1#1 until 30
//! 30    advance           = visible 1#1
//! 31    delete r1         = deleted 1
//! ```
//!
//! Times are seconds. `1:r1#2` is message 1 with receipt `r1` on its second receive; `→1#2` is
//! message 1 moved aside after two receives. What a FIFO queue stores is `s1`, `s2` and so on in its
//! sequence.

use broker::queue::{
    AttemptId, BodyId, Deduplicate, DeduplicationId, Deleted, Entry, Fifo, GroupId, Kind, Lapse,
    Novelty, Poll, Queue, Received, Sample, Scope, Sent, Settings,
};
use broker::{MessageId, ReceiptHandle};
use sim::{SimDuration, SimTime};

/// Plays the requests of a diary and compares it, answers and all, with what happened.
#[track_caller]
pub fn check(settings: Settings, diary: &str) {
    let mut keeper = Keeper { queue: Queue::new(settings), aside: None, receipts: Vec::new() };
    for line in diary.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (request, written) = line.split_once('=').expect("a line has an answer");
        let answer = keeper.answer(request);
        assert_eq!(written.trim(), answer, "left: the diary; right: the answer to {request}");
    }
}

struct Keeper {
    queue: Queue,
    /// The dead-letter queue, made when it is first named.
    aside: Option<Queue>,
    receipts: Vec<ReceiptHandle>,
}

impl Keeper {
    fn answer(&mut self, request: &str) -> String {
        let mut words = request.split_whitespace();
        let now = SimTime::ZERO + seconds(words.next().expect("a line starts with its time"));
        let verb = words.next().expect("a line names a request");
        let words: Vec<&str> = words.collect();
        match verb {
            "send" => self.send(now, &words),
            "receive" => self.receive(now, &words),
            "change" => {
                let changed =
                    self.queue.change_visibility(now, self.receipt(words[0]), seconds(words[1]));
                told(changed, |until| format!("on offer at {}", bare(until)))
            }
            "delete" => {
                told(self.queue.delete(now, self.receipt(words[0])), |deleted| match deleted {
                    Deleted::Removed(message) => format!("deleted {}", message.number()),
                    Deleted::AlreadyGone => "gone before".to_owned(),
                })
            }
            "aside:send" => {
                let aside = self.aside.as_mut().expect("something was moved");
                told(aside.send(now, entry(&words)), confirm)
            }
            "available" => messages(self.queue.available()),
            "blocked" => messages(self.queue.blocked()),
            "noisy" => {
                let noisy = self.queue.noisy().map(|group| format!("g{}", group.0));
                listed(&noisy.collect::<Vec<_>>())
            }
            "purge" => told(self.queue.purge(now), |purged| format!("purged {purged}")),
            "advance" => lapses(&mut self.queue, now),
            "aside:receive" => {
                let settings = *self.queue.settings();
                let aside = self.aside.get_or_insert_with(|| Queue::new(settings));
                let mut received = Received::default();
                let answer = aside.receive(now, 10, None, &mut received);
                told(answer, |()| deliveries(&received, &mut self.receipts))
            }
            "aside:advance" => lapses(self.aside.as_mut().expect("something was moved"), now),
            "counts" => {
                let counts = self.queue.counts();
                let (available, delayed) = (counts.available, counts.delayed);
                format!("{available} available, {delayed} delayed, {} in flight", counts.in_flight)
            }
            "hidden" => {
                let hidden = self.queue.in_flight().map(|it| {
                    let (since, until) = (bare(it.since), bare(it.until));
                    format!("{} since {since} until {until}", it.message.number())
                });
                hidden.collect::<Vec<_>>().join(", ")
            }
            "set" => {
                let mut settings = *self.queue.settings();
                match words[0] {
                    "retention" => settings.retention = seconds(words[1]),
                    "delay" => settings.delay = seconds(words[1]),
                    "scope" => fifo(&mut settings).scope = Scope::MessageGroup,
                    "by-content" => fifo(&mut settings).deduplicate = Deduplicate::ByContent,
                    other => panic!("no setting {other}"),
                }
                self.queue.set_settings(settings);
                "set".to_owned()
            }
            other => panic!("no request is called {other}"),
        }
    }

    fn send(&mut self, now: SimTime, words: &[&str]) -> String {
        told(self.queue.send(now, entry(words)), confirm)
    }

    fn receive(&mut self, now: SimTime, words: &[&str]) -> String {
        let max = words[0].parse().expect("a number of messages");
        let wait = self.queue.settings().receive_wait;
        let mut poll = Poll { max, visibility: None, wait, attempt: None, sample: None };
        for setting in words[1..].chunks(2) {
            match setting {
                ["visibility", timeout] => poll.visibility = Some(seconds(timeout)),
                ["wait", time] => poll.wait = seconds(time),
                ["attempt", id] => poll.attempt = Some(AttemptId(number(id))),
                // The digits are the servers, from the last to the first.
                ["asks", bits] => {
                    let asked = u64::from_str_radix(bits, 2).expect("ones and zeroes");
                    poll.sample = Sample::new(bits.len() as u32, asked);
                }
                other => panic!("no part of a receive: {other:?}"),
            }
        }
        let mut received = Received::default();
        let answer = self.queue.poll(now, poll, &mut received);
        for dead in &received.dead {
            let settings = *self.queue.settings();
            let aside = self.aside.get_or_insert_with(|| Queue::new(settings));
            aside.accept_dead_letter(now, *dead);
        }
        told(answer, |()| deliveries(&received, &mut self.receipts))
    }

    fn receipt(&self, name: &str) -> ReceiptHandle {
        if name == "garbage" {
            return ReceiptHandle::GARBAGE;
        }
        let number: usize = name[1..].parse().expect("a receipt number");
        self.receipts[number - 1]
    }
}

/// `1 group 2 id 3`, and so on: message 1.
fn entry(words: &[&str]) -> Entry {
    let message = MessageId::from_index(number(words[0]) as u32 - 1);
    let (group, deduplication, body) = (None, None, BodyId(0));
    let mut entry = Entry { message, bytes: 1, delay: None, group, deduplication, body };
    for setting in words[1..].chunks(2) {
        match setting {
            ["delay", delay] => entry.delay = Some(seconds(delay)),
            ["bytes", bytes] => entry.bytes = number(bytes) as u32,
            ["group", group] => entry.group = Some(GroupId(number(group) as u32)),
            ["id", id] => entry.deduplication = Some(DeduplicationId::Chosen(number(id))),
            ["hash", body] => {
                entry.deduplication = Some(DeduplicationId::Body(BodyId(number(body))));
            }
            ["own-id", other] => {
                let other = MessageId::from_index(number(other) as u32 - 1);
                entry.deduplication = Some(DeduplicationId::Message(other));
            }
            ["body", body] => entry.body = BodyId(number(body)),
            other => panic!("no part of a send: {other:?}"),
        }
    }
    entry
}

fn confirm(sent: Sent) -> String {
    let sequence = sent.sequence.map_or(String::new(), |sequence| format!("{sequence} "));
    let visible_at = bare(sent.visible_at);
    match sent.novelty {
        Novelty::Stored => format!("{sequence}on offer at {visible_at}"),
        Novelty::Duplicate => format!("{sequence}duplicate of {}", sent.message.number()),
    }
}

fn fifo(settings: &mut Settings) -> &mut Fifo {
    let Kind::Fifo(fifo) = &mut settings.kind else { panic!("not a FIFO queue") };
    fifo
}

fn messages(messages: impl Iterator<Item = MessageId>) -> String {
    listed(&messages.map(|message| message.number().to_string()).collect::<Vec<_>>())
}

fn listed(told: &[String]) -> String {
    if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

fn told<T, E: std::fmt::Display>(answer: Result<T, E>, tell: impl FnOnce(T) -> String) -> String {
    answer.map_or_else(|error| format!("refused: {error}"), tell)
}

fn deliveries(received: &Received, receipts: &mut Vec<ReceiptHandle>) -> String {
    let mut told = Vec::new();
    for delivery in &received.deliveries {
        receipts.push(delivery.receipt);
        let (message, count) = (delivery.message.number(), delivery.count);
        let until = bare(delivery.until);
        told.push(format!("{message}:r{}#{count} until {until}", receipts.len()));
    }
    for dead in &received.dead {
        told.push(format!("→{}#{}", dead.message.number(), dead.count));
    }
    listed(&told)
}

fn lapses(queue: &mut Queue, now: SimTime) -> String {
    let mut lapses = Vec::new();
    queue.advance(now, &mut lapses);
    let told: Vec<String> = lapses
        .iter()
        .map(|lapse| match lapse {
            Lapse::Visible { message, count } => format!("visible {}#{count}", message.number()),
            Lapse::DelayOver { message } => format!("delay over {}", message.number()),
            Lapse::Expired { message } => format!("expired {}", message.number()),
        })
        .collect();
    let next = queue.next_deadline().map_or("never".to_owned(), bare);
    format!("{}; next at {next}", listed(&told))
}

fn seconds(text: &str) -> SimDuration {
    let seconds: f64 = text.parse().unwrap_or_else(|_| panic!("{text} is no time in seconds"));
    SimDuration::from_micros_f64(seconds * 1e6)
}

fn bare(time: SimTime) -> String {
    time.to_string().trim_end_matches(" s").to_owned()
}
