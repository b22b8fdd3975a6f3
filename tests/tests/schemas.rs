//! The JSON Schemas that authors use say what the readers do: every file of the course validates,
//! and a field that a reader knows is in the schema, and the other way round.

#[path = "schema_files/validator.rs"]
mod validator;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use course::Exhibit;
use course::quiz::Quiz;
use course::tree::Tree;
use scenario::wire::{Diagnostic, Value as Document};
use serde_json::Value;
use validator::{Record, Schemas};

/// Folders of files and the schema of each.
const FOLDERS: [(&str, &str); 5] = [
    ("../crates/course/content/exhibits", "exhibit"),
    ("../crates/course/content/quizzes", "quiz"),
    ("../crates/course/content/trees", "tree"),
    ("schema/exhibits", "exhibit"),
    ("schema/quizzes", "quiz"),
];

/// A file, and the schema that it must fit.
struct File {
    name: String,
    kind: &'static str,
    text: String,
    /// Whether it is there for these tests alone.
    is_sample: bool,
}

fn files() -> Vec<File> {
    let mut all = Vec::new();
    for (folder, kind) in FOLDERS {
        let is_sample = folder.starts_with("schema/");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = fs::read_dir(&folder).expect("a folder");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
            let text = fs::read_to_string(path).expect("a readable file");
            all.push(File { name, kind, text, is_sample });
        }
    }
    all
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn every_file_of_the_course_validates() {
    let schemas = Schemas::load();
    let mut wrong = Vec::new();
    for File { name, kind, text, .. } in files() {
        if let Err(lines) = schemas.validate(kind, &parsed(&text)) {
            wrong.extend(lines.into_iter().map(|line| format!("{name} {line}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A field that no reader knows, and that is near to none.
const STRANGER: &str = "zzzzzzzzzzzz";

/// What the reader of a kind of file says of a document.
fn complaints(kind: &str, document: &Document) -> Vec<Diagnostic> {
    let library = |id: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDERS[0].0);
        let text = fs::read_to_string(folder.join(format!("{id}.json"))).ok()?;
        tests::documents::parse(id, &text).ok().map(Cow::Owned)
    };
    let wrong = match kind {
        "exhibit" => Exhibit::read(document).err(),
        "quiz" => Quiz::read(document, &library).err(),
        _ => Tree::read(document, &library).err(),
    };
    wrong.unwrap_or_default()
}

/// The fields that a reader knows at a place, from what it says of one that it does not know.
fn known_at(file: &File, at: &str) -> Option<BTreeSet<String>> {
    let mut document = parsed(&file.text);
    let record = document.pointer_mut(at).and_then(Value::as_object_mut).expect("a record");
    record.insert(STRANGER.to_owned(), Value::Null);
    let document = tests::documents::parse(&file.name, &document.to_string()).expect("a document");
    let path = format!("{at}/{STRANGER}");
    let found = complaints(file.kind, &document).into_iter().find(|wrong| wrong.path == path)?;
    let list = found.repair.strip_prefix("take it out, or use ");
    Some(list.into_iter().flat_map(|list| list.split(", ")).map(str::to_owned).collect())
}

/// Places that no reader is asked about: a run in a quiz is read as an exhibit, and compared with
/// that below; an action of a button is completed by its target before it is read.
const APART: [&str; 2] = ["exhibit#/$defs/stage", "exhibit#/$defs/offer/properties/does"];

fn is_apart(of: &str) -> bool {
    APART.iter().any(|place| of.starts_with(place))
}

/// Fields that readers know in order to say that they do not belong there.
const REFUSED: [(&str, &str); 1] = [("scenario#/$defs/plain", "dead_letter_to")];

#[test]
fn the_samples_are_read() {
    for file in files().iter().filter(|file| file.is_sample) {
        let document = tests::documents::parse(&file.name, &file.text).expect("a document");
        assert_eq!(complaints(file.kind, &document), [], "{}", file.name);
    }
}

#[test]
fn the_schemas_have_just_the_fields_that_readers_know() {
    let schemas = Schemas::load();
    let closed = schemas.closed();
    let mut tried: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in files() {
        let document = parsed(&file.text);
        let Ok(records) = schemas.validate(file.kind, &document) else { continue };
        for Record { at, of } in records {
            // What is wrong in a run of a quiz is said at the run; exhibits hold the same.
            let fields = document.pointer(&at).and_then(Value::as_object).expect("a record");
            let is_completed = at.ends_with("/does/poison")
                || at.ends_with("/does") && fields.contains_key("poison");
            if at.starts_with("/runs/") || is_completed || is_apart(&of) {
                continue;
            }
            let form = fields.keys().cloned().collect::<Vec<_>>().join(" ");
            // One record of each form is enough.
            if !tried.entry(of.clone()).or_default().insert(form) {
                continue;
            }
            let Some(found) = known_at(&file, &at) else {
                wrong.push(format!("{} {at}: the reader of {of} does not complain", file.name));
                continue;
            };
            let refused = |field: &&String| REFUSED.contains(&(of.as_str(), field.as_str()));
            let missing: Vec<_> =
                found.difference(&closed[&of]).filter(|field| !refused(field)).collect();
            if !missing.is_empty() {
                wrong.push(format!("{of} lacks {missing:?}: see {} {at}", file.name));
            }
            known.entry(of).or_default().extend(found);
        }
    }
    for (of, fields) in &closed {
        if is_apart(of) {
            continue;
        }
        match known.get(of) {
            None => wrong.push(format!("{of}: no file has such a record; add one to tests/schema")),
            Some(known) => {
                let idle: Vec<_> = fields.difference(known).collect();
                if !idle.is_empty() {
                    wrong.push(format!("{of}: no reader asked for {idle:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_examples_of_the_formats_validate() {
    let schemas = Schemas::load();
    let paper = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paper = paper.join("../crates/course/content/authors/format.md");
    let text = fs::read_to_string(paper).expect("the paper");
    let blocks = text.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    for (block, kind) in blocks.zip(["exhibit", "quiz", "tree"]) {
        schemas.validate(kind, &parsed(block)).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    }
}

#[test]
fn a_run_in_a_quiz_has_the_fields_of_an_exhibit() {
    let closed = Schemas::load().closed();
    assert_eq!(closed["exhibit#/$defs/stage"], closed["exhibit#"]);
}

#[test]
fn what_is_wrong_is_found() {
    let schemas = Schemas::load();
    let quiz = r#"{"format":1,"kind":"quiz","title":"T","lesson":"L.","module":"m1","questions":[
        {"id":"q","ask":"A?","is":"number","answer":3}]}"#;
    assert!(schemas.validate("quiz", &parsed(quiz)).is_ok());
    let check = |from: &str, to: &str, at: &str| {
        assert!(quiz.contains(from), "{from}");
        let wrong = schemas.validate("quiz", &parsed(&quiz.replacen(from, to, 1))).expect_err(to);
        assert!(wrong.iter().any(|line| line.starts_with(at)), "{to}: {wrong:?}");
    };
    check(r#""format":1"#, r#""format":2"#, "/format:");
    check(r#""title":"T""#, r#""titel":"T""#, "/titel:");
    check(r#""title":"T""#, r#""title":"""#, "/title:");
    check(r#""id":"q""#, r#""id":"q q""#, "/questions/0/id:");
    check(r#""answer":3"#, r#""answer":"3""#, "/questions/0/answer:");
    check(r#","answer":3"#, "", "/questions/0:");
}
