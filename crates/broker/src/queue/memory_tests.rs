//! Memory stays in proportion to what is stored, however long a queue is used.

use sim::{SimDuration, SimTime};

use super::line::SLACK;
use super::{Entry, Queue, ReceiptHandle, Received, Settings};
use crate::MessageId;

const ROUNDS: u32 = 10_000;

fn send(queue: &mut Queue, now: SimTime, index: u32) {
    let entry = Entry { message: MessageId::from_index(index), bytes: 1, delay: None };
    queue.send(now, entry).expect("sent");
}

fn receive(queue: &mut Queue, now: SimTime) -> ReceiptHandle {
    let mut received = Received::default();
    queue.receive(now, 1, None, &mut received).expect("received");
    received.deliveries[0].receipt
}

#[test]
fn heartbeats_leave_no_deadlines_behind() {
    let mut queue = Queue::new(Settings::sqs_standard());
    let now = SimTime::ZERO;
    send(&mut queue, now, 0);
    send(&mut queue, now, 1);
    let (first, beating) = (receive(&mut queue, now), receive(&mut queue, now));
    // What is outdated lies behind the deadline of the first message, which does not move.
    queue.change_visibility(now, first, SimDuration::from_secs(1)).expect("changed");
    for round in 0..ROUNDS {
        let timeout = SimDuration::from_secs(u64::from(30 + round % 60));
        queue.change_visibility(now, beating, timeout).expect("extended");
        assert!(queue.deadlines.len() <= SLACK + 5, "{} deadlines", queue.deadlines.len());
    }
}

#[test]
fn a_message_that_stays_holds_no_place_open_for_those_that_left() {
    let mut queue = Queue::new(Settings::sqs_standard());
    let mut now = SimTime::ZERO;
    send(&mut queue, now, 0);
    let stays = receive(&mut queue, now);
    for index in 1..ROUNDS {
        now += SimDuration::from_secs(1);
        send(&mut queue, now, index);
        let receipt = receive(&mut queue, now);
        queue.delete(now, receipt).expect("deleted");
        queue.change_visibility(now, stays, SimDuration::from_secs(30)).expect("extended");
        assert!(queue.stored.len() <= SLACK + 5, "{} in line", queue.stored.len());
        assert!(queue.slots.len() <= 2, "{} slots", queue.slots.len());
    }
}
