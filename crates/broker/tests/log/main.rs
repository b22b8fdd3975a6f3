//! The rules of the partitioned log.

mod assignors;
mod diary;
mod groups;
mod offsets;
mod partitions;
mod producers;
mod properties;
mod script;
mod settings;
mod shares;
