//! Brokers as pure state machines: what happens to a message, and when.
//!
//! # Map
//!
//! | module | what it is |
//! | --- | --- |
//! | [`MessageId`] | which message, through every queue of a run |
//! | [`queue`] | a work queue with the rules of Amazon SQS: standard, fair or FIFO |
//! | [`queue::Settings`] | timeouts, delay, retention, redrive and limits, with the product's ranges |
//! | [`queue::Queue`] | the machine: send, receive, change visibility, delete, purge, let time pass |
//! | [`queue::Lapse`] | what time alone brings about |
//! | [`queue::MoveTask`] | a redrive: dead letters go back, at a velocity |
//! | [`amqp`] | exchanges, queues and channels with the rules of RabbitMQ, classic and quorum |
//! | [`log`] | topics, groups, transactions and share groups with the rules of Apache Kafka |
//!
//! # The life of a message in a work queue
//!
//! ```text
//!   send                        retention                    ┌─────────┐
//!    │            ┌───────────────────────────────────────▶  │ expired │
//!    │            │                                          └─────────┘
//!    │     ┌──────┴──┐  delay over   ┌───────────┐
//!    ├───▶ │ delayed ├─────────────▶ │           │ ◀───────────────────────┐
//!    │     └─────────┘               │ available │                         │
//!    └────────────────────────────▶  │           │                         │
//!            without delay           └──┬─────┬──┘   visibility timeout    │
//!                                       │     │      runs out, or is       │
//!            receive beyond             │     │      changed to 0          │
//!            max_receive_count          │     │ receive                    │
//!    ┌───────────────┐                  │     │      ┌───────────┐         │
//!    │ dead-lettered │ ◀────────────────┘     └────▶ │ in flight ├─────────┘
//!    └───────────────┘                               └─────┬─────┘
//!     (on offer in another queue)                          │ delete, with a receipt
//!                                                          ▼
//!                                                      ┌───────┐
//!                                                      │ acked │
//!                                                      └───────┘
//! ```
//!
//! Retention and purge take a message from each of the three states in the middle. A delete also
//! works on an available message whose timeout ran out, as long as nobody received it again; in a
//! FIFO queue it does not.
//!
//! Of each group of a FIFO queue, what stands before its first hidden message is on offer:
//!
//! ```text
//!   group a   1 visible    2 in flight  3 visible                3 waits for 2; a receive takes 1
//!   group b   4 in flight  5 visible    6 visible                5 and 6 wait for 4
//!   group c   7 visible    8 visible                             a receive takes 7, then 8
//! ```
//!
//! The life of a message in an AMQP queue is drawn in [`amqp`], a partition in [`log`], and a record
//! of a share group in [`log::share`].
//!
//! # What this crate does not do
//!
//! - It has no clock and schedules nothing: requests say when they come in, and
//!   [`queue::Queue::next_deadline`] says when to call [`queue::Queue::advance`].
//! - It draws no random numbers of its own: the same requests have the same answers, and what is
//!   drawn (a partition for a record without a key) comes from a stream that the caller hands in.
//! - It does not carry messages about: it knows their identity and size, not their content, and a
//!   dead letter is handed to the caller, who knows the other queue.
//! - It does not wait: a long poll that finds nothing is repeated by its caller.
//! - It reads and writes no format, and draws no picture.

pub mod amqp;
pub mod log;
mod message;
pub mod queue;

pub use message::MessageId;
pub use queue::ReceiptHandle;
