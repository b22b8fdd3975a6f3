//! A partitioned log with the rules of Apache Kafka.

pub mod group;
mod identity;
pub mod partitioner;

pub use identity::{
    Generation, InstanceId, KeyId, MemberEpoch, MemberId, Offset, PartitionId, ProducerEpoch,
    ProducerId, Sequence, TopicId, TopicPartition, TransactionalId,
};
