//! House rules that a machine can keep: sizes, words, module docs, links, line ends.
//!
//! Each rule is a function from one file to what it finds there, and each has rows that show it
//! finding something.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the work tree.
struct File<'a> {
    /// Its path from the root, with forward slashes.
    path: &'a str,
    text: &'a str,
}

/// A house rule: what it finds in a file, one sentence each.
type Rule = fn(&File) -> Vec<String>;

const RULES: [(&str, Rule); 8] = [
    ("length", length),
    ("line ends", line_ends),
    ("words", words),
    ("machine paths and registries", places),
    ("unsafe", unsafe_code),
    ("module docs", module_docs),
    ("crate docs", crate_docs),
    ("sentences", sentences),
];

/// Folders that hold nothing of ours.
const NOT_OURS: [&str; 5] = [".git", "target", "dist", "node_modules", ".tools"];

fn ends_with_any(path: &str, endings: &[&str]) -> bool {
    endings.iter().any(|end| path.ends_with(end))
}

/// Code stops at 500 lines; tests, which grow by rows, at 800; the stylesheet at 1500.
fn length(file: &File) -> Vec<String> {
    let limit = if file.path.ends_with(".css") {
        1500
    } else if !ends_with_any(file.path, &[".rs", ".js", ".mjs", ".py"]) {
        return Vec::new();
    } else if file.path.starts_with("tests/") || file.path.contains("/tests/") {
        800
    } else {
        500
    };
    let lines = file.text.lines().count();
    if lines <= limit { Vec::new() } else { vec![format!("{lines} lines, more than {limit}")] }
}

/// Files end with one newline; lines end with neither a carriage return nor blanks.
fn line_ends(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        found.push("no newline at the end".to_owned());
    }
    if file.text.ends_with("\n\n") {
        found.push("blank lines at the end".to_owned());
    }
    for (number, line) in file.text.split('\n').enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            found.push(format!("line {}: blanks or a carriage return at its end", number + 1));
        }
    }
    found
}

/// Words that put off until later what should be an issue.
fn words(file: &File) -> Vec<String> {
    let banned = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("todo", "!("),
        concat!("#[ign", "ore"),
        concat!("dbg", "!("),
    ];
    lines_with(file, &banned)
}

/// Paths of one machine, and hosts of package registries.
fn places(file: &File) -> Vec<String> {
    let banned = [
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("/ro", "ot/"),
        concat!("/tm", "p/"),
        concat!("/wo", "rk/"),
        concat!("registry.npm", "js"),
        concat!("index.crates", ".io"),
        concat!("static.crates", ".io"),
        concat!("files.python", "hosted"),
        concat!("arti", "factory"),
    ];
    lines_with(file, &banned)
}

fn lines_with(file: &File, banned: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in file.text.lines().enumerate() {
        for word in banned.iter().filter(|word| line.contains(**word)) {
            found.push(format!("line {}: `{word}`", number + 1));
        }
    }
    found
}

/// The engine needs no unsafe code, and neither does anything else here.
fn unsafe_code(file: &File) -> Vec<String> {
    if !file.path.ends_with(".rs") {
        return Vec::new();
    }
    let uses = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let mut words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        // In a string it is a word like another.
        !code.contains('"') && words.any(|word| word == concat!("un", "safe"))
    };
    let lines = file.text.lines().enumerate().filter(|(_, line)| uses(line));
    lines.map(|(number, _)| format!("line {}: unsafe code", number + 1)).collect()
}

/// Every module says at its top what it is.
fn module_docs(file: &File) -> Vec<String> {
    let is_module = file.path.ends_with(".rs");
    if !is_module || file.text.starts_with("//!") || file.text.starts_with("#!") {
        return Vec::new();
    }
    vec!["no module doc (`//!`) on its first line".to_owned()]
}

/// Every library says at its top what it does not do.
fn crate_docs(file: &File) -> Vec<String> {
    if !file.path.ends_with("/src/lib.rs") {
        return Vec::new();
    }
    let docs: String = file.text.lines().take_while(|line| line.starts_with("//!")).collect();
    if docs.contains("does not") || docs.contains("do not") {
        return Vec::new();
    }
    vec!["the crate's doc does not say what the crate does not do".to_owned()]
}

/// Markdown has a sentence a line, so that a change shows what changed.
fn sentences(file: &File) -> Vec<String> {
    if !file.path.ends_with(".md") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, line) in prose(file.text) {
        if second_sentence(line) {
            found.push(format!("line {number}: more than one sentence"));
        }
    }
    found
}

/// The lines of a paper outside its code blocks and tables, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        (!fence && !in_code && !line.trim_start().starts_with('|')).then_some((number + 1, line))
    })
}

/// Whether a sentence ends before the line does: a full stop after a word of three letters or more
/// (so no `e.g.`), a blank and a capital.
fn second_sentence(line: &str) -> bool {
    let letters: Vec<char> = line.chars().collect();
    letters.windows(6).any(|window| {
        let word = window[..3].iter().all(|letter| letter.is_lowercase());
        word && matches!(window[3], '.' | '?') && window[4] == ' ' && window[5].is_uppercase()
    })
}

