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
        compare(&root.join(format!("goldens/{name}.trace")), &found);
        seen += 1;
    }
    assert!(seen > 0, "no exhibit has a scenario");
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
