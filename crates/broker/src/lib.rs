//! Brokers as pure state machines.

mod message;
pub mod queue;

pub use message::MessageId;
pub use queue::ReceiptHandle;
