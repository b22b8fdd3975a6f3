//! `cargo xtask import FILE.toml`: a quiz of mdbook-quiz as a quiz of ours, on the standard output
//! or in a file; what could not be carried over is said on the standard error.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use tests::import::{About, import};
use tests::lint::lint;

const USAGE: &str = "usage: import FILE.toml [-o FILE.json] [--title T] [--lesson L] [--module m1]";

struct Order {
    file: String,
    out: Option<String>,
    about: About,
}

fn main() -> ExitCode {
    match order().and_then(|order| run(&order)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn order() -> Result<Order, String> {
    let about = About {
        title: String::new(),
        lesson: "Questions from elsewhere.".to_owned(),
        module: "m1".to_owned(),
    };
    let mut order = Order { file: String::new(), out: None, about };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value; {USAGE}"));
        match word.as_str() {
            "-o" => order.out = Some(value()?),
            "--title" => order.about.title = value()?,
            "--lesson" => order.about.lesson = value()?,
            "--module" => order.about.module = value()?,
            _ if word.starts_with('-') => return Err(format!("{word} is not known; {USAGE}")),
            _ if order.file.is_empty() => order.file = word,
            _ => return Err(USAGE.to_owned()),
        }
    }
    if order.file.is_empty() {
        return Err(USAGE.to_owned());
    }
    if order.about.title.is_empty() {
        order.about.title = titled(&order.file);
    }
    Ok(order)
}

/// The file's name as a title.
fn titled(file: &str) -> String {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("Quiz");
    let words = stem.replace(['-', '_'], " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

fn run(order: &Order) -> Result<(), String> {
    let file = &order.file;
    let named = |why: &dyn std::fmt::Display| format!("{file}: {why}");
    let text = fs::read_to_string(file).map_err(|error| named(&error))?;
    let imported = import(&text, &order.about).map_err(|why| named(&why))?;
    let json = serde_json::to_string_pretty(&imported.quiz).map_err(|error| named(&error))?;
    match &order.out {
        Some(out) => fs::write(out, json + "\n").map_err(|error| format!("{out}: {error}"))?,
        None => println!("{json}"),
    }
    for note in &imported.notes {
        eprintln!("{file}: {note}");
    }
    // What the linter still finds is for the author, who has more to say than the file did.
    for wrong in lint(&imported.quiz, Path::new(".")) {
        eprintln!("{}: {wrong}", order.out.as_deref().unwrap_or("the quiz"));
    }
    Ok(())
}
