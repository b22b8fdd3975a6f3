//! Memory stays in proportion to what is stored, however long a queue is used.

use sim::{SimDuration, SimTime};

use super::line::SLACK;
use super::{
    BodyId, DeduplicationId, Entry, Fairness, GroupId, Kind, Queue, RETENTION_MAX, ReceiptHandle,
    Received, Settings,
};
use crate::MessageId;

const ROUNDS: u32 = 10_000;

fn send(queue: &mut Queue, now: SimTime, index: u32) {
    let message = MessageId::from_index(index);
    let fifo = matches!(queue.settings().kind, Kind::Fifo(_));
    let entry = Entry {
        message,
        bytes: 1,
        delay: None,
        group: Some(GroupId(index % 3)),
        deduplication: fifo.then_some(DeduplicationId::Message(message)),
        body: BodyId(0),
    };
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

#[test]
fn what_is_served_past_the_front_leaves_no_place_in_line() {
    let fairness = Fairness { share_percent: 1, in_flight: 1, calm: RETENTION_MAX };
    let fair = Settings { kind: Kind::Fair(fairness), ..Settings::sqs_standard() };
    for settings in [Settings::sqs_fifo(), fair] {
        let mut queue = Queue::new(settings);
        let mut now = SimTime::ZERO;
        // The first message of group 0 stays in flight, and its next one on offer, for good.
        send(&mut queue, now, 0);
        let stays = receive(&mut queue, now);
        send(&mut queue, now, 3);
        for index in 2..ROUNDS {
            now += SimDuration::from_secs(1);
            send(&mut queue, now, index * 3 + 1);
            let receipt = receive(&mut queue, now);
            queue.delete(now, receipt).expect("deleted");
            queue.change_visibility(now, stays, SimDuration::from_secs(30)).expect("extended");
            assert!(queue.ready.len() <= SLACK + 5, "{} in line", queue.ready.len());
            if let Some(fifo) = queue.order.fifo() {
                assert!(fifo.memory.len() <= 305, "{} remembered", fifo.memory.len());
            }
        }
    }
}

#[test]
fn tenants_that_have_left_are_forgotten() {
    let kind = Kind::Fair(Fairness::sqs());
    let mut queue = Queue::new(Settings { kind, ..Settings::sqs_standard() });
    for index in 0..100 {
        let message = MessageId::from_index(index);
        let group = Some(GroupId(index));
        let (deduplication, body) = (None, BodyId(0));
        let entry = Entry { message, bytes: 1, delay: None, group, deduplication, body };
        queue.send(SimTime::ZERO, entry).expect("sent");
        let receipt = receive(&mut queue, SimTime::ZERO);
        queue.delete(SimTime::ZERO, receipt).expect("deleted");
        assert_eq!(queue.order.fair().map(super::fair::Tenants::len), Some(0));
    }
}
