//! The application of a quiz in one element.

use std::rc::Rc;

use course::leitner::Memory;
use course::quiz::{Quiz, Verdict};
use scenario::wire::Diagnostic;
use yew::prelude::*;

use super::{Act, Rules, Sitting, frame};
use crate::asked::Asked;
use crate::browser::{self, Detail, Host, Telling};
use crate::element::{Settings, Storage};
use crate::words::Words;

/// What an element is made from.
#[derive(Clone, Debug, Properties)]
pub struct AppProps {
    /// The catalogue.
    pub words: Words,
    /// The quiz, or what is wrong with it.
    pub quiz: Result<Rc<Quiz>, Vec<Diagnostic>>,
    /// The element's attributes.
    pub settings: Settings,
    /// What was wrong with them.
    pub wrong: Vec<Diagnostic>,
    /// Where events go.
    pub host: Host,
    /// The name under which progress is kept: the quiz's id.
    pub id: String,
}

impl PartialEq for AppProps {
    /// An element is made from its properties once; later changes come as messages.
    fn eq(&self, _: &AppProps) -> bool {
        true
    }
}

/// The application of a quiz in one element.
pub struct App {
    pub(super) words: Words,
    pub(super) settings: Settings,
    pub(super) sitting: Option<Sitting>,
    pub(super) broken: Vec<Diagnostic>,
    pub(super) wrong: Vec<Diagnostic>,
    /// What the live region holds.
    pub(super) spoken: String,
    memory: Memory,
    host: Host,
    key: String,
    told: Told,
}

/// Whether the page has been told that everything is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    No,
    Yes,
}

impl Component for App {
    type Message = Asked;
    type Properties = AppProps;

    fn create(ctx: &Context<App>) -> App {
        let props = ctx.props();
        let key = ["inflight-quiz:", &props.id].concat();
        let memory = match props.settings.storage {
            Storage::Local => Memory::read(&browser::recall(&key)),
            Storage::None => Memory::default(),
        };
        let mut app = App {
            words: props.words.clone(),
            settings: props.settings.clone(),
            sitting: None,
            broken: Vec::new(),
            wrong: props.wrong.clone(),
            spoken: String::new(),
            memory,
            host: props.host.clone(),
            key,
            told: Told::No,
        };
        match &props.quiz {
            Ok(quiz) => app.sit(quiz),
            Err(wrong) => app.broken.clone_from(wrong),
        }
        app
    }

    fn update(&mut self, _: &Context<App>, asked: Asked) -> bool {
        match asked {
            Asked::Quiz(Act::Restart) => {
                let quiz = self.sitting.as_ref().map(|sitting| Rc::clone(sitting.quiz()));
                if let Some(quiz) = quiz {
                    self.sit(&quiz);
                }
            }
            Asked::Quiz(act) => self.act(act),
            Asked::Set(name, value) => {
                if let Err(repair) = self.settings.set(&name, value.as_deref()) {
                    let value = value.unwrap_or_default();
                    self.wrong.push(crate::element::complaint(&name, &value, repair));
                }
                let rules = self.rules();
                if let Some(sitting) = &mut self.sitting {
                    sitting.rules = rules;
                }
            }
            Asked::Act(crate::state::Act::Dismiss) => self.wrong.clear(),
            _ => return false,
        }
        true
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        frame::view(self, ctx)
    }

    fn rendered(&mut self, _: &Context<App>, first: bool) {
        if first {
            self.host.tell(&Telling::new("inflight-ready"));
        }
    }
}

impl App {
    fn rules(&self) -> Rules {
        Rules { attempts: self.settings.attempts, reveal: self.settings.reveal }
    }

    /// Begins a sitting.
    fn sit(&mut self, quiz: &Rc<Quiz>) {
        let rules = self.rules();
        let seed = self.settings.seed.unwrap_or_else(browser::propose_seed);
        let quiz = Rc::clone(quiz);
        self.sitting = Some(Sitting::open(quiz, rules, &self.memory, browser::today(), seed));
        self.told = Told::No;
    }

    fn act(&mut self, act: Act) {
        let Some(sitting) = &mut self.sitting else { return };
        let first = sitting.paper().tries == 0;
        if let Some(verdict) = sitting.act(act) {
            let (id, tries) = (sitting.question().id.clone(), sitting.paper().tries);
            if first {
                self.memory.note(&id, verdict, browser::today());
                self.keep();
            }
            self.tell_answer(&id, verdict, tries);
        }
        self.tell_complete();
    }

    fn keep(&self) {
        if self.settings.storage == Storage::Local {
            browser::keep(&self.key, &self.memory.write());
        }
    }

    fn tell_answer(&mut self, item: &str, verdict: Verdict, tries: u32) {
        let (key, right) = match verdict {
            Verdict::Right => ("quiz.said.right", Detail::Yes),
            Verdict::Wrong => ("quiz.said.wrong", Detail::No),
        };
        self.spoken = self.words.text(key);
        let told = Telling::new("inflight-answer")
            .text("item", item)
            .with("right", right)
            .with("tries", Detail::Count(tries as usize));
        self.host.tell(&told);
    }

    fn tell_complete(&mut self) {
        let Some(sitting) = self.sitting.as_ref().filter(|sitting| sitting.is_over()) else {
            return;
        };
        if std::mem::replace(&mut self.told, Told::Yes) == Told::Yes {
            return;
        }
        let (score, of) = (sitting.score(), sitting.papers.len());
        let passed = if score >= Quiz::pass_mark(of) { Detail::Yes } else { Detail::No };
        let told = Telling::new("inflight-complete")
            .with("score", Detail::Count(score))
            .with("of", Detail::Count(of))
            .with("passed", passed);
        self.host.tell(&told);
    }
}
