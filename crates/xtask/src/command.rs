//! Running other programs: echoing what is run, reading what they print, finding them on the PATH.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};

/// Says which task is under way.
pub fn heading(text: &str) {
    println!("\n── {text}");
}

/// Runs a program to its end with its output shown.
///
/// # Errors
/// When it cannot be started, or ends with a status other than zero (which is passed on).
pub fn run(command: &mut Command) -> Outcome {
    println!("$ {}", shown(command));
    run_quietly(command)
}

/// As [`run`], without saying what is run: for programs whose output may be read by a program.
///
/// # Errors
/// As [`run`].
pub fn run_quietly(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(());
    }
    let code = status.code().unwrap_or(1);
    Err(Failure::new(format!("`{}` failed ({status})", shown(command))).with_status(code))
}

/// Runs a program to its end, passing each line of its output to `line` as well as showing it.
///
/// # Errors
/// As [`run`].
pub fn run_lines(command: &mut Command, mut line: impl FnMut(&str)) -> Outcome {
    println!("$ {}", shown(command));
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| not_started(command, &error))?;
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).lines().map_while(Result::ok) {
            println!("{text}");
            line(&text);
        }
    }
    let status = child.wait().map_err(|error| not_started(command, &error))?;
    if status.success() {
        return Ok(());
    }
    let code = status.code().unwrap_or(1);
    Err(Failure::new(format!("`{}` failed ({status})", shown(command))).with_status(code))
}

/// What a program prints on its standard output, trimmed; nothing when it cannot run or fails.
pub fn read(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Runs a long, talkative program; shows one counter line in place of its output, and the end of
/// that output if it fails. A line counts when `counts` says so.
///
/// # Errors
/// As [`run`].
pub fn run_counting(name: &str, command: &mut Command, counts: fn(&str) -> bool) -> Outcome {
    println!("$ {}", shown(command));
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(command, &error))?;
    let mut log: Vec<String> = Vec::new();
    let mut counter = Counter::new(name, start);
    if let Some(stderr) = child.stderr.take() {
        for text in BufReader::new(stderr).lines().map_while(Result::ok) {
            if counts(&text) {
                counter.another();
            }
            log.push(text);
        }
    }
    let status = child.wait().map_err(|error| not_started(command, &error))?;
    counter.end();
    if status.success() {
        return Ok(());
    }
    for text in log.iter().rev().take(30).rev() {
        eprintln!("{text}");
    }
    Err(Failure::new(format!("`{}` failed ({status})", shown(command))))
}

/// The full path of a program on the PATH.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).find_map(|folder| program_in(&folder, name))
}

/// The full path of a program in one folder.
pub fn program_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    endings.iter().map(|end| folder.join(format!("{name}{end}"))).find(|file| file.is_file())
}

/// A PATH that starts with `first`.
pub fn path_with(first: &[PathBuf]) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let all = first.iter().cloned().chain(env::split_paths(&path));
    env::join_paths(all).unwrap_or(path)
}

/// A cargo command, run in `root`.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// A duration as a person says it: `48 s`, `2 min 05 s`.
pub fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// The one line that stands for the output of a long build.
struct Counter<'a> {
    name: &'a str,
    start: Instant,
    shown: Instant,
    count: usize,
    rewrites: Rewrites,
}

enum Rewrites {
    Always,
    Seldom,
}

impl<'a> Counter<'a> {
    fn new(name: &'a str, start: Instant) -> Self {
        let terminal = std::io::stdout().is_terminal();
        let rewrites = if terminal { Rewrites::Always } else { Rewrites::Seldom };
        Self { name, start, shown: start, count: 0, rewrites }
    }

    fn another(&mut self) {
        self.count += 1;
        match self.rewrites {
            Rewrites::Always => print!("\r{}", self.line()),
            // A log keeps every line, so it gets few of them.
            Rewrites::Seldom if self.shown.elapsed() >= Duration::from_secs(20) => {
                println!("{}", self.line());
                self.shown = Instant::now();
            }
            Rewrites::Seldom => {}
        }
        let _ = std::io::stdout().flush();
    }

    fn end(&self) {
        let start = if matches!(self.rewrites, Rewrites::Always) { "\r" } else { "" };
        println!("{start}{}", self.line());
    }

    fn line(&self) -> String {
        format!("  {}: {} crates, {}  ", self.name, self.count, spoken(self.start.elapsed()))
    }
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    let program = command.get_program().to_string_lossy().into_owned();
    Failure::new(format!("cannot start `{program}`: {error}"))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(name).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_spoken() {
        let rows = [(0, "0 s"), (59, "59 s"), (60, "1 min 00 s"), (137, "2 min 17 s")];
        for (seconds, expected) in rows {
            assert_eq!(spoken(Duration::from_secs(seconds)), expected);
        }
    }
}
