//! Bytes as the run state of a link to the life of a message.
#![no_main]

use std::sync::LazyLock;

use course::Exhibit;
use libfuzzer_sys::fuzz_target;

static EVENT_LIFE: LazyLock<Exhibit> = LazyLock::new(|| {
    let text = include_str!("../../../crates/course/content/exhibits/event-life.json");
    let document = serde_json::from_str(text).expect("the exhibit is JSON");
    Exhibit::read(&document).expect("the exhibit is sound")
});

fuzz_target!(|bytes: &[u8]| {
    let _ = tests::fuzz::fuzz_link(bytes, &EVENT_LIFE);
});
