//! The document to take along: a worksheet as Markdown.

use course::sheet::{Standing, Undefined};

use super::Desk;
use crate::words::Words;

/// Why a value has no number, in words.
#[must_use]
pub fn why(words: &Words, undefined: &Undefined) -> String {
    match undefined {
        Undefined::Said(said) => said.clone(),
        Undefined::DividesByZero => words.text("sheet.why.zero"),
        Undefined::TooLarge => words.text("sheet.why.large"),
        Undefined::NotReal => words.text("sheet.why.real"),
        Undefined::TooMuch => words.text("sheet.why.much"),
        Undefined::Outside(name) => words.say("sheet.why.outside", &[("name", name)]),
    }
}

/// The worksheet as Markdown. `from` is the address of the page, which may be empty.
#[must_use]
pub fn document(desk: &Desk, words: &Words, from: &str) -> String {
    let sheet = desk.sheet();
    let mut text = Markdown::default();
    text.line(&["# ", &sheet.title].concat());
    text.line("");
    for line in desk.card() {
        text.line(&["- ", &line].concat());
    }
    text.heading(&words.text("sheet.entries"));
    text.row(&[&words.text("sheet.md.entry"), &words.text("sheet.md.value")]);
    text.row(&["---", "---"]);
    for (place, input) in sheet.inputs.iter().enumerate() {
        text.row(&[&input.label, &sheet.shown(place, desk.worked(), desk.marks())]);
    }
    text.heading(&words.text("sheet.results"));
    let heads = ["sheet.md.result", "sheet.md.value", "sheet.md.check", "sheet.md.says"];
    let heads = heads.map(|key| words.text(key));
    text.row(&heads.each_ref().map(String::as_str));
    text.row(&["---"; 4]);
    for (at, value) in sheet.values.iter().enumerate() {
        let Some(output) = &value.output else { continue };
        let shown = match &desk.worked().all[sheet.place_of(at)] {
            Ok(number) => output.figure.text(*number, desk.marks()),
            Err(undefined) => words.say("sheet.undefined", &[("why", &why(words, undefined))]),
        };
        let check = match sheet.stands(at, desk.worked(), desk.marks()) {
            Some((Standing::Holds, said)) => [&words.text("sheet.holds"), ": ", &said].concat(),
            Some((Standing::Fails, said)) => [&words.text("sheet.fails"), ": ", &said].concat(),
            Some((Standing::Open, _)) | None => String::new(),
        };
        text.row(&[&output.label, &shown, &check, &output.says]);
    }
    text.heading(&words.text("sheet.model"));
    for line in &sheet.model {
        text.line(&["- ", line].concat());
    }
    if !from.is_empty() {
        text.line("");
        text.line(&words.say("sheet.md.from", &[("address", from)]));
    }
    text.0
}

/// A text of lines. What was entered or written by an author cannot leave its cell.
#[derive(Default)]
struct Markdown(String);

impl Markdown {
    fn line(&mut self, line: &str) {
        self.0.push_str(&line.replace('\n', " "));
        self.0.push('\n');
    }

    fn heading(&mut self, title: &str) {
        self.line("");
        self.line(&["## ", title].concat());
        self.line("");
    }

    fn row(&mut self, cells: &[&str]) {
        let mut line = String::from("|");
        for cell in cells {
            line.push(' ');
            line.push_str(&cell.replace('|', "\\|"));
            line.push_str(" |");
        }
        self.line(&line);
    }
}
