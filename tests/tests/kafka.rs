//! The partitioned log agrees with Apache Kafka, row by row.

use std::path::Path;

use tests::conformance::{Totals, Verdict, replay};

/// Replays a file of vectors: every case passes, and there are as many as there should be.
fn check(file: &str, cases: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(file);
    let text = std::fs::read_to_string(&path).expect("the vectors are in the repository");
    let replayed = replay(&text).expect("the vectors are of a known format");
    let mut totals = Totals::default();
    for case in &replayed {
        totals.add(&case.verdict);
        assert_eq!(case.verdict, Verdict::Pass, "{file}, {}", case.name);
    }
    assert_eq!(totals.passed, cases, "cases in {file}");
}

#[test]
fn keys_hash_as_in_java() {
    check("kafka_murmur2.json", 287);
}

#[test]
fn clients_disagree_as_reported() {
    check("kafka_partitioner_cross_client.json", 4);
}

/// 242 groups by three assignors, and 250 rounds of the cooperative one.
#[test]
fn partitions_are_divided_as_by_the_assignors_themselves() {
    check("kafka_assignors.json", 3 * 242 + 250);
}

#[test]
fn the_log_keeps_its_rules() {
    check("kafka_log_semantics.json", 40);
}

/// A vector that is wrong is noticed: the runner does not pass whatever it is given.
#[test]
fn a_wrong_row_fails() {
    let rows = [
        r#"{"columns": ["key_hex", "murmur2_i32"], "rows": [["61", 1]]}"#,
        r#"{"cases": [{"key": "a", "partitions": 3, "java_murmur2": 0}]}"#,
        r#"{"cases": [{"topics": {"t": 1}, "members": [{"id": "m", "topics": ["t"]}],
            "range": {"m": []}}]}"#,
        r#"{"idempotent_producer": {"cases": [{"last": 9, "first": 12, "r": "ok"}]}}"#,
        r#"{"retention": {"size_cases": [
            {"segments": [100, 100], "retention_bytes": 100, "deleted": 0}]}}"#,
        r#"{"share_group": {"defaults": {"lock_ms": 1}}}"#,
        r#"{"share_group": {}, "defaults": {"segment_ms": 1}}"#,
    ];
    for row in rows {
        let cases = replay(row).expect("of a known format");
        let failed = cases.iter().any(|case| matches!(case.verdict, Verdict::Fail(_)));
        assert!(failed, "{row} came out as {cases:?}");
    }
}

#[test]
fn what_cannot_be_read_says_where() {
    let rows = [
        (r#"{"columns": ["key_hex", "murmur2_i32"], "rows": [["6", 1]]}"#, "/rows/0/0"),
        (r#"{"columns": ["key_hex", "murmur2_i32", "x"], "rows": [["61", 1, 1]]}"#, "/rows/0/2"),
        (
            r#"{"cases": [{"topics": {"t": 1}, "members": [{"id": "m", "topics": ["u"]}],
            "range": {}}]}"#,
            "/cases/0/members/0/topics/0",
        ),
        (r#"{"share_group": {"defaults": {"colour": 1}}}"#, "/share_group/defaults/colour"),
    ];
    for (row, pointer) in rows {
        let cases = replay(row).expect("of a known format");
        let [case] = &cases[..] else { panic!("one case in {row}") };
        match &case.verdict {
            Verdict::Unreadable(problem) => assert_eq!(problem.pointer, pointer, "{row}"),
            other => panic!("{row} came out as {other:?}"),
        }
    }
}
