//! Dead letters say where they come from, and a redrive takes them back.

use broker::MessageId;
use broker::queue::{
    BodyId, DeadLetter, DeduplicationId, Entry, GroupId, MoveTask, Queue, QueueId, Received,
    Redriven, Settings, TaskStatus, VELOCITY_MAX, Velocity, VelocityError,
};
use sim::{SimDuration, SimTime};

const ORDERS: QueueId = QueueId(7);

/// A queue whose messages were all received once too often, and its dead-letter queue.
fn dead(settings: Settings, count: u32) -> (Queue, Queue) {
    let limited = Settings { max_receive_count: Some(1), ..settings };
    let (mut source, mut parked) = (Queue::named(limited, ORDERS), Queue::new(settings));
    let now = SimTime::ZERO;
    let fifo = settings != Settings::sqs_standard();
    for index in 0..count {
        let message = MessageId::from_index(index);
        let group = Some(GroupId(index % 2));
        let deduplication = fifo.then_some(DeduplicationId::Chosen(u64::from(index)));
        let body = BodyId(0);
        let entry = Entry { message, bytes: 1, delay: None, group, deduplication, body };
        source.send(now, entry).expect("sent");
    }
    let mut received = Received::default();
    source.receive(now, 10, Some(SimDuration::ZERO), &mut received).expect("received");
    source.receive(now, 10, None, &mut received).expect("received");
    for letter in &received.dead {
        assert_eq!(letter.source, Some(ORDERS));
        parked.accept_dead_letter(now, *letter);
    }
    (source, parked)
}

fn at(seconds: f64) -> SimTime {
    SimTime::ZERO + SimDuration::from_micros_f64(seconds * 1e6)
}

/// Messages that have moved by a time, by number.
fn moved(task: &mut MoveTask, now: SimTime, from: &mut Queue, to: &mut Queue) -> Vec<u32> {
    let mut moved = Vec::new();
    task.advance(now, from, &mut moved);
    for redriven in &moved {
        assert_eq!(redriven.source, Some(ORDERS));
        to.accept_redriven(now, *redriven);
    }
    moved.iter().map(|it| it.message.number()).collect()
}

#[test]
fn a_dead_letter_says_where_it_comes_from() {
    let (_, mut parked) = dead(Settings::sqs_standard(), 1);
    let mut received = Received::default();
    parked.receive(at(1.0), 1, None, &mut received).expect("received");
    let delivery = received.deliveries[0];
    assert_eq!((delivery.source, delivery.count), (Some(ORDERS), 2));
    assert_eq!(delivery.group, Some(GroupId(0)));
}

#[test]
fn a_task_moves_the_oldest_first_at_its_velocity() {
    let (mut source, mut parked) = dead(Settings::sqs_standard(), 5);
    let mut task = MoveTask::start(at(10.0), &parked, Velocity::PerSecond(2)).expect("started");
    assert_eq!((task.to_move(), task.next_deadline()), (5, Some(at(10.0))));
    let mut by = |time, task: &mut MoveTask| moved(task, at(time), &mut parked, &mut source);
    assert_eq!(by(10.0, &mut task), [1]);
    assert_eq!(task.next_deadline(), Some(at(10.5)));
    assert_eq!(by(10.4, &mut task), [0; 0]);
    assert_eq!(by(11.0, &mut task), [2, 3]);
    assert_eq!(by(12.0, &mut task), [4, 5]);
    assert_eq!((task.status(), task.next_deadline()), (TaskStatus::Running, Some(at(12.5))));
    assert_eq!(by(12.5, &mut task), [0; 0]);
    assert_eq!(
        (task.status(), task.moved(), task.next_deadline()),
        (TaskStatus::Completed, 5, None)
    );
    assert_eq!((source.counts().available, parked.counts().stored()), (5, 0));
}

#[test]
fn what_was_redriven_is_new() {
    for settings in [Settings::sqs_standard(), Settings::sqs_fifo()] {
        let (mut source, mut parked) = dead(settings, 3);
        let now = at(60.0);
        let mut task = MoveTask::start(now, &parked, Velocity::Optimized).expect("started");
        let order = moved(&mut task, now, &mut parked, &mut source);
        // A FIFO queue gives out one group, then the other.
        let fifo = settings == Settings::sqs_fifo();
        assert_eq!(order, if fifo { [1, 3, 2] } else { [1, 2, 3] });
        assert_eq!(task.status(), TaskStatus::Completed);
        let mut received = Received::default();
        source.receive(now, 10, None, &mut received).expect("received");
        let told = received.deliveries.iter().map(|it| (it.count, it.first_sent, it.source));
        assert_eq!(told.collect::<Vec<_>>(), [(1, now, None); 3]);
    }
}

#[test]
fn what_is_in_flight_stays_and_a_cancelled_task_moves_no_more() {
    let (mut source, mut parked) = dead(Settings::sqs_standard(), 4);
    parked.receive(at(1.0), 1, None, &mut Received::default()).expect("received");
    let mut task = MoveTask::start(at(1.0), &parked, Velocity::PerSecond(1)).expect("started");
    assert_eq!(task.to_move(), 3);
    assert_eq!(moved(&mut task, at(2.0), &mut parked, &mut source), [2, 3]);
    task.cancel();
    assert_eq!(moved(&mut task, at(9.0), &mut parked, &mut source), [0; 0]);
    assert_eq!((task.status(), task.moved()), (TaskStatus::Cancelled, 2));
    assert_eq!(parked.counts().stored(), 2);
}

/// Each letter fails again at once, and is back before the next has moved.
#[test]
fn letters_that_return_are_left_for_the_next_task() {
    for (velocity, count) in [(Velocity::PerSecond(1), 3), (Velocity::Optimized, 3)] {
        let (_, mut parked) = dead(Settings::sqs_standard(), count);
        let mut task = MoveTask::start(at(0.0), &parked, velocity).expect("started");
        let mut order = Vec::new();
        for second in 0..60 {
            let now = at(f64::from(second));
            let mut moved = Vec::new();
            task.advance(now, &mut parked, &mut moved);
            for Redriven { message, group, source } in moved {
                order.push(message.number());
                let letter = DeadLetter { message, sent_at: now, count: 1, group, source };
                parked.accept_dead_letter(now, letter);
            }
        }
        assert_eq!(order, [1, 2, 3], "{velocity:?}");
        assert_eq!((task.status(), task.moved()), (TaskStatus::Completed, 3), "{velocity:?}");
        assert_eq!(parked.counts().available, 3);
    }
}

#[test]
fn a_velocity_is_held_to_its_range() {
    let queue = Queue::new(Settings::sqs_standard());
    for given in [0, VELOCITY_MAX + 1] {
        let error = MoveTask::start(SimTime::ZERO, &queue, Velocity::PerSecond(given));
        assert_eq!(error, Err(VelocityError { given }));
    }
    let task = MoveTask::start(SimTime::ZERO, &queue, Velocity::PerSecond(VELOCITY_MAX));
    assert!(task.is_ok());
}

#[test]
fn a_redriven_message_is_no_duplicate() {
    let mut queue = Queue::new(Settings::sqs_fifo());
    let message = MessageId::from_index(0);
    let redriven = Redriven { message, group: Some(GroupId(1)), source: None };
    queue.accept_redriven(SimTime::ZERO, redriven);
    queue.accept_redriven(SimTime::ZERO, redriven);
    assert_eq!(queue.counts().available, 2);
}
