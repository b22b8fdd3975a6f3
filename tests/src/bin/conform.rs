//! Replays vectors against the engine: `conform [FILE…]`, without files all of `tests/vectors`.
//!
//! Prints a line a case and a line of totals. Exit status: 0 if nothing failed, 1 if a case failed,
//! 2 if a file, or a case in it, could not be read.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use tests::conformance::{Problem, Totals, Verdict, replay};

fn main() -> ExitCode {
    let mut files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        files = match vectors() {
            Ok(files) => files,
            Err(error) => {
                eprintln!("tests/vectors: {error}; name the files to replay");
                return ExitCode::from(2);
            }
        };
    }
    let mut totals = Totals::default();
    let mut unreadable = false;
    for file in &files {
        println!("{}", file.display());
        if let Err(problem) = report(file, &mut totals) {
            eprintln!("{}: {problem}", file.display());
            unreadable = true;
        }
    }
    println!("{totals}");
    if unreadable || totals.unreadable > 0 {
        ExitCode::from(2)
    } else if totals.failed > 0 {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    }
}

/// Prints a line a case of one file.
fn report(file: &Path, totals: &mut Totals) -> Result<(), Problem> {
    let text = fs::read_to_string(file).map_err(|error| Problem {
        pointer: String::new(),
        problem: format!("cannot be read: {error}"),
        repair: "name a JSON file that exists, relative to where you are".to_owned(),
    })?;
    for case in replay(&text)? {
        println!("  {case}");
        if let Verdict::Unreadable(problem) = &case.verdict {
            eprintln!("{}: {problem}", file.display());
        }
        totals.add(&case.verdict);
    }
    Ok(())
}

/// The project's own vectors, in order of name.
fn vectors() -> io::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}
