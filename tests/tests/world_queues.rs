//! The rules of queues in a world, each as a run: what is set, and lines that its trace must have
//! in order. A line that starts with `!` must be nowhere in the trace.

use serde_json::json;
use tests::runs::check;

#[test]
fn groups_of_workers_compete_for_one_queue() {
    let second = json!({ "is": "workers", "from": "jobs", "on_message": ["ack"] });
    check(
        &[
            ("/components/second", second),
            ("/components/feed/arrivals", json!({ "at": ["0s", "0s", "0s"] })),
        ],
        &[
            "0.000000 received jobs 1 crew.1 count 1 until 30.000000",
            "0.000000 received jobs 2 second.1 count 1 until 30.000000",
            "0.000000 acked jobs 2 second.1",
            "0.000000 received jobs 3 second.1 count 1 until 30.000000",
            "1.000000 acked jobs 1 crew.1",
        ],
    );
}
