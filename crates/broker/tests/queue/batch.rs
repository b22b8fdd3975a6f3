//! Batches: an answer for each entry, or one refusal for all.

use broker::MessageId;
use broker::queue::{
    BatchEntry, BatchError, BodyId, Change, DeduplicationId, Deleted, Entry, GroupId,
    MESSAGE_BYTES_MAX, Novelty, Queue, ReceiptHandle, Received, SendError, Settings,
};
use sim::{SimDuration, SimTime};

const NOW: SimTime = SimTime::ZERO;

/// A message of `bytes` bytes for each, numbered from 0.
fn entries(bytes: &[u32]) -> Vec<BatchEntry<Entry>> {
    let entry = |(index, bytes): (usize, &u32)| {
        let (group, body) = (Some(GroupId(1)), BodyId(0));
        let message = MessageId::from_index(index as u32);
        let request =
            Entry { message, bytes: *bytes, delay: None, group, deduplication: None, body };
        BatchEntry { id: index as u32, request }
    };
    bytes.iter().enumerate().map(entry).collect()
}

#[track_caller]
fn refused(bytes: &[u32], expected: &str) {
    let mut queue = Queue::new(Settings::sqs_standard());
    let error = queue.send_batch(NOW, &entries(bytes)).expect_err("the batch is refused");
    assert_eq!(error.to_string(), expected);
    assert_eq!(queue.counts().stored(), 0);
}

#[test]
fn a_batch_is_refused_as_a_whole_if_it_is_not_well_formed() {
    refused(&[], "a batch needs at least one entry");
    refused(&[1; 11], "the batch has 11 entries: at most 10 are allowed");
    refused(&[MESSAGE_BYTES_MAX, 1], "the batch has 1048577 bytes: at most 1048576 are allowed");
    let mut queue = Queue::new(Settings::sqs_standard());
    for most in [&[1; 10][..], &[MESSAGE_BYTES_MAX - 1, 1]] {
        assert!(queue.send_batch(NOW, &entries(most)).is_ok());
    }
    let mut twins = entries(&[1, 1]);
    twins[1].id = 0;
    assert_eq!(queue.send_batch(NOW, &twins), Err(BatchError::IdsNotDistinct { id: 0 }));
}

#[test]
fn an_entry_that_fails_fails_alone() {
    let settings = Settings { max_message_bytes: 1_024, ..Settings::sqs_standard() };
    let mut queue = Queue::new(settings);
    let answers = queue.send_batch(NOW, &entries(&[1_024, 1_025, 3])).expect("well-formed");
    let told: Vec<_> = answers.iter().map(|it| (it.id, it.request.map(|it| it.novelty))).collect();
    let too_large = SendError::TooLarge { bytes: 1_025, limit: 1_024 };
    let stored = Ok(Novelty::Stored);
    assert_eq!(told, [(0, stored), (1, Err(too_large)), (2, stored)]);
    assert_eq!(queue.counts().available, 2);
}

#[test]
fn a_fifo_batch_is_refused_if_one_entry_is_incomplete() {
    let mut queue = Queue::new(Settings::sqs_fifo());
    let mut batch = entries(&[1, 1]);
    batch[0].request.deduplication = Some(DeduplicationId::Chosen(7));
    let error = SendError::DeduplicationMissing;
    assert_eq!(queue.send_batch(NOW, &batch), Err(BatchError::Incomplete { id: 1, error }));
    assert_eq!(queue.counts().stored(), 0);
    // A duplicate within the batch is dropped like any other.
    batch[1].request.deduplication = Some(DeduplicationId::Chosen(7));
    let answers = queue.send_batch(NOW, &batch).expect("well-formed");
    let novelty = |it: &BatchEntry<Result<_, _>>| {
        let sent: broker::queue::Sent = it.request.expect("sent");
        (sent.message.index(), sent.novelty)
    };
    let told: Vec<_> = answers.iter().map(novelty).collect();
    assert_eq!(told, [(0, Novelty::Stored), (0, Novelty::Duplicate)]);
}

#[test]
fn deletes_and_changes_have_an_answer_each() {
    let mut queue = Queue::new(Settings::sqs_standard());
    queue.send_batch(NOW, &entries(&[1, 1])).expect("well-formed");
    let mut received = Received::default();
    queue.receive(NOW, 10, None, &mut received).expect("received");
    let receipts: Vec<ReceiptHandle> = received.deliveries.iter().map(|it| it.receipt).collect();
    let timeout = SimDuration::from_secs(90);
    let change = |id, receipt| BatchEntry { id, request: Change { receipt, timeout } };
    let changes = [change(5, ReceiptHandle::GARBAGE), change(6, receipts[1])];
    let answers = queue.change_visibility_batch(NOW, &changes).expect("well-formed");
    let told: Vec<_> = answers.iter().map(|it| (it.id, it.request.is_ok())).collect();
    assert_eq!(told, [(5, false), (6, true)]);
    let delete = |id, request| BatchEntry { id, request };
    let deletes = [delete(1, receipts[0]), delete(2, ReceiptHandle::GARBAGE)];
    let answers = queue.delete_batch(NOW, &deletes).expect("well-formed");
    assert_eq!(answers[0].request, Ok(Deleted::Removed(MessageId::from_index(0))));
    assert!(answers[1].request.is_err());
    assert_eq!(queue.counts().in_flight, 1);
    assert_eq!(queue.delete_batch(NOW, &[]), Err(BatchError::Empty));
}
