//! Every test there is: native, then the bundle, then the browser on that bundle.

use std::time::Instant;

use crate::bundle;
use crate::command::{self, heading, spoken};
use crate::failure::{Failure, Outcome};
use crate::project::Project;
use crate::tools::{self, Toolbox};

/// Sets up what is missing and runs everything; a part that fails does not keep the next from
/// running, and the closing lines tell all of it.
///
/// # Errors
/// When set-up or any test fails.
pub fn test(project: &Project, arguments: &[String]) -> Outcome {
    let start = Instant::now();
    let toolbox = tools::everything(project)?;
    let mut summary = Summary::default();
    summary.part("native", |tally| native(project, tally));
    let bundled = summary.part("bundle", |_| bundle::build(project, &toolbox));
    if bundled {
        summary.part("browser", |tally| browser(project, &toolbox, arguments, tally));
    }
    summary.close(start)
}

fn native(project: &Project, tally: &mut Tally) -> Outcome {
    heading("native tests");
    let mut cargo = command::cargo(&project.root);
    cargo.args(["test", "--workspace", "--no-fail-fast"]);
    command::run_lines(&mut cargo, |line| tally.read_cargo(line))
}

/// Runs the browser tests, all or those whose files are named.
fn browser(
    project: &Project,
    toolbox: &Toolbox,
    arguments: &[String],
    tally: &mut Tally,
) -> Outcome {
    heading("browser tests, on dist/ served under a sub-path");
    let folder = project.browser_tests();
    let mut files: Vec<String> = arguments.to_vec();
    if files.is_empty() {
        let all = bundle::files_below(&folder);
        let tests = all.iter().filter_map(|(path, _)| path.strip_prefix(&folder).ok()?.to_str());
        let ours = tests.filter(|name| !name.contains("node_modules"));
        files.extend(ours.filter(|name| name.ends_with(".test.mjs")).map(str::to_owned));
    }
    let mut node = toolbox.command(tools::node()?);
    let abreast = format!("--test-concurrency={}", files_abreast());
    node.args(["--test", "--test-reporter=spec", &abreast]).args(&files);
    node.current_dir(&folder);
    node.env("INFLIGHT_DIST", project.dist()).env("INFLIGHT_TARGET", &project.target);
    node.env("CHROME", tools::chromium()?);
    command::run_lines(&mut node, |line| tally.read_node(line))
}

/// How many files run at a time: each has a browser of its own, which leaves a core idle whenever a
/// test waits for it. More than two would have them wait for one another.
fn files_abreast() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(2))
}

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    passed: u32,
    failed: u32,
}

impl Tally {
    /// Reads `test result: ok. 12 passed; 0 failed; …`.
    fn read_cargo(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ") else { return };
        let words: Vec<&str> = counts.split_whitespace().collect();
        for pair in words.windows(2) {
            match (pair[0].parse::<u32>(), pair[1]) {
                (Ok(count), "passed;") => self.passed += count,
                (Ok(count), "failed;") => self.failed += count,
                _ => {}
            }
        }
    }

    /// Reads the closing lines of Node's test runner: `ℹ pass 12`, `ℹ fail 0`, `ℹ cancelled 0`.
    fn read_node(&mut self, line: &str) {
        let mut words = line.trim_start_matches(['ℹ', '#', ' ']).split_whitespace();
        let (Some(name), Some(Ok(count))) = (words.next(), words.next().map(str::parse::<u32>))
        else {
            return;
        };
        match name {
            "pass" => self.passed += count,
            "fail" | "cancelled" => self.failed += count,
            _ => {}
        }
    }
}

/// What each part came to.
#[derive(Default)]
struct Summary {
    lines: Vec<String>,
    total: Tally,
    broken: Vec<String>,
}

impl Summary {
    /// Runs one part, notes what it came to, and says whether it went well.
    fn part(&mut self, name: &str, work: impl FnOnce(&mut Tally) -> Outcome) -> bool {
        let start = Instant::now();
        let mut tally = Tally::default();
        let result = work(&mut tally);
        let took = spoken(start.elapsed());
        let counted = format!("{} passed, {} failed", tally.passed, tally.failed);
        let said = match (&result, tally) {
            (Ok(()), tally) if tally == Tally::default() => "ok".to_owned(),
            (Ok(()), _) => counted,
            (Err(failure), _) => format!("{counted}; {failure}"),
        };
        self.lines.push(format!("  {name:<8} {said} ({took})"));
        self.total.passed += tally.passed;
        self.total.failed += tally.failed;
        if result.is_err() {
            self.broken.push(name.to_owned());
        }
        result.is_ok()
    }

    fn close(self, start: Instant) -> Outcome {
        heading(&format!("summary ({})", spoken(start.elapsed())));
        for line in &self.lines {
            println!("{line}");
        }
        println!("{} passed, {} failed", self.total.passed, self.total.failed);
        if self.broken.is_empty() {
            return Ok(());
        }
        Err(Failure::new(format!("these parts failed: {}", self.broken.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_counted() {
        let mut tally = Tally::default();
        tally.read_cargo("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured");
        tally.read_cargo("test result: FAILED. 3 passed; 2 failed; 0 ignored");
        tally.read_cargo("test 9 passed; looks like one but is not");
        assert_eq!(tally, Tally { passed: 15, failed: 2 });
        tally.read_node("ℹ pass 4");
        tally.read_node("ℹ fail 1");
        tally.read_node("ℹ duration_ms 812.5");
        assert_eq!(tally, Tally { passed: 19, failed: 3 });
    }

    #[test]
    fn a_part_that_breaks_without_a_failed_test_still_fails_the_whole() {
        let mut summary = Summary::default();
        assert!(summary.part("native", |tally| {
            tally.passed = 3;
            Ok(())
        }));
        assert!(!summary.part("bundle", |_| Err(Failure::new("no"))));
        assert!(summary.close(Instant::now()).is_err());
    }
}
