//! `cargo xtask lint FILE…`: lints exhibits, quizzes, decision trees and scenarios, a line a finding,
//! and says of them and of pages how hard they are to read.

use std::path::Path;
use std::process::ExitCode;

use tests::lint::lint_file;

const USAGE: &str = "usage: lint FILE…";

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() || files.iter().any(|file| file.starts_with('-')) {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    let (mut findings, mut unread) = (0, 0);
    for file in &files {
        match lint_file(Path::new(file)) {
            Ok(report) => {
                findings += report.findings.len();
                report.findings.iter().chain(&report.reading).for_each(|line| println!("{line}"));
            }
            Err(why) => {
                unread += 1;
                eprintln!("{why}");
            }
        }
    }
    println!("{}, {}", counted(files.len(), "file"), counted(findings, "finding"));
    match (unread, findings) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
