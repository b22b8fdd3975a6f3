//! Golden traces: the whole run of each exhibit as text. `INFLIGHT_BLESS=1` (or
//! `cargo xtask bless`) rewrites them; the browser tests hold WebAssembly to the same files.

use std::fs;
use std::path::Path;

use tests::runs::{finished, trace_text};

#[test]
fn every_exhibits_run_is_its_golden_trace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let content = root.join("../crates/course/content/exhibits");
    let mut seen = 0;
    for entry in fs::read_dir(&content).expect("the exhibits' folder") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("an exhibit");
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let Some(scenario) = document.get("scenario") else { continue };
        let found = trace_text(&finished(scenario));
        let name = path.file_stem().expect("a name").to_string_lossy();
        compare(&root.join(format!("goldens/{name}.trace")), &kept(&found));
        seen += 1;
    }
    assert!(seen > 0, "no exhibit has a scenario");
}

/// The lines of a trace that a golden file holds whole.
const WHOLE: usize = 1_000;

/// What is kept of a trace: all of it, or of a long one its length, its hash and its first lines.
fn kept(trace: &str) -> String {
    let lines = trace.lines().count();
    if lines <= WHOLE {
        return trace.to_owned();
    }
    let hash = trace.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let first: String = trace.lines().take(20).flat_map(|line| [line, "\n"]).collect();
    format!("# {lines} lines, FNV-1a {hash:016x}\n{first}")
}

fn compare(golden: &Path, found: &str) {
    if std::env::var_os("INFLIGHT_BLESS").is_some() {
        fs::write(golden, found).expect("a golden can be written");
        return;
    }
    let wanted = fs::read_to_string(golden).unwrap_or_default();
    let first = wanted.lines().zip(found.lines()).position(|(a, b)| a != b);
    assert!(
        wanted == found,
        "{} differs from line {} on; if that is meant, run cargo xtask bless",
        golden.display(),
        first.map_or(wanted.lines().count().min(found.lines().count()), |line| line) + 1
    );
}
