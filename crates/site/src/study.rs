//! Quizzes and trees without their engine: every question, what may be answered, and the answer behind a fold.

use std::borrow::Cow;

use course::quiz::{Asks, Question, Quiz, Stop};
use course::tree::{Next, Tree};
use maud::{Markup, html};
use scenario::wire::{Diagnostic, Value, number_text};

use crate::still::Place;
use crate::words::Words;

/// Something of the course that is answered and not played.
#[derive(Clone, Debug)]
pub struct Study {
    /// Its id, which is its file's name.
    pub id: String,
    /// What it is.
    pub what: What,
}

/// What is answered and not played.
#[derive(Clone, Debug)]
pub enum What {
    /// Questions.
    Quiz(Quiz),
    /// A decision tree.
    Tree(Tree),
}

impl Study {
    /// Reads the quiz or tree `id` from its file's text; `library` gives the text of an exhibit's
    /// file.
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
        let what = match document.get("kind").and_then(Value::as_text) {
            Some("tree") => Tree::read(&document, &exhibits).map(What::Tree),
            _ => Quiz::read(&document, &exhibits).map(What::Quiz),
        };
        let what = what.map_err(|wrong| {
            let line =
                |d: &Diagnostic| format!("{id}.json {}: {}: {}", d.path, d.problem, d.repair);
            wrong.iter().map(line).collect::<Vec<_>>().join("\n")
        })?;
        Ok(Study { id: id.to_owned(), what })
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> &str {
        match &self.what {
            What::Quiz(quiz) => &quiz.title,
            What::Tree(tree) => &tree.title,
        }
    }

    /// What it teaches, in a line.
    #[must_use]
    pub fn lesson(&self) -> &str {
        match &self.what {
            What::Quiz(quiz) => &quiz.lesson,
            What::Tree(tree) => &tree.lesson,
        }
    }

    /// What it asks first.
    #[must_use]
    pub fn first(&self) -> &str {
        match &self.what {
            What::Quiz(quiz) => quiz.questions.first().map_or("", |question| &question.ask),
            What::Tree(tree) => tree.forks.first().map_or("", |fork| &fork.ask),
        }
    }

    /// What the scenarios of its runs are made of, as far as one would look for it.
    #[must_use]
    pub fn parts(&self) -> Vec<&'static str> {
        match &self.what {
            What::Quiz(quiz) => crate::parts::of_stages(&quiz.stages),
            What::Tree(tree) => crate::parts::of_stages(&tree.stages),
        }
    }

    /// The line it belongs to: the module's number; nothing if it is of all modules.
    #[must_use]
    pub fn line(&self) -> &str {
        let module = match &self.what {
            What::Quiz(quiz) => &quiz.module,
            What::Tree(tree) => &tree.module,
        };
        module.strip_prefix('m').unwrap_or("")
    }

    /// Its place among the others: by module, final checks last.
    #[must_use]
    pub fn place(&self) -> (String, bool, String) {
        (self.line().to_owned(), self.is_pool(), self.id.clone())
    }

    /// Whether it is a pool, from which some questions are drawn each time.
    fn is_pool(&self) -> bool {
        matches!(&self.what, What::Quiz(quiz) if quiz.draw.is_some())
    }

    /// What sort of thing it is, as a key of the words.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.what {
            What::Tree(_) => "quiz.tree",
            What::Quiz(quiz) => match quiz.questions.as_slice() {
                [Question { asks: Asks::Recall { .. }, .. }, ..] => "quiz.cards",
                [Question { asks: Asks::Design(_), .. }, ..] => "quiz.design",
                _ if quiz.draw.is_some() => "quiz.check",
                [Question { asks: Asks::Fill(_), .. }] => "quiz.fill",
                _ => "quiz.quiz",
            },
        }
    }

    /// What the link to its own page says, in the words of pages.
    fn opening(&self) -> &'static str {
        match &self.what {
            What::Tree(_) => "tree.open",
            What::Quiz(_) => "quiz.open",
        }
    }
}

/// The fallback of an `<in-flight>` that holds a quiz.
#[must_use]
pub fn fallback(study: &Study, place: Place, root: &str, words: &Words) -> Markup {
    html! {
        article.exhibit.still."exhibit--wide"."still--pool"[study.is_pool() && place != Place::OwnPage]
            aria-label=(study.title()) {
            header.sign."sign--page"[place != Place::InPaper] {
                @if place == Place::InPaper { h3.sign__title { (title(study)) } }
                @else { h2.sign__title { (title(study)) } }
                p.sign__meta { span { (words.say(study.kind())) } }
            }
            @match &study.what {
                // A pool of dozens has its own page; here it would bury what comes after it.
                What::Quiz(quiz) if quiz.draw.is_some() && place == Place::InPaper => {
                    p.still-quiz__pool {
                        (words.fill("quiz.pool", &[
                            ("draw", &quiz.draw.unwrap_or_default().to_string()),
                            ("of", &quiz.questions.len().to_string()),
                        ]))
                    }
                }
                What::Quiz(quiz) => {
                    ol.still-quiz {
                        @for question in &quiz.questions { li { (asked(question, words)) } }
                    }
                }
                What::Tree(tree) => (walked(tree, words)),
            }
            @if place != Place::OwnPage {
                p.still-quiz__open {
                    a href={ (root) "exhibits/" (study.id) "/" } { (words.say(study.opening())) }
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
        span { (study.title()) }
    }
}

/// A tree: every question, what each answer leads to, and where the examples end.
fn walked(tree: &Tree, words: &Words) -> Markup {
    let leads = |next: &Next| match next {
        Next::Fork(fork) => html! { (tree.forks[*fork].ask) },
        Next::End(end) => html! { b { (tree.ends[*end].advise) } },
    };
    html! {
        ol.still-quiz {
            @for fork in &tree.forks {
                li {
                    p { b { (fork.ask) } }
                    @if let Some(help) = &fork.help { p { (help) } }
                    ul { @for (say, next) in &fork.answers { li { (say) " → " (leads(next)) } } }
                }
            }
        }
        ul.still-quiz {
            @for (at, end) in tree.ends.iter().enumerate() {
                li {
                    p { b { (end.advise) } " " (end.because) }
                    @let here = tree.examples.iter().filter(|example| example.end == at);
                    @for example in here {
                        details {
                            summary { (example.say) }
                            p { (example.why) }
                            @if let Some(otherwise) = &example.otherwise {
                                p { (words.say("quiz.otherwise")) " " (otherwise.say) }
                            }
                        }
                    }
                }
            }
        }
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
            Asks::Number { .. } | Asks::Spot(_) | Asks::Recall { .. } => {}
            Asks::Design(design) => {
                @for beat in &design.beats {
                    p { (beat.say) }
                    ul { @for option in &beat.options { li { (option.say) } } }
                }
                ul { @for fault in &design.faults { li { (fault.say) " " (fault.keeps) } } }
            }
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
            Asks::Spot(spot) => {
                p { b { (scenario::wire::format_time(spot.trace[spot.fault].at)) } }
                ul { @for (_, why) in &spot.others { li { (why) } } }
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
            Asks::Recall { say, points } => {
                p { (say) }
                ul { @for point in points { li { (point) } } }
            }
            Asks::Design(design) => {
                ol { @for beat in &design.beats { li {
                    b { (beat.say) } " " (beat.why)
                    ul { @for option in &beat.options {
                        li { (mark(option.right)) (option.say) " " (option.why) }
                    } }
                } } }
            }
        }
    }
}
