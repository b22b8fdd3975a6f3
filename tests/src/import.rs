//! Importing quizzes of mdbook-quiz, which are TOML files, as quizzes of ours.
//!
//! The format is that of the crate `mdbook-quiz-schema`,
//! <https://docs.rs/mdbook-quiz-schema/latest/mdbook_quiz_schema/>: questions of the types
//! `MultipleChoice`, `ShortAnswer` and `Tracing`, each with a prompt, an answer and a context.
//!
//! What becomes of them: a multiple choice is a choice; a short answer that is a number, with or
//! without a unit, is a number. What has no like here is left out, and everything that was is named.

use scenario::limits;
use scenario::wire::Value;
use toml::{Table, Value as Toml};

/// What the file does not say about a quiz.
#[derive(Clone, Debug)]
pub struct About {
    /// Its title.
    pub title: String,
    /// What a learner takes away.
    pub lesson: String,
    /// The module of the course that it belongs to.
    pub module: String,
}

/// A quiz that was imported.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The quiz in our format.
    pub quiz: Value,
    /// What could not be carried over, and what is left to do, a sentence each.
    pub notes: Vec<String>,
}

/// Imports a quiz from its text.
///
/// # Errors
/// The text is no TOML, or holds no question that can be carried over.
pub fn import(text: &str, about: &About) -> Result<Imported, String> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        format!("this is not TOML: {}", error.to_string().trim_end())
    })?;
    let Some(Toml::Array(questions)) = table.get("questions") else {
        return Err("there are no questions: write them under [[questions]]".to_owned());
    };
    let mut notes = Vec::new();
    unknown(&table, &["questions", "multipart"], "the quiz", &mut notes);
    let shared = table.get("multipart").and_then(Toml::as_table);
    let mut taken = Vec::new();
    let mut read = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let mut importer =
            Importer { place: format!("question {}", at + 1), at, shared, notes: &mut notes };
        match question.as_table().ok_or_else(|| "it is not a table".to_owned()).and_then(|it| {
            let fields = importer.question(it)?;
            Ok((importer.name(it, &mut taken), fields))
        }) {
            Ok((name, mut fields)) => {
                fields.insert(0, ("id", Value::Text(name)));
                read.push(Value::record(fields));
            }
            Err(why) => notes.push(format!("question {} is left out: {why}", at + 1)),
        }
    }
    if read.is_empty() {
        return Err(format!("no question could be carried over\n{}", notes.join("\n")));
    }
    let quiz = Value::record([
        ("format", Value::Number(1.0)),
        ("kind", Value::text("quiz")),
        ("title", Value::Text(about.title.clone())),
        ("lesson", Value::Text(about.lesson.clone())),
        ("module", Value::Text(about.module.clone())),
        ("questions", Value::list(read)),
    ]);
    Ok(Imported { quiz, notes })
}

/// The fields of a question of ours.
type Fields = Vec<(&'static str, Value)>;

/// One question under way.
struct Importer<'i> {
    place: String,
    at: usize,
    shared: Option<&'i Table>,
    notes: &'i mut Vec<String>,
}

