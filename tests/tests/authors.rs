//! What authors are offered: the linter of files of their own, the import of quizzes from elsewhere,
//! and the examples that explain the formats.

use std::path::{Path, PathBuf};

use scenario::wire::Value;
use tests::documents;
use tests::import::{About, Imported, import};
use tests::lint::{lint, lint_file};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the linter finds in a file.
fn findings(path: &Path) -> Result<Vec<String>, String> {
    lint_file(path).map(|report| report.findings)
}

fn imported(text: &str) -> Imported {
    let about = About { title: "T".into(), lesson: "L.".into(), module: "m1".into() };
    import(text, &about).expect("a quiz")
}

/// A quiz as somebody who knows mdbook-quiz might write it.
const QUIZ: &str = r#"
[multipart]
belt = "A belt carries parcels."

[[questions]]
id = "hidden"
type = "MultipleChoice"
prompt.prompt = "What becomes of a parcel that nobody signed for?"
prompt.distractors = ["It is thrown away.", "It goes to the sender."]
prompt.answerIndex = 1
answer.answer = "It comes round **again**."
context = """
Nobody said that it arrived,
so it has not.
"""

[[questions]]
type = "MultipleChoice"
multipart = "belt"
prompt.prompt = "What can stop it?"
prompt.distractors = ["Rain."]
answer.answer = ["A strike.", "A power cut."]

[[questions]]
id = "no name!"
type = "ShortAnswer"
prompt.prompt = "How long is it hidden?"
answer.answer = "30 s"
answer.alternatives = ["half a minute"]

[[questions]]
type = "ShortAnswer"
prompt.prompt = "What does the driver say?"
answer.answer = "done"

[[questions]]
type = "Tracing"
prompt.program = "fn main() {}"
answer.doesCompile = true
"#;

fn at<'v>(value: &'v Value, pointer: &str) -> &'v Value {
    let pointer = scenario::wire::Pointer::parse(pointer).expect("a pointer");
    value.at(&pointer).unwrap_or_else(|| panic!("there is nothing at {pointer}"))
}

#[test]
fn a_quiz_of_mdbook_quiz_becomes_one_of_ours() {
    let Imported { quiz, .. } = imported(QUIZ);
    assert_eq!(lint(&quiz, here()), [], "it can be asked as it is");
    let questions = at(&quiz, "/questions").as_list().expect("a list");
    assert_eq!(questions.len(), 3);
    let check = |pointer: &str, want: &str| {
        assert_eq!(at(&quiz, pointer).as_text(), Some(want), "{pointer}");
    };
    check("/questions/0/id", "hidden");
    check("/questions/0/is", "choice");
    check("/questions/0/options/0/say", "It comes round **again**.");
    check("/questions/0/options/0/why", "Nobody said that it arrived, so it has not.");
    check("/questions/0/options/1/why", "The answer is “It comes round **again**.”.");
    check("/questions/0/why", "Nobody said that it arrived, so it has not.");
    check("/questions/1/id", "q2");
    check("/questions/1/ask", "A belt carries parcels. What can stop it?");
    assert_eq!(at(&quiz, "/questions/1/many"), &Value::Bool(true));
    check("/questions/2/id", "no-name-");
    check("/questions/2/unit", "s");
    assert_eq!(at(&quiz, "/questions/2/answer"), &Value::Number(30.0));
}

#[test]
fn what_is_not_carried_over_is_named() {
    let notes = imported(QUIZ).notes.join("\n");
    for want in [
        "question 1 has no reasons for its distractors",
        "question 1 has its answers in an order",
        "question 2 has no context",
        "question 3 has other right answers",
        "question 3 is called “no-name-”",
        "question 4 is left out: its answer “done” is in words",
        "question 5 is left out: it asks what a program does (Tracing)",
    ] {
        assert!(notes.contains(want), "{want} in:\n{notes}");
    }
    let more = "[[questions]]\ntype=\"MultipleChoice\"\nmood=1\nmultipart=\"x\"\npromptExplanation=true\n\
                prompt.prompt=\"```a\\nb```\"\nprompt.distractors=[\"b\"]\nanswer.answer=\"a\"\ncontext=\"C.\"";
    let notes = imported(more).notes.join("\n");
    for want in ["has “mood”", "is part of “x”", "an explanation", "a block of code"] {
        assert!(notes.contains(want), "{want} in:\n{notes}");
    }
}

#[test]
fn what_is_no_quiz_is_refused() {
    let about = About { title: "T".into(), lesson: "L.".into(), module: "m1".into() };
    let check = |text: &str, want: &str| {
        let why = import(text, &about).expect_err("a refusal");
        assert!(why.contains(want), "{why}");
    };
    check("[[questions", "not TOML");
    check("a = 1", "under [[questions]]");
    check(
        "[[questions]]\ntype=\"Tracing\"\nprompt.program=\"\"\nanswer.doesCompile=true",
        "Tracing",
    );
    check(
        "[[questions]]\ntype=\"MultipleChoice\"\nprompt=\"a\"\nanswer.answer=\"b\"",
        "“prompt” is not a table",
    );
}

#[test]
fn files_are_linted_by_what_they_are() {
    let content = |path: &str| here().join("../crates/course/content").join(path);
    for good in ["exhibits/event-life.json", "quizzes/brochure.json", "trees/which-key.json"] {
        assert_eq!(findings(&content(good)), Ok(Vec::new()), "{good}");
    }
    let scenario: PathBuf = here().join("scenarios/storm.json");
    assert_eq!(findings(&scenario), Ok(Vec::new()));
    assert!(lint_file(&here().join("no-such.json")).is_err());
    let page = lint_file(&content("modules/m1.md")).expect("a page");
    assert!(page.reading.is_some_and(|line| line.contains("m1.md: reads at grade ")));
    let check = |json: &str, want: &str| {
        let document = documents::parse("x", json).expect("a document");
        let wrong = lint(&document, here());
        assert!(wrong.iter().any(|line| line.to_string().contains(want)), "{wrong:?}");
    };
    check("{}", "at /kind: the file does not say what it is");
    check(r#"{"kind":"quizz"}"#, "“quizz” is not a kind of file");
    check(r#"{"kind":"quiz"}"#, "the field “title” is missing");
    check(r#"{"components":{}}"#, "there is no component");
}

/// The documents that explain the formats, as they stand in the paper.
fn examples() -> Vec<String> {
    let paper = here().join("../crates/course/content/authors/format.md");
    let text = std::fs::read_to_string(paper).expect("the paper");
    let blocks = text.split("```json\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.map(str::to_owned).collect()
}

#[test]
fn the_examples_of_the_formats_are_whole_and_true() {
    let mut kinds = Vec::new();
    for (at, text) in examples().iter().enumerate() {
        let folder = std::env::temp_dir().join(format!("inflight-format-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{at}.json"));
        std::fs::write(&file, text).expect("a file");
        assert_eq!(findings(&file), Ok(Vec::new()), "{text}");
        std::fs::remove_dir_all(&folder).expect("removed");
        let document = documents::parse("x", text).expect("a document");
        kinds.push(document.get("kind").and_then(Value::as_text).unwrap_or("").to_owned());
    }
    assert_eq!(kinds, ["simulator", "quiz", "tree"]);
}

#[test]
fn what_the_course_asks_of_its_own_files_it_asks_of_no_other() {
    let Some(exhibit) = examples().into_iter().next() else { panic!("there is no example") };
    let document = documents::parse("x", &exhibit).expect("a document");
    let paths: Vec<_> = lint(&document, here()).into_iter().map(|wrong| wrong.path).collect();
    assert_eq!(paths, ["/inventory"]);
}