/// The targets of a paper's relative links, without their anchors.
fn relative_links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (_, line) in prose(text) {
        for after in line.split("](").skip(1) {
            let target = after.split([')', ' ']).next().unwrap_or_default();
            let target = target.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:") {
                found.push(target);
            }
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent").to_path_buf()
}

/// Every text file of the work tree: path from the root, and text.
fn tree() -> Vec<(String, String)> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of ours can be read") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if !NOT_OURS.contains(&name) {
                    folders.push(path);
                }
            } else if !NOT_OURS.contains(&name)
                && let Ok(text) = fs::read_to_string(&path)
            {
                let relative = path.strip_prefix(&root).expect("it is below the root");
                found.push((relative.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    found
}

/// Lock files are written by their tools, and vectors are data of others.
fn is_ours(path: &str) -> bool {
    !ends_with_any(path, &["Cargo.lock", "package-lock.json"])
}

#[test]
fn the_house_is_clean() {
    let files = tree();
    assert!(files.len() > 50, "only {} files were found", files.len());
    let mut found = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| is_ours(path)) {
        let file = File { path, text };
        for (name, rule) in RULES {
            found.extend(rule(&file).iter().map(|finding| format!("{path}: {name}: {finding}")));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn links_in_the_papers_are_alive() {
    let mut dead = Vec::new();
    for (path, text) in tree().iter().filter(|(path, _)| path.ends_with(".md")) {
        let folder = root().join(path).parent().expect("a file has a folder").to_path_buf();
        let links = relative_links(text);
        let missing = links.into_iter().filter(|link| !folder.join(link).exists());
        dead.extend(missing.map(|link| format!("{path}: {link}")));
    }
    assert!(dead.is_empty(), "\n{}", dead.join("\n"));
}

#[test]
fn every_rule_finds_something() {
    let long = "x\n".repeat(501);
    let rows: [(&str, &str, &str, usize); 29] = [
        ("length", "crates/sim/src/time.rs", &long, 1),
        ("length", "tests/tests/rows.rs", &long, 0),
        ("length", "static/inflight.css", &long, 0),
        ("line ends", "a.md", "no end", 1),
        ("line ends", "a.md", "two ends\n\n", 1),
        ("line ends", "a.md", "blank \nreturn\r\n", 2),
        ("line ends", "a.md", "fine\n", 0),
        ("words", "a.rs", concat!("// TO", "DO later\n"), 1),
        ("words", "a.rs", concat!("#[ign", "ore]\n"), 1),
        ("words", "a.rs", "// done\n", 0),
        ("machine paths and registries", "a.md", concat!("see /ho", "me/me/x\n"), 1),
        ("machine paths and registries", "a.json", concat!("https://registry.npm", "js.org\n"), 1),
        ("machine paths and registries", "a.md", "see docs/home.md\n", 0),
        ("unsafe", "a.rs", concat!("    un", "safe { f() }\n"), 1),
        ("unsafe", "a.rs", "#![deny(unsafe_code)] // unsafe is denied\n", 0),
        ("module docs", "a.rs", "use x;\n", 1),
        ("module docs", "a.rs", "//! What it is.\n", 0),
        ("crate docs", "crates/sim/src/lib.rs", "//! Time.\n\n// It does not\n", 1),
        ("crate docs", "crates/sim/src/lib.rs", "//! It does not know messages.\n", 0),
        ("crate docs", "crates/sim/src/time.rs", "//! Time.\n", 0),
        ("sentences", "a.md", "One ends here. Another begins.\n", 1),
        ("sentences", "a.md", "Is it? Then do.\n", 0),
        ("sentences", "a.md", "Did it work? Then go on.\n", 1),
        ("sentences", "a.md", "Brokers, e.g. Kafka, do this.\n", 0),
        ("sentences", "a.md", "```\nOne ends here. Another begins.\n```\n", 0),
        ("sentences", "a.md", "| One ends here. Another begins. |\n", 0),
        ("sentences", "a.rs", "// One ends here. Another begins.\n", 0),
        ("sentences", "a.md", "Version 1.2 of it ends.\n", 0),
        ("sentences", "a.md", "1. Number one\n", 0),
    ];
    for (name, path, text, expected) in rows {
        let (_, rule) = RULES.iter().find(|(rule, _)| *rule == name).expect("the rule is there");
        let found = rule(&File { path, text });
        assert_eq!(found.len(), expected, "{name} on {path} {text:?}: {found:?}");
    }
    for (name, _) in RULES {
        assert!(rows.iter().any(|row| row.0 == name && row.3 > 0), "{name} never found anything");
    }
}

#[test]
fn relative_links_are_read_from_papers() {
    let text = "See [one](docs/one.md#part), [two](https://host/x) and ![three](a.png \"title\").\n\
                ```\n[four](no.md)\n```\n[five](#here)\n";
    assert_eq!(relative_links(text), ["docs/one.md", "a.png"]);
}
