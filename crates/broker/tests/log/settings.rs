//! Every setting has a range, and says which.

use broker::log::group::assignor::Assignor;
use broker::log::group::{self, Protocol};
use broker::log::{Settings, SettingsError, consumer, producer, share};
use sim::SimDuration;

#[track_caller]
fn check(validated: Result<(), SettingsError>, field: Option<&str>) {
    let named = validated.err().map(|error| match error {
        SettingsError::Duration { field, .. }
        | SettingsError::Number { field, .. }
        | SettingsError::Choice { field, .. } => field,
    });
    assert_eq!(named, field);
}

#[test]
fn topics() {
    let kafka = Settings::kafka();
    let zero = SimDuration::ZERO;
    let rows = [
        (kafka, None),
        (Settings { partitions: 0, ..kafka }, Some("partitions")),
        (Settings { partitions: 10_001, ..kafka }, Some("partitions")),
        (Settings { segment_bytes: 13, ..kafka }, Some("segment_bytes")),
        (Settings { segment_time: zero, ..kafka }, Some("segment_time")),
        (Settings { retention_check: zero, ..kafka }, Some("retention_check")),
        (Settings { min_dirty_percent: 101, ..kafka }, Some("min_dirty_percent")),
        (Settings { max_compaction_lag: Some(zero), ..kafka }, Some("max_compaction_lag")),
        (Settings { cleaner_backoff: zero, ..kafka }, Some("cleaner_backoff")),
        (Settings { max_message_bytes: u32::MAX, ..kafka }, Some("max_message_bytes")),
        (Settings { producer_expiry: zero, ..kafka }, Some("producer_expiry")),
    ];
    for (settings, field) in rows {
        check(settings.validate(), field);
    }
}

#[test]
fn groups() {
    let second = SimDuration::from_secs;
    let classic = group::Settings::classic();
    let incremental = group::Settings::incremental();
    let with = |protocol| group::Settings { protocol, ..classic };
    let rows = [
        (classic, None),
        (group::Settings::cooperative(), None),
        (incremental, None),
        (with(Protocol::Eager(Assignor::Uniform)), Some("protocol")),
        (with(Protocol::Cooperative(Assignor::Sticky)), Some("protocol")),
        (with(Protocol::Incremental(Assignor::Range)), Some("protocol")),
        (group::Settings { session_timeout: second(5), ..classic }, Some("session_timeout")),
        (group::Settings { session_timeout: second(1801), ..classic }, Some("session_timeout")),
        (group::Settings { session_timeout: second(44), ..incremental }, Some("session_timeout")),
        (group::Settings { session_timeout: second(61), ..incremental }, Some("session_timeout")),
        (group::Settings { heartbeat_interval: second(46), ..classic }, Some("heartbeat_interval")),
        (
            group::Settings { heartbeat_interval: second(4), ..incremental },
            Some("heartbeat_interval"),
        ),
        (group::Settings { max_poll_interval: second(0), ..classic }, Some("max_poll_interval")),
        (group::Settings { offsets_retention: second(59), ..classic }, Some("offsets_retention")),
    ];
    for (settings, field) in rows {
        check(settings.validate(), field);
    }
}

#[test]
fn clients() {
    let second = SimDuration::from_secs;
    let consumer = consumer::Settings::kafka();
    check(consumer.validate(), None);
    let none = consumer::Settings { max_poll_records: 0, ..consumer };
    check(none.validate(), Some("max_poll_records"));

    let share = share::Settings::kafka();
    check(share.validate(), None);
    let once = share::Settings { delivery_count_limit: 1, ..share };
    check(once.validate(), Some("delivery_count_limit"));
    check(share::Settings { lock: second(14), ..share }.validate(), Some("lock"));
    let few = share::Settings { max_record_locks: 99, ..share };
    check(few.validate(), Some("max_record_locks"));

    let producer = producer::Settings::kafka();
    let off = producer::Idempotence::Off;
    let rows = [
        (producer, None),
        (producer::Settings { max_in_flight: 6, ..producer }, Some("max_in_flight")),
        (producer::Settings { max_in_flight: 6, idempotence: off, ..producer }, None),
        (producer::Settings { acks: producer::Acks::Leader, ..producer }, Some("acks")),
        (producer::Settings { batch_bytes: 0, ..producer }, Some("batch_bytes")),
        (producer::Settings { delivery_timeout: second(29), ..producer }, Some("delivery_timeout")),
    ];
    for (settings, field) in rows {
        check(settings.validate(), field);
    }
}
