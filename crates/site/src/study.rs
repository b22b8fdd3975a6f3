//! Quizzes without their engine: every question, what may be answered, and the answer behind a fold.

use std::borrow::Cow;

use course::quiz::{Asks, Question, Quiz, Stop};
use maud::{Markup, html};
use scenario::wire::{Diagnostic, Value, number_text};

use crate::still::Place;
use crate::words::Words;

/// A quiz of the course.
#[derive(Clone, Debug)]
pub struct Study {
    /// Its id, which is its file's name.
    pub id: String,
    /// The quiz.
    pub quiz: Quiz,
}

impl Study {
    /// Reads the quiz `id` from its file's text; `library` gives the text of an exhibit's file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(
        id: &str,
        json: &str,
        library: impl Fn(&str) -> Option<String>,
    ) -> Result<Study, String> {
        let parse = |text: &str| serde_json::from_str::<Value>(text);
        let document = parse(json).map_err(|error| format!("{id}.json: {error}"))?;
        let exhibits =
            |name: &str| library(name).and_then(|text| parse(&text).ok()).map(Cow::Owned);
        let quiz = Quiz::read(&document, &exhibits).map_err(|wrong| {
            let line =
                |d: &Diagnostic| format!("{id}.json {}: {}: {}", d.path, d.problem, d.repair);
            wrong.iter().map(line).collect::<Vec<_>>().join("\n")
        })?;
        Ok(Study { id: id.to_owned(), quiz })
    }

    /// The line it belongs to: the module's number; nothing if it is of all modules.
    #[must_use]
    pub fn line(&self) -> &str {
        self.quiz.module.strip_prefix('m').unwrap_or("")
    }

    /// Its place among the others: by module, final checks last.
    #[must_use]
    pub fn place(&self) -> (String, bool, String) {
        (self.quiz.module.clone(), self.quiz.draw.is_some(), self.id.clone())
    }

    /// What sort of quiz it is, as a key of the words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self.quiz.questions.as_slice() {
            _ if self.quiz.draw.is_some() => "quiz.check",
            [Question { asks: Asks::Fill(_), .. }] => "quiz.fill",
            _ => "quiz.quiz",
        }
    }
}

/// The fallback of an `<in-flight>` that holds a quiz.
#[must_use]
pub fn fallback(study: &Study, place: Place, root: &str, words: &Words) -> Markup {
    let quiz = &study.quiz;
    html! {
        article.exhibit.still."exhibit--wide" aria-label=(quiz.title) {
            header.sign."sign--page"[place != Place::InPaper] {
                @if place == Place::InPaper { h3.sign__title { (title(study)) } }
                @else { h2.sign__title { (title(study)) } }
                p.sign__meta { span { (words.say(study.kind())) } }
            }
            ol.still-quiz {
                @for question in &quiz.questions { li { (asked(question, words)) } }
            }
            @if place != Place::OwnPage {
                p.still-quiz__open {
                    a href={ (root) "exhibits/" (study.id) "/" } { (words.say("quiz.open")) }
                }
            }
        }
    }
}

fn title(study: &Study) -> Markup {
    html! {
        @if !study.line().is_empty() {
            span.bullet aria-hidden="true" { (study.line()) } " "
        }
        span { (study.quiz.title) }
    }
}

/// A question, what may be answered, and the answer behind a fold.
fn asked(question: &Question, words: &Words) -> Markup {
    html! {
        p { b { (question.ask) } }
        (choices(question))
        details {
            summary { (words.say("quiz.answer")) }
            (answer(question, words.say("quiz.right")))
            @if let Some(why) = &question.why { p { (why) } }
        }
    }
}

/// What may be answered.
fn choices(question: &Question) -> Markup {
    html! {
        @match &question.asks {
            Asks::Choice { options, .. } => {
                ul { @for option in options { li { (option.say) } } }
            }
            Asks::Number { .. } => {}
            Asks::Order { steps, .. } => {
                @let mut sorted: Vec<&str> = steps.iter().map(|step| step.say.as_str()).collect();
                // In the order of their letters they tell nothing.
                @let () = sorted.sort_unstable();
                ul { @for step in &sorted { li { (step) } } }
            }
            Asks::Sort { bins, cards } => {
                p { (bins.iter().map(|bin| bin.say.as_str()).collect::<Vec<_>>().join(" · ")) }
                ul { @for card in cards { li { (card.say) } } }
            }
            Asks::Fill(fill) => {
                p { @for (at, stop) in fill.route.iter().enumerate() {
                    @if at > 0 { " → " }
                    @match stop { Stop::There(name) => (name), Stop::Empty => { b { "?" } } }
                } }
                ul { @for part in &fill.parts { li { (part.say) } } }
            }
        }
    }
}

/// The right answer, and why the others are not.
fn answer(question: &Question, right: &str) -> Markup {
    let mark = |is_right: bool| html! { @if is_right { b { (right) " " } } };
    html! {
        @match &question.asks {
            Asks::Choice { options, .. } => {
                ul { @for option in options {
                    li { (mark(option.right)) (option.say) " " (option.why) }
                } }
            }
            Asks::Number { answer, unit, traps, .. } => {
                p { b { (number_text(*answer)) " " (unit) } }
                ul { @for trap in traps { li { (number_text(trap.value)) ": " (trap.why) } } }
            }
            Asks::Order { steps, .. } => {
                ol { @for step in steps { li { b { (step.say) } " " (step.why) } } }
            }
            Asks::Sort { bins, cards } => {
                ul { @for card in cards {
                    @let into: Vec<&str> =
                        card.bins.iter().map(|&bin| bins[bin].say.as_str()).collect();
                    li { (card.say) ": " b { (into.join(", ")) } " " (card.why) }
                } }
            }
            Asks::Fill(fill) => {
                ul { @for part in &fill.parts {
                    li { (mark(part.right)) (part.say) " " (part.why) }
                } }
            }
        }
    }
}