impl Importer<'_> {
    fn question(&mut self, it: &Table) -> Result<Fields, String> {
        let fields =
            ["id", "type", "prompt", "answer", "context", "multipart", "promptExplanation"];
        unknown(it, &fields, &self.place, self.notes);
        let (prompt, answer) = (part(it, "prompt")?, part(it, "answer")?);
        let mut read = match it.get("type").and_then(Toml::as_str) {
            Some("MultipleChoice") => self.choice(it, prompt, answer)?,
            Some("ShortAnswer") => self.number(prompt, answer)?,
            Some("Tracing") => {
                return Err(
                    "it asks what a program does (Tracing), and there is no such kind here"
                        .to_owned(),
                );
            }
            Some(other) => return Err(format!("its type “{other}” is not known")),
            None => return Err("it has no type".to_owned()),
        };
        if it.get("promptExplanation").and_then(Toml::as_bool) == Some(true) {
            self.note("asks for an explanation in one’s own words, which is not carried over");
        }
        let ask = text(prompt, "prompt").ok_or("it has no prompt")?;
        read.insert(0, ("ask", Value::Text(self.ask(it, ask))));
        if let Some(context) = text(it, "context") {
            read.push(("why", Value::Text(self.line(context))));
        }
        Ok(read)
    }

    /// The prompt, after what its group of questions has in common.
    fn ask(&mut self, it: &Table, ask: &str) -> String {
        let Some(group) = text(it, "multipart") else { return self.line(ask) };
        match self.shared.and_then(|shared| text(shared, group)) {
            Some(common) => self.line(&format!("{common} {ask}")),
            None => {
                self.note(&format!("is part of “{group}”, which the file does not have"));
                self.line(ask)
            }
        }
    }

    fn choice(&mut self, it: &Table, prompt: &Table, answer: &Table) -> Result<Fields, String> {
        unknown(
            prompt,
            &["prompt", "distractors", "answerIndex", "sortAnswers"],
            &self.place,
            self.notes,
        );
        unknown(answer, &["answer"], &self.place, self.notes);
        let right = match answer.get("answer") {
            Some(Toml::String(one)) => vec![self.line(one)],
            Some(Toml::Array(several)) => self.lines(several),
            _ => return Err("it has no answer".to_owned()),
        };
        let wrong = match prompt.get("distractors") {
            Some(Toml::Array(several)) => self.lines(several),
            _ => Vec::new(),
        };
        if right.is_empty() || right.len() + wrong.len() < 2 {
            return Err("there is nothing to choose between".to_owned());
        }
        let answers = right.join("” and “");
        let why =
            text(it, "context").map_or_else(|| "This is right.".to_owned(), |text| self.line(text));
        if text(it, "context").is_none() {
            self.note("has no context: say of the right answer why it is right");
        }
        if !wrong.is_empty() {
            self.note("has no reasons for its distractors: say of each why it is wrong");
        }
        let many = right.len() != 1;
        if prompt.contains_key("answerIndex") || prompt.contains_key("sortAnswers") {
            self.note("has its answers in an order, and here they are shuffled");
        }
        let right = right.into_iter().map(|say| option(say, Some(true), why.clone()));
        let because = format!("The answer is “{answers}”.");
        let wrong = wrong.into_iter().map(|say| option(say, None, because.clone()));
        let options: Vec<Value> = right.chain(wrong).collect();
        let mut fields = vec![("is", Value::text("choice"))];
        fields.extend(many.then_some(("many", Value::Bool(true))));
        fields.push(("options", Value::list(options)));
        Ok(fields)
    }

    fn number(&mut self, prompt: &Table, answer: &Table) -> Result<Fields, String> {
        unknown(prompt, &["prompt", "response"], &self.place, self.notes);
        unknown(answer, &["answer", "alternatives"], &self.place, self.notes);
        let said = text(answer, "answer").ok_or("it has no answer")?;
        let (number, unit) = measured(said).ok_or_else(|| {
            format!("its answer “{said}” is in words, and a short answer here is a number: make it a choice")
        })?;
        if answer.contains_key("alternatives") {
            self.note("has other right answers, which are not carried over: “within” says how far off is right");
        }
        let mut fields = vec![("is", Value::text("number")), ("answer", Value::Number(number))];
        if !unit.is_empty() {
            fields.push(("unit", Value::text(unit)));
        }
        Ok(fields)
    }

    /// The name that the question has in the quiz: its own, as far as it is one, or its place.
    fn name(&mut self, it: &Table, taken: &mut Vec<String>) -> String {
        let own = text(it, "id").unwrap_or_default();
        let mut name: String = own
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' })
            .take(limits::NAME.max)
            .collect();
        if name.is_empty() || taken.contains(&name) {
            name = format!("q{}", self.at + 1);
        }
        if !own.is_empty() && own != name {
            self.note(&format!("is called “{name}”, for “{own}” is no name here"));
        }
        taken.push(name.clone());
        name
    }

    fn lines(&mut self, several: &[Toml]) -> Vec<String> {
        several.iter().filter_map(Toml::as_str).map(|text| self.line(text)).collect()
    }

    /// A text in one line.
    fn line(&mut self, text: &str) -> String {
        if text.contains("```") {
            self.note("has a block of code, which becomes one line");
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn note(&mut self, what: &str) {
        let note = format!("{} {what}", self.place);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn option(say: String, right: Option<bool>, why: String) -> Value {
    let mut fields = vec![("say", Value::Text(say))];
    fields.extend(right.map(|right| ("right", Value::Bool(right))));
    fields.push(("why", Value::Text(why)));
    Value::record(fields)
}

/// A number with its unit: `42`, `1,000`, `30 s`.
fn measured(text: &str) -> Option<(f64, &str)> {
    let text = text.trim().trim_matches('`');
    let digits = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '_');
    let (number, unit) = text.split_at(text.find(|c| !digits(c)).unwrap_or(text.len()));
    let unit = unit.trim();
    let is_unit = unit.len() <= limits::NAME.max && unit.split_whitespace().count() <= 3;
    number.replace([',', '_'], "").parse().ok().filter(|_| is_unit).map(|number| (number, unit))
}

fn part<'t>(it: &'t Table, name: &str) -> Result<&'t Table, String> {
    it.get(name).and_then(Toml::as_table).ok_or_else(|| format!("its “{name}” is not a table"))
}

fn text<'t>(it: &'t Table, name: &str) -> Option<&'t str> {
    it.get(name).and_then(Toml::as_str).filter(|text| !text.trim().is_empty())
}

/// Notes the fields that the format does not have.
fn unknown(it: &Table, known: &[&str], place: &str, notes: &mut Vec<String>) {
    for name in it.keys().filter(|name| !known.contains(&name.as_str())) {
        notes.push(format!("{place} has “{name}”, which is not carried over"));
    }
}
